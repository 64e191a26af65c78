// SPDX-License-Identifier: Apache-2.0
// Around each wait of a thread of the program: calls the functions that ferrySetWaitFunctions has
// named.
#pragma once

#include "ferry/ferry.h"

#include <atomic>

namespace ferry {

struct WaitFunctions {
  ferryWaitBegin begin;
  ferryWaitEnd end;
};

// The functions in use, or null. Invariant: what it points to is never changed or freed, so that a
// wait ends with the function that belongs to its begin.
inline std::atomic<const WaitFunctions*> wait_functions{nullptr};

// Names the functions; both null: none. Throws std::bad_alloc.
void set_wait_functions(ferryWaitBegin begin, ferryWaitEnd end);

// Lives while the thread sleeps until queued work is done. It must be made before locks are
// acquired and end after they are released: its end may wait for a thread that calls the library.
class ProgramWait {
 public:
  ProgramWait() : functions_(wait_functions.load(std::memory_order_acquire)) {
    if (functions_ != nullptr) token_ = functions_->begin();
  }
  ~ProgramWait() {
    if (functions_ != nullptr) functions_->end(token_);
  }
  ProgramWait(const ProgramWait&) = delete;
  ProgramWait& operator=(const ProgramWait&) = delete;

 private:
  const WaitFunctions* functions_;
  void* token_ = nullptr;
};

}  // namespace ferry
