// SPDX-License-Identifier: Apache-2.0
// Counts guards per page, and applies rights to runs of pages.
#include "layers/check/guard/guarded_pages.h"

#include "layers/check/guard/double_mapping.h"

#include <sys/mman.h>

#include <algorithm>

namespace ferry::layers::check {
namespace {

// A program may itself revoke rights on pinned memory; then a page that is open here faults
// forever. The limit exceeds the number of threads that can fault on one page at the same time.
constexpr uint16_t kMostRetries = 10000;

}  // namespace

bool GuardedPages::GuardRecord::operator==(const GuardRecord& other) const {
  return span.first == other.span.first && span.end == other.span.end && label == other.label &&
         kind == other.kind;
}

size_t GuardedPages::HashRecord::operator()(const GuardRecord& record) const {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
  uint64_t hash = record.label * 2 + static_cast<uint64_t>(record.kind);
  for (const uint64_t part : {record.span.first, record.span.end}) {
    hash = (hash ^ (hash >> 29) ^ part) * kOdd;
  }
  return hash ^ (hash >> 32);
}

GuardedPages::GuardedPages(const ferryx_memory& memory, uintptr_t storage)
    : address_(reinterpret_cast<uintptr_t>(memory.address)),
      storage_(storage),
      size_(memory.size),
      page_count_((memory.size + memory_page_size() - 1) / memory_page_size()),
      pages_(std::make_unique<Page[]>(page_count_)),
      shelf_({.begin = address_, .end = address_ + mapped_size()}) {}

uint64_t GuardedPages::mapped_size() const {
  return page_count_ * memory_page_size();
}

uintptr_t GuardedPages::address_of(size_t page) const {
  return address_ + page * memory_page_size();
}

PageSpan GuardedPages::pages_inside(const Range& range) const {
  const uintptr_t begin = std::max(range.begin, address_);
  const bool reaches_end = range.end >= address_ + size_;
  const uintptr_t end = reaches_end ? address_ + mapped_size() : range.end;
  if (begin >= end) return {};
  const uint64_t page_size = memory_page_size();
  return {.first = (begin - address_ + page_size - 1) / page_size,
          .end = (end - address_) / page_size};
}

Range GuardedPages::bytes_of(const PageSpan& span, const Range& range) const {
  const uint64_t page_size = memory_page_size();
  return {.begin = std::max(range.begin, address_ + span.first * page_size),
          .end = std::min({range.end, address_ + size_, address_ + span.end * page_size})};
}

void GuardedPages::add_guard(const PageSpan& span, Guard kind, uint64_t label) {
  guards_.insert({.span = span, .label = label, .kind = kind, .number = ++last_number_});
  for (size_t page = span.first; page < span.end; ++page) {
    ++(kind == Guard::kNoWrites ? pages_[page].no_writes : pages_[page].no_access);
  }
  apply_rights(span);
}

void GuardedPages::remove_guard(const PageSpan& span, Guard kind, uint64_t label) {
  const auto record = guards_.find({.span = span, .label = label, .kind = kind, .number = 0});
  if (record == guards_.end()) return;
  guards_.erase(record);
  for (size_t i = span.first; i < span.end; ++i) {
    Page& page = pages_[i];
    --(kind == Guard::kNoWrites ? page.no_writes : page.no_access);
    if (page.no_writes == 0 && page.no_access == 0 && !is_retired_) page.is_touched = false;
  }
  apply_rights(span);
}

void GuardedPages::retire() {
  is_retired_ = true;
  for (size_t page = 0; page < page_count_; ++page) {
    pages_[page].is_touched = false;
  }
  apply_rights({.first = 0, .end = page_count_});
}

Judgement GuardedPages::judge(uintptr_t address, FaultAccess access) {
  const size_t index = (address - address_) / memory_page_size();
  Page& page = pages_[index];
  const bool is_write = access == FaultAccess::kUnknown ? page.rights == Rights::kReadOnly
                                                        : access == FaultAccess::kWrite;
  if (page.rights == Rights::kAll || (page.rights == Rights::kReadOnly && !is_write)) {
    if (page.retries == kMostRetries) return {.verdict = Verdict::kForeign};
    ++page.retries;
    return {.verdict = Verdict::kRetry};
  }
  page.is_touched = true;
  apply_rights({.first = index, .end = index + 1});
  const GuardRecord* guard = oldest_guard(index, is_write);
  if (guard != nullptr && !is_retired_) open_guard(*guard);
  return {.verdict = Verdict::kTouch,
          .is_write = is_write,
          .is_freed = is_retired_,
          .label = guard != nullptr ? guard->label : 0};
}

// A thread that has touched one page of a copy's memory is likely to touch the next ones, which is
// no new finding. Pages that other copies guard too stay closed.
void GuardedPages::open_guard(const GuardRecord& guard) {
  for (const GuardRecord& other : guards_) {
    if (other.label != guard.label) continue;
    const size_t end = std::min(other.span.end, guard.span.end);
    for (size_t i = std::max(other.span.first, guard.span.first); i < end; ++i)
      ++pages_[i].counted;
  }
  for (size_t i = guard.span.first; i < guard.span.end; ++i) {
    Page& page = pages_[i];
    if (page.counted == page.no_writes + page.no_access) page.is_touched = true;
    page.counted = 0;
  }
  apply_rights(guard.span);
}

GuardedPages::Rights GuardedPages::wanted_rights(const Page& page) const {
  if (page.is_touched) return Rights::kAll;
  if (is_retired_ || page.no_access != 0) return Rights::kNone;
  return page.no_writes != 0 ? Rights::kReadOnly : Rights::kAll;
}

void GuardedPages::apply_rights(const PageSpan& span) {
  for (size_t page = span.first; page < span.end;) {
    const Rights wanted = wanted_rights(pages_[page]);
    size_t run_end = page + 1;
    if (pages_[page].rights != wanted) {
      // The run may include pages that have these rights already: one call is cheaper than two.
      while (run_end < span.end && wanted_rights(pages_[run_end]) == wanted) {
        ++run_end;
      }
      set_rights({.first = page, .end = run_end}, wanted);
    }
    page = run_end;
  }
}

bool GuardedPages::have_same_rights(const PageSpan& span) const {
  return std::all_of(&pages_[span.first], &pages_[span.first] + (span.end - span.first),
                     [&](const Page& page) { return page.rights == pages_[span.first].rights; });
}

bool GuardedPages::tell_rights(const PageSpan& span, Rights rights) {
  const int protection = rights == Rights::kNone       ? PROT_NONE
                         : rights == Rights::kReadOnly ? PROT_READ
                                                       : PROT_READ | PROT_WRITE;
  const Range bytes{.begin = address_of(span.first), .end = address_of(span.end)};
  if (rights == Rights::kAll) {
    shelf_.bring_back(bytes);
  } else if (have_same_rights(span)) {
    shelf_.put_aside(bytes);
  }
  return mprotect(reinterpret_cast<void*>(bytes.begin), bytes.size(), protection) == 0;
}

void GuardedPages::set_rights(const PageSpan& span, Rights rights) {
  PageSpan changed = span;
  if (!tell_rights(span, rights)) {
    // The limit on mappings is reached, and the call may have stopped half-way. Opening all pages
    // needs no new mapping.
    changed = {.first = 0, .end = page_count_};
    rights = Rights::kAll;
    tell_rights(changed, rights);
  }
  for (size_t page = changed.first; page < changed.end; ++page) {
    pages_[page].rights = rights;
    pages_[page].retries = 0;
  }
}

const GuardedPages::GuardRecord* GuardedPages::oldest_guard(size_t page, bool is_write) const {
  const GuardRecord* oldest = nullptr;
  for (const GuardRecord& guard : guards_) {
    const bool covers = guard.span.first <= page && page < guard.span.end;
    const bool forbids = is_write || guard.kind == Guard::kNoAccess;
    if (covers && forbids && (oldest == nullptr || guard.number < oldest->number)) oldest = &guard;
  }
  return oldest;
}

}  // namespace ferry::layers::check
