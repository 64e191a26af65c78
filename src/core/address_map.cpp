// SPDX-License-Identifier: Apache-2.0
// The radix tree has four levels of 512 entries; the last level maps pages of 4 KiB. A range that
// covers everything an entry stands for is stored in that entry, so a gigabyte needs few entries.
// Ranges that share a page are chained through their records.
#include "core/address_map.h"

#include <thread>

namespace ferry {
namespace {

constexpr unsigned kLevels = 4;
constexpr unsigned kBitsPerLevel = 9;
constexpr unsigned kPageBits = 12;
constexpr size_t kEntries = size_t{1} << kBitsPerLevel;
constexpr uint64_t kAddressEnd = uint64_t{1} << (kPageBits + kLevels * kBitsPerLevel);
constexpr uintptr_t kNodeTag = 1;

constexpr unsigned shift_of(unsigned level) {
  return kPageBits + kBitsPerLevel * (kLevels - 1 - level);
}

constexpr uint64_t page_of(uint64_t address) {
  return address >> kPageBits;
}

uint64_t to_number(const void* address) {
  return reinterpret_cast<uint64_t>(address);
}

// Acquire and release on every word keep the reads of a walk between its two reads of the version,
// and the writes of a change between its two writes of it, without fences (which ThreadSanitizer
// does not support).
template <class T>
T load(const std::atomic<T>& word) {
  return word.load(std::memory_order_acquire);
}

template <class T>
void store(std::atomic<T>& word, T value) {
  word.store(value, std::memory_order_release);
}

}  // namespace

// All words are atomic because a reader may see a record that is being reused; the version then
// makes it read again.
struct AddressMap::Record {
  std::atomic<uint64_t> start{0};
  std::atomic<uint64_t> end{0};
  std::atomic<void*> storage{nullptr};
  std::atomic<uint32_t> kind{0};
  std::atomic<uint32_t> device{0};
  uint64_t group = 0;  // of a run; only writers use it
  // The next record on this one's first page, and on its last page if that is another.
  std::atomic<Record*> next_on_first_page{nullptr};
  std::atomic<Record*> next_on_last_page{nullptr};

  std::atomic<Record*>& next_on(uint64_t page) {
    return page == page_of(load(start)) ? next_on_first_page : next_on_last_page;
  }
  Span span() const { return {.start = load(start), .end = load(end)}; }
  bool holds(uint64_t address) const { return address >= load(start) && address < load(end); }
};

struct AddressMap::Node {
  std::array<Entry, kEntries> entries{};
};

namespace {

// Memory without storage has none anywhere.
void* storage_at(void* storage, ptrdiff_t offset) {
  return storage == nullptr ? nullptr : static_cast<char*>(storage) + offset;
}

// A part or the whole of a range, and where its storage is.
template <class Record, class Span>
ferryx_memory memory_of(const Record& record, Span span) {
  const auto offset = static_cast<ptrdiff_t>(span.start - load(record.start));
  return {.address = reinterpret_cast<void*>(span.start),
          .size = span.end - span.start,
          .storage = storage_at(load(record.storage), offset),
          .kind = load(record.kind),
          .device = load(record.device)};
}

// Whether the second range continues the first one: in storage, too, unless it is memory of another
// host, which has none.
bool is_continued(const ferryx_memory& first, const ferryx_memory& second) {
  if (first.kind != second.kind || first.device != second.device) return false;
  if (first.kind == FERRYX_MEMORY_REMOTE) return true;
  return first.storage != nullptr &&
         static_cast<char*>(first.storage) + first.size == second.storage;
}

}  // namespace

AddressMap::Span AddressMap::span_of(const ferryx_memory& memory) {
  const uint64_t start = to_number(memory.address);
  return {.start = start, .end = start + memory.size};
}

AddressMap::AddressMap() : root_(std::make_unique<Node>()) {}
AddressMap::~AddressMap() = default;

class AddressMap::Writing {
 public:
  explicit Writing(AddressMap& map) : version_(map.version_) {
    version_.fetch_add(1, std::memory_order_relaxed);
  }
  ~Writing() { version_.fetch_add(1, std::memory_order_release); }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

