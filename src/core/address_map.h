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
// A run is one record, however many parts it has. Adding or removing a part changes the entries of
// that part, and where two runs meet or one breaks, those of the smaller one.
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

  // Removes the range that starts at `address`. False when there is none, or it is a run.
  bool remove(const void* address);

  // Adds a part of a run. Parts of the same group, which is not 0, that touch each other are found
  // as one range if their storage is contiguous, too. Parts consist of whole pages. False as for
  // insert.
  bool join(const ferryx_memory& memory, uint64_t group);

  // Takes exactly a part that was joined out of its run. False when there is no such run.
  bool cut(const void* address, uint64_t size);

  // The range that holds `address`. False when none does.
  bool find(const void* address, ferryx_memory& found) const;

  // Whether any live range shares a byte with [address, address + size).
  bool overlaps(const void* address, uint64_t size) const;

  // All live ranges, by address.
  std::vector<ferryx_memory> all() const;

  // Changes with every insert and remove; a lookup result stays valid while the epoch is the same.
  uint64_t epoch() const { return version_.load(std::memory_order_acquire); }

 private:
  struct Record;
  struct Node;
  using Entry = std::atomic<uintptr_t>;

  enum class Change { kPrepare, kAdd, kRemove };
  struct Span {
    uint64_t start = 0;
    uint64_t end = 0;
  };
  // Readers wait while one lives.
  class Writing;
  void change_node(Node& node, unsigned level, uint64_t node_start, Span span, Record& record,
                   Change change);
  void change_span(Span span, Record& record, Change change);
  static void set_whole(Entry& entry, Record& record, Change change);
  static void change_shared_page(Entry& entry, uint64_t page, Record& record, Change change);
  Node& child_of(Entry& entry);
  const Record* find_record(uint64_t address) const;
  static Span span_of(const ferryx_memory& memory);
  bool overlaps_locked(uint64_t start, uint64_t end) const;
  bool is_free_locked(Span span) const;
  // The last free record, filled in. It stays free until it is removed from the list.
  Record* next_record(const ferryx_memory& memory, uint64_t group);
  void insert_record(Record& record);
  void remove_record(Record& record);
  // The run that ends where the part starts, and the one that starts where it ends.
  Record* run_before(const ferryx_memory& part, uint64_t group) const;
  Record* run_behind(const ferryx_memory& part, uint64_t group) const;
  Record* run_around(Span part) const;
  void merge(Record& before, Record& behind);
  void split(Record& run, Span part);
  void shorten(Record& run, Span part);
  void move_start(Record& run, uint64_t start);
  static void set_start(Record& run, uint64_t start);

  std::atomic<uint64_t> version_{0};
  std::unique_ptr<Node> root_;

  mutable std::mutex mutex_;  // serialises writers, and protects what follows
  std::map<uint64_t, Record*> by_start_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Record>> records_;
  std::vector<Record*> free_records_;
};

}  // namespace ferry
