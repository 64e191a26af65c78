// SPDX-License-Identifier: Apache-2.0
// One pass over the batch; the common item costs three stores.
#include "backends/cuda/transfer/coalesce.h"

#include "base/live_memory.h"

#include <algorithm>

namespace ferry::cuda {
namespace {

struct Joined {
  uint64_t dst = 0;
  uint64_t src = 0;
  uint64_t size = 0;
};

Joined as_joined(const ferryx_copy& item) {
  return {reinterpret_cast<uint64_t>(item.dst_storage),
          reinterpret_cast<uint64_t>(item.src_storage), item.size};
}

bool continues(const Joined& next, const Joined& joined) {
  return next.dst == joined.dst + joined.size && next.src == joined.src + joined.size;
}

void add_to(Summary& summary, uint64_t size) {
  ++summary.count;
  summary.bytes += size;
  summary.largest = std::max(summary.largest, size);
}

// Appends to the lists. The counts are members, not behind a pointer that a store might alias.
class Appender {
 public:
  explicit Appender(const ItemLists& lists)
      : columns_(lists.columns), small_(lists.small), large_(lists.large) {}

  void append(const Joined& item) {
    const bool is_large = item.size >= kLargeItem;
    const size_t at = is_large ? kListCapacity - 1 - large_.count : small_.count;
    columns_.dst[at] = item.dst;
    columns_.src[at] = item.src;
    columns_.size[at] = item.size;
    if (is_large) {
      add_to(large_, item.size);
    } else {
      add_to(small_, item.size);
    }
  }
  void finish(ItemLists& lists) const {
    lists.small = small_;
    lists.large = large_;
  }

 private:
  const ItemColumns columns_;
  Summary small_;
  Summary large_;
};

// Appends `count` items. An item that continues the one before is joined with it if `may_be_one`.
template <class ItemAt, class MayBeOne>
void join_items(size_t count, ItemAt item_at, MayBeOne may_be_one, ItemLists& lists) {
  Appender appender(lists);
  Joined joined;
  for (size_t i = 0; i < count; ++i) {
    const Joined next = item_at(i);
    if (joined.size > 0) {
      if (continues(next, joined) && may_be_one(joined, joined.size + next.size)) {
        joined.size += next.size;
        continue;
      }
      appender.append(joined);
    }
    joined = next;
  }
  if (joined.size > 0) appender.append(joined);
  appender.finish(lists);
}

bool is_reachable(const Joined& item, KnownExtents& extents) {
  return extents.at(item.dst).is_reachable && extents.at(item.src).is_reachable;
}

}  // namespace

const Extent& KnownExtents::at(uint64_t address) {
  if (latest_ < known_.size() && address >= known_[latest_].start &&
      address < known_[latest_].end) {
    return known_[latest_];
  }
  auto place = std::upper_bound(known_.begin(), known_.end(), address,
                                [](uint64_t a, const Extent& extent) { return a < extent.start; });
  if (place == known_.begin() || address >= std::prev(place)->end) {
    place = std::next(known_.insert(place, find_(context_, address)));
  }
  latest_ = static_cast<size_t>(place - known_.begin()) - 1;
  return known_[latest_];
}

ItemLists ItemLists::in(void* memory) {
  auto* words = static_cast<uint64_t*>(memory);
  ItemLists lists;
  lists.columns = {words, words + kListCapacity, words + 2 * kListCapacity};
  return lists;
}

Reach gather(std::span<const ferryx_copy> items, Judge judge, KnownExtents& extents,
             ItemLists& lists) {
  join_items(
      items.size(), [items](size_t i) { return as_joined(items[i]); },
      [&](const Joined& joined, uint64_t size) {
        return extents.is_one(joined.dst, size) && extents.is_one(joined.src, size);
      },
      lists);
  if (judge == Judge::kNothing) return Reach::kAll;
  const bool all = std::all_of(items.begin(), items.end(), [&](const ferryx_copy& item) {
    return is_reachable(as_joined(item), extents);
  });
  return all ? Reach::kAll : Reach::kNotAll;
}

void gather(const ferryx_columns& columns, ItemLists& lists) {
  const auto dst_distance = static_cast<uint64_t>(distance_to_storage(columns.dst));
  const auto src_distance = static_cast<uint64_t>(distance_to_storage(columns.src));
  join_items(
      columns.count,
      [&](size_t i) {
        return Joined{reinterpret_cast<uint64_t>(columns.dsts[i]) + dst_distance,
                      reinterpret_cast<uint64_t>(columns.srcs[i]) + src_distance, columns.sizes[i]};
      },
      [](const Joined&, uint64_t) { return true; }, lists);
}

void split_small(ItemLists& lists, uint64_t piece) {
  if (lists.small.largest <= piece) return;
  const ItemColumns& list = lists.columns;
  size_t pieces = 0;
  for (size_t i = 0; i < lists.small.count; ++i)
    pieces += (list.size[i] + piece - 1) / piece;
  // From the back: no item is overwritten before it has been read.
  size_t end = pieces;
  for (size_t i = lists.small.count; i-- > 0;) {
    const Joined item{list.dst[i], list.src[i], list.size[i]};
    const size_t first = end - (item.size + piece - 1) / piece;
    for (size_t at = end; at-- > first;) {
      const uint64_t offset = (at - first) * piece;
      list.dst[at] = item.dst + offset;
      list.src[at] = item.src + offset;
      list.size[at] = std::min(piece, item.size - offset);
    }
    end = first;
  }
  lists.small.count = pieces;
  lists.small.largest = piece;
}

}  // namespace ferry::cuda
