// SPDX-License-Identifier: Apache-2.0
// The places that a thread has called from lately. Walking up a stack takes microseconds; a loop
// that calls again from the same place does it once.
#pragma once

#include "layers/check/report/call_stack.h"
#include "layers/check/report/site.h"

namespace ferry::layers::check {

// Used by one thread.
class RecentSites {
 public:
  struct Entry {
    const char* function = nullptr;
    const void* frame = nullptr;  // of the function of ours that took the stack
    SiteId site = kNoSite;
    StackMarks marks;

    bool is_current(const char* now_function, const void* now_frame) const {
      return function == now_function && frame == now_frame && marks.are_there();
    }
  };

  // Null when there is no room for one.
  static RecentSites* of_this_thread();

  // Where such a place is remembered, if it is; it may hold another one.
  Entry& entry(const char* function, const void* frame);

 private:
  static constexpr size_t kEntries = 8;
  Entry entries_[kEntries];
};

}  // namespace ferry::layers::check
