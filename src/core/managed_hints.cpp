// SPDX-License-Identifier: Apache-2.0
// Pages are found by their distance from the start of their memory.
#include "core/managed_hints.h"

#include <algorithm>
#include <iterator>

namespace ferry {
ManagedHints& ManagedHints::instance() {
  static auto* hints = new ManagedHints;
  return *hints;
}

void ManagedHints::add(const ferryx_memory& memory) {
  Memory added{.pages = std::vector<Page>(memory.size / kManagedPage), .accessed_by = {}};
  const std::lock_guard lock(mutex_);
  by_start_.insert_or_assign(reinterpret_cast<uintptr_t>(memory.address), std::move(added));
}

void ManagedHints::remove(const void* address) {
  const std::lock_guard lock(mutex_);
  by_start_.erase(reinterpret_cast<uintptr_t>(address));
}

ManagedHints::Found ManagedHints::find(const ManagedRange& range) {
  const auto address = reinterpret_cast<uintptr_t>(range.address);
  const auto next = by_start_.upper_bound(address);
  if (next == by_start_.begin()) return {};
  auto& [start, memory] = *std::prev(next);
  const uint64_t offset = address - start;
  const uint64_t size = memory.pages.size() * kManagedPage;
  if (offset >= size || range.size > size - offset) return {};
  const size_t first = offset / kManagedPage;
  const size_t end = (offset + range.size + kManagedPage - 1) / kManagedPage;
  return {.memory = &memory, .first = first, .pages = {&memory.pages[first], end - first}};
}

bool ManagedHints::advise(const ManagedRange& range, aclrtMemManagedAdviseType advice,
                          const ManagedPlace& place) {
  const std::lock_guard lock(mutex_);
  const Found found = find(range);
  if (found.memory == nullptr) return false;
  switch (advice) {
    case ACL_MEM_ADVISE_SET_READ_MOSTLY:
    case ACL_MEM_ADVISE_UNSET_READ_MOSTLY:
      for (Page& page : found.pages)
        page.is_read_mostly = advice == ACL_MEM_ADVISE_SET_READ_MOSTLY;
      break;
    case ACL_MEM_ADVISE_SET_PREFERRED_LOCATION:
    case ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      for (Page& page : found.pages)
        page.preferred = advice == ACL_MEM_ADVISE_SET_PREFERRED_LOCATION ? place : ManagedPlace();
      break;
    case ACL_MEM_ADVISE_SET_ACCESSED_BY:
    case ACL_MEM_ADVISE_UNSET_ACCESSED_BY:
      found.set_accessed_by(place.id, advice == ACL_MEM_ADVISE_SET_ACCESSED_BY);
      break;
  }
  return true;
}

bool ManagedHints::note_prefetch(const ManagedRange& range, const ManagedPlace& place) {
  const std::lock_guard lock(mutex_);
  const Found found = find(range);
  for (Page& page : found.pages)
    page.prefetched = place;
  return found.memory != nullptr;
}

bool ManagedHints::read(const ManagedRange& range, aclrtMemManagedRangeAttribute attribute,
                        std::span<int32_t> values) {
  const std::lock_guard lock(mutex_);
  const Found found = find(range);
  if (found.memory == nullptr) return false;
  switch (attribute) {
    case ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      values[0] = found.is_read_mostly() ? 1 : 0;
      break;
    case ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
      found.write_accessed_by(values);
      break;
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      values[0] = found.common(&Page::preferred).id;
      break;
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      values[0] = found.common(&Page::preferred).type;
      break;
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      values[0] = found.common(&Page::prefetched).id;
      break;
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      values[0] = found.common(&Page::prefetched).type;
      break;
  }
  return true;
}

void ManagedHints::Found::set_accessed_by(int32_t id, bool is_set) const {
  const size_t all = memory->pages.size();
  std::vector<bool>& is_used = memory->accessed_by.try_emplace(id, all).first->second;
  for (size_t i = 0; i < pages.size(); ++i)
    is_used[first + i] = is_set;
}

void ManagedHints::Found::write_accessed_by(std::span<int32_t> ids) const {
  size_t count = 0;
  for (const auto& [id, is_used] : memory->accessed_by) {
    bool is_used_whole = true;
    for (size_t i = 0; i < pages.size(); ++i)
      is_used_whole = is_used_whole && is_used[first + i];
    if (is_used_whole && count < ids.size()) ids[count++] = id;
  }
  std::fill(ids.begin() + static_cast<ptrdiff_t>(count), ids.end(), ManagedPlace::kNone);
}

bool ManagedHints::Found::is_read_mostly() const {
  return std::all_of(pages.begin(), pages.end(),
                     [](const Page& page) { return page.is_read_mostly; });
}

ManagedPlace ManagedHints::Found::common(ManagedPlace Page::*member) const {
  const ManagedPlace& expected = pages[0].*member;
  const bool is_common = std::all_of(pages.begin(), pages.end(),
                                     [&](const Page& page) { return page.*member == expected; });
  return is_common ? expected : ManagedPlace();
}

}  // namespace ferry
