// SPDX-License-Identifier: Apache-2.0
// The pages of one piece of guardable memory: the guards on each page, and the rights that follow.
// Locks, signals and the lookup of memory by address are handled elsewhere.
#pragma once

#include "layers/check/guard/guard.h"
#include "layers/check/guard/machine_context.h"
#include "layers/check/guard/table_shelf.h"

#include <memory>
#include <unordered_set>

namespace ferry::layers::check {

// Pages first to end - 1, counted from the start of the memory.
struct PageSpan {
  size_t first = 0;
  size_t end = 0;

  bool is_empty() const { return first >= end; }
};

enum class Verdict : uint8_t {
  kRetry,   // the page is open by now
  kTouch,   // the page was closed; it is open now
  kForeign  // the page is open and still faults: something else revoked its rights
};

struct Judgement {
  Verdict verdict = Verdict::kForeign;
  bool is_write = false;
  bool is_freed = false;
  uint64_t label = 0;
};

// Not safe to share between threads: protected by the owner's lock.
class GuardedPages {
 public:
  // The memory is mapped at `memory.address` and at `storage`, in whole pages.
  GuardedPages(const ferryx_memory& memory, uintptr_t storage);

  uintptr_t address() const { return address_; }
  uintptr_t storage() const { return storage_; }
  uint64_t mapped_size() const;
  bool contains(uintptr_t address) const { return address - address_ < mapped_size(); }
  size_t guard_count() const { return guards_.size(); }

  // The pages that lie wholly inside the range, and the bytes of the range that they hold.
  PageSpan pages_inside(const Range& range) const;
  Range bytes_of(const PageSpan& span, const Range& range) const;

  void add_guard(const PageSpan& span, Guard kind, uint64_t label);
  // Does nothing when there is no such guard.
  void remove_guard(const PageSpan& span, Guard kind, uint64_t label);
  // Closes all pages, including those already touched.
  void retire();

  // Handles a fault at this address. Allocates nothing: called in the signal handler.
  Judgement judge(uintptr_t address, FaultAccess access);

 private:
  enum class Rights : uint8_t { kAll, kReadOnly, kNone };
  struct Page {
    uint32_t no_writes = 0;  // number of guards of each kind
    uint32_t no_access = 0;
    Rights rights = Rights::kAll;  // as last passed to the kernel
    bool is_touched = false;
    uint32_t counted = 0;  // scratch of open_guard; 0 outside of it
    uint16_t retries = 0;  // faults since the rights changed
  };
  struct GuardRecord {
    PageSpan span;
    uint64_t label = 0;
    Guard kind = Guard::kNoWrites;
    uint64_t number = 0;  // increases; not compared: the remover of a guard does not know it

    bool operator==(const GuardRecord& other) const;
  };
  struct HashRecord {
    size_t operator()(const GuardRecord& record) const;
  };

  Rights wanted_rights(const Page& page) const;
  void apply_rights(const PageSpan& span);
  void set_rights(const PageSpan& span, Rights rights);
  bool tell_rights(const PageSpan& span, Rights rights);
  bool have_same_rights(const PageSpan& span) const;
  const GuardRecord* oldest_guard(size_t page, bool is_write) const;
  void open_guard(const GuardRecord& guard);
  uintptr_t address_of(size_t page) const;

  uintptr_t address_;
  uintptr_t storage_;
  uint64_t size_;
  size_t page_count_;
  bool is_retired_ = false;
  uint64_t last_number_ = 0;
  std::unique_ptr<Page[]> pages_;
  TableShelf shelf_;
  std::unordered_multiset<GuardRecord, HashRecord> guards_;
};

}  // namespace ferry::layers::check
