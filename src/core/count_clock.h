// SPDX-License-Identifier: Apache-2.0
// The thread that ends waits for counts when their time is over.
#pragma once

#include "base/status.h"
#include "core/counter.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry {

// May be shared between threads; never destroyed.
class CountClock {
 public:
  static CountClock& instance();

  // A wait with a time limit is about to be queued. Starts the thread on first use; 207005 when the
  // system cannot create it.
  Status expect(const std::shared_ptr<Counter>& counter);
  // Such a wait has begun. Needs no memory.
  void note_begin();

 private:
  void serve();

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool is_started_ = false;
  bool has_news_ = false;
  std::vector<std::weak_ptr<Counter>> counters_;  // that may have such waits; each once
};

}  // namespace ferry
