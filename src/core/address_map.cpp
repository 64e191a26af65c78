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
  // The next record on this one's first page, and on its last page if that is another.
  std::atomic<Record*> next_on_first_page{nullptr};
  std::atomic<Record*> next_on_last_page{nullptr};

  std::atomic<Record*>& next_on(uint64_t page) {
    return page == page_of(load(start)) ? next_on_first_page : next_on_last_page;
  }
  bool holds(uint64_t address) const { return address >= load(start) && address < load(end); }
};

struct AddressMap::Node {
  std::array<Entry, kEntries> entries{};
};

AddressMap::AddressMap() : root_(std::make_unique<Node>()) {}
AddressMap::~AddressMap() = default;

bool AddressMap::insert(const ferryx_memory& memory) {
  const uint64_t start = to_number(memory.address);
  const uint64_t end = start + memory.size;
  if (memory.size == 0 || end < start || end > kAddressEnd) return false;
  const std::lock_guard lock(mutex_);
  if (overlaps_locked(start, end)) return false;
  Record* record = take_record(memory);
  // Everything that may throw comes before the version turns odd: readers wait until it is even
  // again.
  change_node(*root_, 0, 0, *record, Change::kPrepare);
  by_start_.emplace(start, record);
  change_tree(*record, Change::kAdd);
  return true;
}

bool AddressMap::remove(const void* address) {
  const std::lock_guard lock(mutex_);
  const auto found = by_start_.find(to_number(address));
  if (found == by_start_.end()) return false;
  Record* record = found->second;
  free_records_.push_back(record);
  by_start_.erase(found);
  change_tree(*record, Change::kRemove);
  return true;
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
    if (record != nullptr) {
      const uint64_t start = load(record->start);
      found = {.address = reinterpret_cast<void*>(start),
               .size = load(record->end) - start,
               .storage = load(record->storage),
               .kind = load(record->kind),
               .device = load(record->device)};
    }
    if (version_.load(std::memory_order_relaxed) == before) return record != nullptr;
  }
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

AddressMap::Record* AddressMap::take_record(const ferryx_memory& memory) {
  if (free_records_.empty()) {
    free_records_.reserve(records_.size() + 1);  // so that remove() never allocates
    records_.push_back(std::make_unique<Record>());
    free_records_.push_back(records_.back().get());
  }
  Record* record = free_records_.back();
  free_records_.pop_back();
  const uint64_t start = to_number(memory.address);
  store(record->start, start);
  store(record->end, start + memory.size);
  store(record->storage, memory.storage);
  store(record->kind, memory.kind);
  store(record->device, memory.device);
  store<Record*>(record->next_on_first_page, nullptr);
  store<Record*>(record->next_on_last_page, nullptr);
  return record;
}

void AddressMap::change_tree(Record& record, Change change) {
  version_.fetch_add(1, std::memory_order_relaxed);
  change_node(*root_, 0, 0, record, change);
  version_.fetch_add(1, std::memory_order_release);
}

void AddressMap::change_node(Node& node, unsigned level, uint64_t node_start, Record& record,
                             Change change) {
  const uint64_t span = uint64_t{1} << shift_of(level);
  const uint64_t start = load(record.start);
  const uint64_t end = load(record.end);
  const size_t first = start <= node_start ? 0 : (start - node_start) / span;
  for (size_t i = first; i < kEntries && node_start + i * span < end; ++i) {
    const uint64_t entry_start = node_start + i * span;
    const bool covered = start <= entry_start && end - entry_start >= span;
    Entry& entry = node.entries[i];
    const bool is_node = (load(entry) & kNodeTag) != 0;
    if (covered && !is_node) {
      set_whole(entry, record, change);
    } else if (level == kLevels - 1) {
      change_shared_page(entry, page_of(entry_start), record, change);
    } else {
      change_node(child_of(entry), level + 1, entry_start, record, change);
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

}  // namespace ferry
