// SPDX-License-Identifier: Apache-2.0
// Field numbers of Perfetto's messages, as its public .proto files (protos/perfetto/trace) give
// them. They never change: a field that is no longer used keeps its number.
#pragma once

#include <cstdint>

namespace ferry::plugins::trace::fields {

namespace trace {
enum : uint32_t { kPacket = 1 };
}

namespace packet {
enum : uint32_t {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequence = 10,  // trusted_packet_sequence_id
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kTrackDescriptor = 60,
};
// of sequence_flags
constexpr uint32_t kStateCleared = 1;
constexpr uint32_t kNeedsState = 2;
}  // namespace packet

namespace clock_snapshot {
enum : uint32_t { kClocks = 1 };
}

namespace clock {
enum : uint32_t { kId = 1, kTimestamp = 2 };
// of clock_id
constexpr uint32_t kRealtime = 1;
constexpr uint32_t kMonotonic = 3;
constexpr uint32_t kBoottime = 6;  // of timestamps that name no clock
}  // namespace clock

namespace track {
enum : uint32_t { kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8 };
}

namespace process {
enum : uint32_t { kPid = 1, kCommandLine = 2, kName = 6 };
}

namespace thread {
enum : uint32_t { kPid = 1, kTid = 2, kName = 5 };
}

namespace counter {
enum : uint32_t { kUnit = 3 };
constexpr int32_t kBytes = 3;  // of unit
}  // namespace counter

namespace interned {
enum : uint32_t { kCategories = 1, kEventNames = 2, kAnnotationNames = 3 };
}

namespace interned_text {  // the same for each of them
enum : uint32_t { kId = 1, kName = 2 };
}

namespace event {
enum : uint32_t {
  kCategoryId = 3,
  kAnnotation = 4,
  kType = 9,
  kNameId = 10,
  kTrack = 11,
  kName = 23,
  kCounterValue = 30,
  kFlow = 47,
};
// of type
constexpr int32_t kSliceBegin = 1;
constexpr int32_t kSliceEnd = 2;
constexpr int32_t kInstant = 3;
constexpr int32_t kCounter = 4;
}  // namespace event

namespace annotation {
enum : uint32_t {
  kNameId = 1,
  kTruth = 2,
  kUnsigned = 3,
  kSigned = 4,
  kDouble = 5,
  kText = 6,
  kPointer = 7,
  kName = 10,
  kMembers = 11,  // dict_entries
  kArray = 12,    // array_values
};
}

}  // namespace ferry::plugins::trace::fields