 private:
  std::atomic<uint64_t>& version_;
};

bool AddressMap::insert(const ferryx_memory& memory) {
  const std::lock_guard lock(mutex_);
  if (!is_free_locked(span_of(memory))) return false;
  insert_record(*next_record(memory, 0));
  return true;
}

bool AddressMap::is_free_locked(Span span) const {
  const bool is_possible = span.start < span.end && span.end <= kAddressEnd;
  return is_possible && !overlaps_locked(span.start, span.end);
}

void AddressMap::insert_record(Record& record) {
  const Span span = record.span();
  // Everything that may throw comes before the version turns odd: readers wait until it is even
  // again.
  change_span(span, record, Change::kPrepare);
  by_start_.emplace(span.start, &record);
  free_records_.pop_back();
  const Writing writing(*this);
  change_span(span, record, Change::kAdd);
}

bool AddressMap::remove(const void* address) {
  const std::lock_guard lock(mutex_);
  const auto found = by_start_.find(to_number(address));
  if (found == by_start_.end() || found->second->group != 0) return false;
  remove_record(*found->second);
  return true;
}

void AddressMap::remove_record(Record& record) {
  by_start_.erase(load(record.start));
  free_records_.push_back(&record);
  const Writing writing(*this);
  change_span(record.span(), record, Change::kRemove);
}

bool AddressMap::find(const void* address, ferryx_memory& found) const {
  const uint64_t wanted = to_number(address);
  if (wanted >= kAddressEnd) return false;
  for (;;) {
    const uint64_t before = version_.load(std::memory_order_acquire);
    if (before % 2 != 0) {
      std::this_thread::yield();
      continue;
    }
    const Record* record = find_record(wanted);
    if (record != nullptr) found = memory_of(*record, record->span());
    if (version_.load(std::memory_order_relaxed) == before) return record != nullptr;
  }
}

std::vector<ferryx_memory> AddressMap::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<ferryx_memory> found;
  found.reserve(by_start_.size());
  for (const auto& [start, record] : by_start_) {
    found.push_back({.address = reinterpret_cast<void*>(start),
                     .size = load(record->end) - start,
                     .storage = load(record->storage),
                     .kind = load(record->kind),
                     .device = load(record->device)});
  }
  return found;
}

bool AddressMap::overlaps(const void* address, uint64_t size) const {
  const uint64_t start = to_number(address);
  const uint64_t end = start + size < start ? UINT64_MAX : start + size;
  const std::lock_guard lock(mutex_);
  return overlaps_locked(start, end);
}

bool AddressMap::overlaps_locked(uint64_t start, uint64_t end) const {
  const auto next = by_start_.lower_bound(start);
  if (next != by_start_.end() && next->first < end) return true;
  return next != by_start_.begin() && load(std::prev(next)->second->end) > start;
}

const AddressMap::Record* AddressMap::find_record(uint64_t address) const {
  const Node* node = root_.get();
  for (unsigned level = 0; level < kLevels; ++level) {
    const uintptr_t entry = load(node->entries[address >> shift_of(level) & (kEntries - 1)]);
    if (entry == 0) return nullptr;
    if ((entry & kNodeTag) == 0) {
      auto* record = reinterpret_cast<Record*>(entry);
      while (record != nullptr && !record->holds(address)) {
        record = load(record->next_on(page_of(address)));
      }
      return record;
    }
    node = reinterpret_cast<const Node*>(entry & ~kNodeTag);
  }
  return nullptr;
}

