// SPDX-License-Identifier: Apache-2.0
// The stacks of calls: each is written once, and calls have its number. For the writer thread.
#pragma once

#include "layers/trace/event_list.h"
#include "layers/trace/records.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ferry::layers::trace {

class Stacks {
 public:
  // Of the stack behind the record; 0: there is none, or too many others are known.
  uint64_t number_of(const CallRecord& call, EventList& events);

 private:
  // Return addresses, innermost first. Events refer to them.
  std::map<std::vector<uint64_t>, uint64_t> numbers_;
  size_t addresses_ = 0;
};

}  // namespace ferry::layers::trace
