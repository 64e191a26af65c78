// SPDX-License-Identifier: Apache-2.0
// Cache of a thread's recent call sites. Unwinding a stack takes microseconds; a loop that calls
// again from the same place unwinds once.
#pragma once

#include "base/call_stack.h"
#include "layers/check/report/site.h"

namespace ferry::layers::check {

// Used by one thread.
class RecentSites {
 public:
  struct Entry {
    const char* function = nullptr;
    const void* frame = nullptr;  // of our function that took the stack
    SiteId site = kNoSite;
    StackMarks marks;

    bool is_current(const char* now_function, const void* now_frame) const {
      return function == now_function && frame == now_frame && marks.are_there();
    }
  };

  // Null when it cannot be allocated.
  static RecentSites* of_this_thread();

  // The slot for such a place; it may hold another one.
  Entry& entry(const char* function, const void* frame);

 private:
  static constexpr size_t kEntries = 8;
  Entry entries_[kEntries];
};

}  // namespace ferry::layers::check
