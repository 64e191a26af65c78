// SPDX-License-Identifier: Apache-2.0
// A device of the checker's front. Fresh memory is filled with a pattern and freed memory is
// quarantined, so that reads that come too early or too late can be told from data.
#pragma once

#include "layers/front/front.h"

#include "ferry/backend.h"

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <set>

namespace ferry::layers::check {

// May be shared between threads.
class CheckedDevice : public Wrapped<ferryx_device> {
 public:
  CheckedDevice(const ferryx_backend* backend, ferryx_device* device, uint32_t of_runtime)
      : Wrapped(backend, device), number(of_runtime) {}

  int allocate(uint64_t size, uint32_t policy, ferryx_memory& out);
  void free(const ferryx_memory& memory);
  // A pool keeps memory that the program has freed, and gives it out again.
  void rest(const ferryx_memory& memory);
  void reuse(const ferryx_memory& memory);
  int allocate_host(uint64_t size, ferryx_memory& out);
  int allocate_managed(uint64_t size, ferryx_memory& out);
  // Of both.
  void free_host(const ferryx_memory& memory);
  int register_host(void* address, uint64_t size, ferryx_memory* mapped);
  void unregister_host(void* address, uint64_t size, const ferryx_memory* mapped);
  int map(ferryx_physical* physical, const ferryx_memory& range, uint64_t offset, uint64_t size,
          ferryx_memory& mapped);
  int unmap(const ferryx_memory& mapped);
  // Memory that other processes may write to from now on.
  int export_memory(const ferryx_memory& memory, ferryx_shared& shared);
  int export_physical(ferryx_physical* physical, ferryx_shared& shared);
  int import_physical(const ferryx_shared& shared, ferryx_physical** physical);
  void release_physical(ferryx_physical* physical);

  // Returns all quarantined memory to the backend.
  void empty_quarantine();

  const uint32_t number;  // of the device in the runtime

 private:
  void note_fresh(const ferryx_memory& memory);
  using Allocate = int (*)(ferryx_device* device, uint64_t size, ferryx_memory* memory);
  int allocate_touchable(Allocate slot, uint64_t size, ferryx_memory& out);
  void fill_with_pattern(const ferryx_memory& memory) const;
  // Lists are moved, not copied: freeing must not need memory.
  using Quarantine = std::list<ferryx_memory>;

  void keep_for_a_while(const ferryx_memory& memory);
  void give_back_all(Quarantine& overdue);
  // False when it must be kept.
  bool give_back(const ferryx_memory& memory);
  void note_reusable(const ferryx_memory& memory);
  bool is_exported(const ferryx_memory& memory);

  std::mutex mutex_;       // guards the members below
  Quarantine quarantine_;  // freed memory, oldest first
  uint64_t quarantined_bytes_ = 0;
  // What other processes may write to, and where physical memory is mapped.
  struct Mapping {
    ferryx_physical* physical = nullptr;
    ferryx_memory memory{};
  };
  std::map<const char*, uint64_t> exported_;  // allocations: first byte and size
  std::set<ferryx_physical*> shared_;
  std::map<const void*, Mapping> mappings_;  // by address
};

}  // namespace ferry::layers::check
