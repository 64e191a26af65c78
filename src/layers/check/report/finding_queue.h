// SPDX-License-Identifier: Apache-2.0
// Passes findings from any thread, whatever locks it holds, to a thread of our own that reports
// them. Reporting needs function names, which need the loader's lock. The program may hold that
// lock while it waits for one of ours: a constructor of a library that calls the API.
#pragma once

#include "base/status.h"
#include "layers/check/report/report.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>

namespace ferry::layers::check {

// May be shared between threads. Must never be destroyed once opened.
class FindingQueue {
 public:
  // Starts the thread, which calls `tell` for each finding in turn. Call once.
  Status open(std::function<void(const Finding&)> tell);
  // Does not block.
  void push(Finding finding);
  // Returns when everything pushed before has been reported. Must not be called by `tell`.
  //
  // It gives up when nothing is reported for some seconds: the thread may need a lock that the
  // caller holds. `kOnce` does not wait for findings that some caller has already given up on.
  enum class Patience : uint8_t { kOnce, kAgain };
  void await_told(Patience patience);

 private:
  [[noreturn]] void keep_telling();

  std::function<void(const Finding&)> tell_;
  std::atomic<uint64_t> pushed_{0};  // number of findings; written with the lock held, like told_
  std::atomic<uint64_t> told_{0};
  std::mutex mutex_;  // protects all below
  std::condition_variable changed_;
  std::list<Finding> waiting_;
  uint64_t given_up_ = 0;  // number of findings some caller gave up on
};

}  // namespace ferry::layers::check