AddressMap::Record* AddressMap::next_record(const ferryx_memory& memory, uint64_t group) {
  if (free_records_.empty()) {
    auto record = std::make_unique<Record>();
    if (records_.size() == records_.capacity()) {
      const size_t room = std::max(size_t{64}, 2 * records_.size());
      free_records_.reserve(room);  // so that remove() never allocates
      records_.reserve(room);
    }
    records_.push_back(std::move(record));
    free_records_.push_back(records_.back().get());
  }
  Record* record = free_records_.back();
  const uint64_t start = to_number(memory.address);
  store(record->start, start);
  store(record->end, start + memory.size);
  store(record->storage, memory.storage);
  store(record->kind, memory.kind);
  store(record->device, memory.device);
  record->group = group;
  store<Record*>(record->next_on_first_page, nullptr);
  store<Record*>(record->next_on_last_page, nullptr);
  return record;
}

void AddressMap::change_span(Span span, Record& record, Change change) {
  change_node(*root_, 0, 0, span, record, change);
}

void AddressMap::change_node(Node& node, unsigned level, uint64_t node_start, Span span,
                             Record& record, Change change) {
  const uint64_t entry_span = uint64_t{1} << shift_of(level);
  const size_t first = span.start <= node_start ? 0 : (span.start - node_start) / entry_span;
  for (size_t i = first; i < kEntries && node_start + i * entry_span < span.end; ++i) {
    const uint64_t entry_start = node_start + i * entry_span;
    const bool covered = span.start <= entry_start && span.end - entry_start >= entry_span;
    Entry& entry = node.entries[i];
    const bool is_node = (load(entry) & kNodeTag) != 0;
    if (covered && !is_node) {
      set_whole(entry, record, change);
    } else if (level == kLevels - 1) {
      change_shared_page(entry, page_of(entry_start), record, change);
    } else {
      change_node(child_of(entry), level + 1, entry_start, span, record, change);
    }
  }
}

void AddressMap::set_whole(Entry& entry, Record& record, Change change) {
  if (change == Change::kPrepare) return;
  store(entry, change == Change::kAdd ? reinterpret_cast<uintptr_t>(&record) : uintptr_t{0});
}

void AddressMap::change_shared_page(Entry& entry, uint64_t page, Record& record, Change change) {
  if (change == Change::kPrepare) return;
  auto* head = reinterpret_cast<Record*>(load(entry));
  if (change == Change::kAdd) {
    store(record.next_on(page), head);
    store(entry, reinterpret_cast<uintptr_t>(&record));
    return;
  }
  Record* after = load(record.next_on(page));
  if (head == &record) {
    store(entry, reinterpret_cast<uintptr_t>(after));
    return;
  }
  while (load(head->next_on(page)) != &record)
    head = load(head->next_on(page));
  store(head->next_on(page), after);
}

AddressMap::Node& AddressMap::child_of(Entry& entry) {
  const uintptr_t present = load(entry);
  if (present != 0) return *reinterpret_cast<Node*>(present & ~kNodeTag);
  nodes_.push_back(std::make_unique<Node>());
  Node* child = nodes_.back().get();
  store(entry, reinterpret_cast<uintptr_t>(child) | kNodeTag);
  return *child;
}

// ---- runs ----

bool AddressMap::join(const ferryx_memory& memory, uint64_t group) {
  const Span part = span_of(memory);
  const std::lock_guard lock(mutex_);
  if (!is_free_locked(part)) return false;
  Record* const before = run_before(memory, group);
  Record* const behind = run_behind(memory, group);
  Record* const run = before != nullptr ? before : behind;
  if (run == nullptr) {
    insert_record(*next_record(memory, group));
    return true;
  }
  change_span(part, *run, Change::kPrepare);  // may throw
  const Writing writing(*this);
  change_span(part, *run, Change::kAdd);
  if (before != nullptr) {
    store(before->end, part.end);
  } else {
    move_start(*behind, part.start);
  }
  if (before != nullptr && behind != nullptr) merge(*before, *behind);
  return true;
}

