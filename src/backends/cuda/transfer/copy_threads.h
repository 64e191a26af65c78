// SPDX-License-Identifier: Apache-2.0
// A few threads that help a waiting caller with copies through host memory, for which one core is
// too slow. Needs no CUDA header.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace ferry::cuda {

// Never destroyed; the threads live forever. May be shared between threads: jobs run one after the
// other.
class CopyThreads {
 public:
  // At most `most` threads work on a job at the same time, including the caller.
  explicit CopyThreads(uint32_t most) : most_(most) {}

  uint32_t most() const { return most_; }

  // Calls body(0) to body(lanes - 1) once each, as many at the same time as there are threads;
  // returns when all have returned. The caller runs lanes, too, so a job ends even when no thread
  // can be started.
  void run(uint32_t lanes, const std::function<void(uint32_t lane)>& body);

 private:
  void start_helpers();
  void help();
  bool take_lane(uint32_t& lane);

  const uint32_t most_;
  std::mutex jobs_;   // held for the duration of a job
  std::mutex mutex_;  // guards all below
  std::condition_variable work_came_;
  std::condition_variable lane_ended_;
  const std::function<void(uint32_t)>* body_ = nullptr;
  uint32_t lanes_ = 0;
  uint32_t taken_ = 0;
  uint32_t ended_ = 0;
  bool has_helpers_ = false;
};

// How many threads are useful on this machine.
uint32_t default_copy_threads();

}  // namespace ferry::cuda
