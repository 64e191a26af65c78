// SPDX-License-Identifier: Apache-2.0
// From whoever finds something, whatever locks are held there, to a thread of our own that tells
// it. Telling needs names of functions, and those need the lock of the loader, which the program
// may hold while it waits for one of ours: a constructor of a library that calls the API.
#pragma once

#include "base/status.h"
#include "layers/check/report/report.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace ferry::layers::check {

// May be shared between threads. It must live for ever once it was opened.
class FindingQueue {
 public:
  // Starts the thread, which calls `tell` for each finding in turn. To be called once.
  Status open(std::function<void(const Finding&)> tell);
  // Waits for nobody.
  void push(Finding finding);
  // Returns when all that was pushed before is told. Not to be called by `tell`.
  //
  // It gives up when nothing is told for some seconds: the thread may need a lock that the caller
  // holds. `kOnce` does not wait for findings that somebody has given up already.
  enum class Patience : uint8_t { kOnce, kAgain };
  void await_told(Patience patience);

 private:
  [[noreturn]] void keep_telling();

  std::function<void(const Finding&)> tell_;
  std::atomic<uint64_t> pushed_{0};  // how many findings; written with the lock held, as told_ is
  std::atomic<uint64_t> told_{0};
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<Finding> waiting_;
  uint64_t given_up_ = 0;  // how many findings were
};

}  // namespace ferry::layers::check
