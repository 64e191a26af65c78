// SPDX-License-Identifier: Apache-2.0
// Maps an address to its live range of memory, at a cost independent of the number of ranges: a
// radix tree over the bits of the address, like a page table. Lookups take no lock.
#pragma once

#include "ferry/backend.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry {

// May be shared between threads. Lives as long as the process: nodes and records are reused, never
// freed, so that a reader that races with a writer reads stale words, not unmapped memory.
//
// Lock-free invariant: version_ is odd while a writer changes the tree. A reader that saw the same
// even version before and after its walk saw one consistent state; otherwise it walks again.
class AddressMap {
 public:
  AddressMap();
  ~AddressMap();
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;

  // False when the range is empty, wraps, or overlaps a live one.
  bool insert(const ferryx_memory& memory);

  // Removes the range that starts at `address`. False when there is none.
  bool remove(const void* address);

  // The range that holds `address`. False when none does.
  bool find(const void* address, ferryx_memory& found) const;

  // Whether any live range shares a byte with [address, address + size).
  bool overlaps(const void* address, uint64_t size) const;

  // Changes with every insert and remove; a lookup result stays valid while the epoch is the same.
  uint64_t epoch() const { return version_.load(std::memory_order_acquire); }

 private:
  struct Record;
  struct Node;
  using Entry = std::atomic<uintptr_t>;

  enum class Change { kPrepare, kAdd, kRemove };
  void change_tree(Record& record, Change change);
  void change_node(Node& node, unsigned level, uint64_t node_start, Record& record, Change change);
  static void set_whole(Entry& entry, Record& record, Change change);
  static void change_shared_page(Entry& entry, uint64_t page, Record& record, Change change);
  Node& child_of(Entry& entry);
  const Record* find_record(uint64_t address) const;
  bool overlaps_locked(uint64_t start, uint64_t end) const;
  Record* take_record(const ferryx_memory& memory);

  std::atomic<uint64_t> version_{0};
  std::unique_ptr<Node> root_;

  mutable std::mutex mutex_;  // serialises writers, and protects what follows
  std::map<uint64_t, Record*> by_start_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Record>> records_;
  std::vector<Record*> free_records_;
};

}  // namespace ferry
