// SPDX-License-Identifier: Apache-2.0
// Recent accesses per byte: enough to find every pair of accesses that conflict and are not
// ordered. Ranges are the addresses the program uses, host and device alike.
#pragma once

#include "layers/check/order/order.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ferry::layers::check {

struct Range {
  uintptr_t begin = 0;
  uintptr_t end = 0;  // one past the last byte

  bool overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
  uint64_t size() const { return end - begin; }
};

// Taller 2D copies are not tracked row by row: what they write counts as written, and they are not
// compared with other accesses.
inline constexpr uint64_t kMostFollowedRows = 65536;

// kStore: a write that does not conflict with others of its kind, as streams store values that
// others wait for.
enum class AccessKind : uint8_t { kRead, kWrite, kStore };

// One access that was made or is about to be made.
struct Access {
  Moment when;
  AccessKind kind = AccessKind::kRead;
  uint64_t label = 0;  // the owner's identification (a task, a call)

  bool operator==(const Access&) const = default;
};

// Called for an earlier access that conflicts with the new one. `where` is the first contiguous
// range of bytes they share.
using OnConflict = std::function<void(const Access& earlier, const Range& where)>;

// Not safe to share between threads: protected by the owner's lock.
//
// An access is replaced by a later one that is ordered after it and conflicts with everything it
// would conflict with: anything by a write, others by their own kind. An access not ordered after
// the replaced one is not ordered after its replacement either. So a byte with a conflict is never
// missed, though the conflict may be reported with the replacement. What stays is at most one
// access of each kind per queue.
class History {
 public:
  // Adds an access that relies on `knowledge`. Reports each earlier access to any of these bytes
  // that is not before it, if the two conflict. Each earlier access is reported once per call.
  // Accesses of the same moment belong together and never conflict.
  void add(const Range& range, const Access& access, const Knowledge& knowledge, const Order& order,
           const OnConflict& on_conflict);
  // Whether a write, and not a store, to any of these bytes is not before what relies on
  // `knowledge`.
  bool has_unordered_write(const Range& range, const Knowledge& knowledge,
                           const Order& order) const;
  // The bytes were freed, or allocated again: earlier accesses no longer matter.
  void forget(const Range& range);
  // Drops what can no longer conflict with anything. add calls it as the history grows.
  void prune(const Order& order);

  size_t size() const { return segments_.size(); }

 private:
  struct Segment {
    uintptr_t end = 0;
    std::vector<Access> accesses;  // never empty
  };
  using Segments = std::map<uintptr_t, Segment>;
  struct Conflict {
    Access earlier;
    Range where;
  };
  struct Newcomer {
    const Access& access;
    const Knowledge& knowledge;
    const Order& order;
    std::vector<Conflict> conflicts;
  };

  Segments::iterator split(uintptr_t address);
  void visit(const Range& range, Segment& segment, Newcomer& newcomer);
  void merge(Segments::iterator first, uintptr_t end);

  Segments segments_;    // by first byte; they do not overlap
  size_t prune_at_ = 0;  // number of segments at which add prunes
};

}  // namespace ferry::layers::check
