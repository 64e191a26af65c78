// SPDX-License-Identifier: Apache-2.0
// A few threads that help a caller who waits: for copies through host memory that one core cannot
// make fast enough. No CUDA header is needed here.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace ferry::cuda {

// Never destroyed; the threads live for ever. May be shared between threads: jobs run one after the
// other.
class CopyThreads {
 public:
  // `most` threads work on a job at the same time, the caller's among them.
  explicit CopyThreads(uint32_t most) : most_(most) {}

  uint32_t most() const { return most_; }

  // Calls body(0) to body(lanes - 1), each once and as many at the same time as there are threads;
  // returns when all have returned. The caller runs lanes, too, so a job ends even when no thread
  // can be started.
  void run(uint32_t lanes, const std::function<void(uint32_t lane)>& body);

 private:
  void start_helpers();
  void help();
  bool take_lane(uint32_t& lane);

  const uint32_t most_;
  std::mutex jobs_;   // held for the length of a job
  std::mutex mutex_;  // guards all below
  std::condition_variable work_came_;
  std::condition_variable lane_ended_;
  const std::function<void(uint32_t)>* body_ = nullptr;
  uint32_t lanes_ = 0;
  uint32_t taken_ = 0;
  uint32_t ended_ = 0;
  bool has_helpers_ = false;
};

// How many threads are worth having on this machine.
uint32_t default_copy_threads();

}  // namespace ferry::cuda