bool AddressMap::cut(const void* address, uint64_t size) {
  const Span part{.start = to_number(address), .end = to_number(address) + size};
  const std::lock_guard lock(mutex_);
  Record* const run = run_around(part);
  if (run == nullptr) return false;
  const Span whole = run->span();
  if (part.start == whole.start && part.end == whole.end) {
    remove_record(*run);
  } else if (part.start == whole.start || part.end == whole.end) {
    shorten(*run, part);
  } else {
    split(*run, part);
  }
  return true;
}

AddressMap::Record* AddressMap::run_before(const ferryx_memory& part, uint64_t group) const {
  const uint64_t start = to_number(part.address);
  const auto behind = by_start_.lower_bound(start);
  if (behind == by_start_.begin()) return nullptr;
  Record& run = *std::prev(behind)->second;
  const ferryx_memory whole = memory_of(run, run.span());
  const bool touches = load(run.end) == start && is_continued(whole, part);
  return run.group == group && touches ? &run : nullptr;
}

AddressMap::Record* AddressMap::run_behind(const ferryx_memory& part, uint64_t group) const {
  const auto found = by_start_.find(to_number(part.address) + part.size);
  if (found == by_start_.end()) return nullptr;
  Record& run = *found->second;
  return run.group == group && is_continued(part, memory_of(run, run.span())) ? &run : nullptr;
}

AddressMap::Record* AddressMap::run_around(Span part) const {
  const auto behind = by_start_.upper_bound(part.start);
  if (behind == by_start_.begin()) return nullptr;
  Record& run = *std::prev(behind)->second;
  return run.group != 0 && part.start < part.end && part.end <= load(run.end) ? &run : nullptr;
}

// The smaller run becomes a part of the larger one, which touches it.
void AddressMap::merge(Record& before, Record& behind) {
  const Span first = before.span();
  const Span second = behind.span();
  const bool keeps_first = first.end - first.start >= second.end - second.start;
  Record& kept = keeps_first ? before : behind;
  Record& gone = keeps_first ? behind : before;
  by_start_.erase(load(gone.start));
  change_span(keeps_first ? second : first, kept, Change::kAdd);
  if (keeps_first) {
    store(before.end, second.end);
  } else {
    move_start(behind, first.start);
  }
  free_records_.push_back(&gone);
}

// Takes a part at one of the ends away.
void AddressMap::shorten(Record& run, Span part) {
  const Writing writing(*this);
  change_span(part, run, Change::kRemove);
  if (part.start == load(run.start)) {
    move_start(run, part.end);
  } else {
    store(run.end, part.start);
  }
}

// Takes a part out of the middle: the smaller rest becomes a run of its own.
void AddressMap::split(Record& run, Span part) {
  const Span left{.start = load(run.start), .end = part.start};
  const Span right{.start = part.end, .end = load(run.end)};
  const bool moves_left = left.end - left.start < right.end - right.start;
  const Span moved = moves_left ? left : right;
  Record& other = *next_record(memory_of(run, moved), run.group);  // may throw
  by_start_.emplace(right.start, moves_left ? &run : &other);      // may throw
  by_start_.find(left.start)->second = moves_left ? &other : &run;
  free_records_.pop_back();
  const Writing writing(*this);
  change_span(part, run, Change::kRemove);
  change_span(moved, other, Change::kAdd);
  if (moves_left) {
    set_start(run, right.start);
  } else {
    store(run.end, left.end);
  }
}

void AddressMap::move_start(Record& run, uint64_t start) {
  auto entry = by_start_.extract(load(run.start));
  entry.key() = start;
  by_start_.insert(std::move(entry));
  set_start(run, start);
}

void AddressMap::set_start(Record& run, uint64_t start) {
  const auto distance = static_cast<ptrdiff_t>(start - load(run.start));
  store<void*>(run.storage, storage_at(load(run.storage), distance));
  store(run.start, start);
}

}  // namespace ferry
