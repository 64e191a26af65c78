// SPDX-License-Identifier: Apache-2.0
// One line of a trace file, taken apart: the members of the event and of its `args`. What they mean
// is decided in builder.cpp.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tools::trace {

// Members of events, of `args`, and of the objects in lists of `args`. Others are skipped.
enum class Key : uint8_t {
  kAddress,
  kArgs,
  kArguments,
  kBegin,
  kBuildId,
  kBytes,
  kCann,
  kCall,
  kCat,
  kCheck,
  kContents,
  kCorrelation,
  kDevice,
  kDevices,
  kDirection,
  kDomain,
  kDropped,
  kDst,
  kDstPitch,
  kDsts,
  kDur,
  kEnd,
  kFerry,
  kFormat,
  kFrames,
  kHash,
  kId,
  kItems,
  kKind,
  kLargest,
  kMarker,
  kMemory,
  kModel,
  kModules,
  kName,
  kNeighbours,
  kOffset,
  kPath,
  kPeer,
  kPh,
  kPid,
  kProgram,
  kResult,
  kRun,
  kSchedule,
  kScript,
  kSeverity,
  kSite,
  kSize,
  kSizes,
  kSmallest,
  kSoc,
  kSrc,
  kSrcPitch,
  kSrcs,
  kStack,
  kStarted,
  kStream,
  kSubmitted,
  kTask,
  kText,
  kTid,
  kTs,
  kUnfinished,
  kWidth,
  kWork,
  kWorks,
  kCount,  // of keys; also: a member that nobody reads
};
constexpr size_t kKeys = static_cast<size_t>(Key::kCount);

Key key_of(std::string_view name);

// Values as they are written; strings without quotes and escapes. They point into the line.
class Members {
 public:
  void clear() { present_.reset(); }
  void set(Key key, std::string_view value) {
    present_.set(static_cast<size_t>(key));
    values_[static_cast<size_t>(key)] = value;
  }
  bool has(Key key) const { return present_.test(static_cast<size_t>(key)); }
  // "" when there is none.
  std::string_view text(Key key) const {
    return has(key) ? values_[static_cast<size_t>(key)] : std::string_view();
  }

  // Numbers in decimal, or as "0x...". `otherwise` when there is none, or when it does not fit.
  uint64_t number(Key key, uint64_t otherwise) const;
  int64_t integer(Key key, int64_t otherwise) const;
  int32_t small_integer(Key key, int32_t otherwise) const;
  // Microseconds with decimals, as nanoseconds.
  int64_t nanoseconds(Key key, int64_t otherwise) const;
  bool is_true(Key key) const { return text(key) == "true"; }

 private:
  std::bitset<kKeys> present_;
  std::array<std::string_view, kKeys> values_;
};

struct Event {
  Members top;
  Members args;
  std::vector<std::pair<Key, std::string_view>> list;  // elements of lists of `args`, with the list
  std::vector<Members> rows;                           // likewise objects
  std::vector<Key> row_lists;                          // the list of each of `rows`

  void clear();
};

// The number that `text` begins with; false when it has none or is too large.
bool parse_number(std::string_view text, uint64_t& number);

/// Takes the JSON object at `line` apart, in place. The object ends with '\0'. False when it is
/// none.
bool parse_event(char* line, Event& event);

}  // namespace ferry::tools::trace
