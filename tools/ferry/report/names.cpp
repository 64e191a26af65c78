// SPDX-License-Identifier: Apache-2.0
// Names and rates of what a summary has.
#include "report/summary.h"

namespace ferry::tools::report {

double Limits::gbps_of(trace::Direction direction, trace::Memory memory) const {
  for (const Limit& way : ways) {
    if (way.direction == direction && way.memory == memory) return way.gbps;
  }
  // Registered memory is pinned, too.
  if (memory == trace::Memory::kRegistered) return gbps_of(direction, trace::Memory::kPinned);
  return 0;
}

double Tally::gbps() const {
  return busy > 0 ? static_cast<double>(bytes) / static_cast<double>(busy) : 0;
}

double Tally::share() const {
  return limited > 0 ? static_cast<double>(at_limit) / static_cast<double>(limited) : 0;
}

const char* name_of(Block block) {
  switch (block) {
    case Block::kSynchronize:
      return "synchronize";
    case Block::kPageableAsync:
      return "async-pageable";
    case Block::kOtherAsync:
      return "async-other";
    case Block::kPageableCopy:
      return "copy-pageable";
    case Block::kCopy:
      return "copy";
    case Block::kModel:
      return "model";
    case Block::kAllocation:
      return "allocation";
    case Block::kSetUp:
      return "set-up";
  }
  return "";
}

const char* words_of(Block block) {
  switch (block) {
    case Block::kSynchronize:
      return "waiting for a stream, event or device";
    case Block::kPageableAsync:
      return "asynchronous calls that copied pageable memory themselves";
    case Block::kOtherAsync:
      return "asynchronous calls that did their work themselves";
    case Block::kPageableCopy:
      return "synchronous copies of pageable memory";
    case Block::kCopy:
      return "synchronous copies and fills";
    case Block::kModel:
      return "running a model and waiting for it";
    case Block::kAllocation:
      return "allocating, freeing, registering or mapping memory";
    case Block::kSetUp:
      return "starting and ending devices, streams and the like";
  }
  return "";
}

const char* name_of(trace::Direction direction) {
  switch (direction) {
    case trace::Direction::kNone:
      return "set";
    case trace::Direction::kHostToHost:
      return "H2H";
    case trace::Direction::kHostToDevice:
      return "H2D";
    case trace::Direction::kDeviceToHost:
      return "D2H";
    case trace::Direction::kDeviceToDevice:
      return "D2D";
  }
  return "";
}

const char* name_of(trace::Memory memory) {
  switch (memory) {
    case trace::Memory::kUnknown:
      return "";
    case trace::Memory::kPageable:
      return "pageable";
    case trace::Memory::kPinned:
      return "pinned";
    case trace::Memory::kRegistered:
      return "registered";
    case trace::Memory::kManaged:
      return "managed";
    case trace::Memory::kDevice:
      return "device";
  }
  return "";
}

}  // namespace ferry::tools::report
