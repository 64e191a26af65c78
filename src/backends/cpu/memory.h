// SPDX-License-Identifier: Apache-2.0
// The memory of CPU devices. Device memory has two addresses. The one programs get lies in a span
// without access rights, so that the host cannot touch it; the storage lies at a constant distance.
// Pinned and managed memory is ordinary memory from its own span. Registered host memory gets a
// device address from a third span.
#pragma once

#include "backends/cpu/address_space.h"
#include "backends/cpu/memory_file.h"
#include "backends/cpu/span_set.h"
#include "sharing/ledger.h"

#include "ferry/backend.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace ferry::cpu {

// Bytes of memory this process may use: the machine's, or the container's if that is less.
uint64_t usable_memory();

// Where device, pinned and managed memory is.
extern SpanSet own_spans;

// Whether the backend has mapped this storage itself: device, pinned and managed memory. Such
// memory stays accessible until the process ends; all other memory is the program's and may fault.
inline bool is_own_memory(const void* storage) {
  return own_spans.contains(storage);
}

// The first number in a file of the kernel; "max" and missing files count as no limit.
uint64_t read_limit(const char* path);

// Spans that all devices share, reserved by open(). May be shared between threads.
class HostSpans {
 public:
  // False when no addresses are available.
  bool reserve();

  int allocate_pinned(uint64_t size, ferryx_memory& out);
  void free_pinned(const ferryx_memory& memory);  // addresses: see running_functions.h
  // For physical memory of the host: 0 or 207001.
  int take_pinned_bytes(uint64_t size);
  void give_pinned_bytes_back(uint64_t size);

  // Not counted: it takes no memory before it is touched.
  int allocate_managed(uint64_t size, ferryx_memory& out);
  void free_managed(const ferryx_memory& memory);

  int map_registered(void* address, uint64_t size, ferryx_memory& out);
  void unmap_registered(const ferryx_memory& mapped);

 private:
  int check_room(uint64_t size) const;
  // Gives the memory back, now or when the running functions have ended.
  void release_later(const ferryx_memory& memory);
  void release(const ferryx_memory& memory);

  std::mutex mutex_;     // protects what follows
  AddressSpace pinned_;  // and managed
  AddressSpace mapped_;
  uint64_t pinned_bytes_ = 0;
};

// Shared by all devices of the backend; never destroyed.
HostSpans& host_spans();

// The memory of one device. May be shared between threads.
class DeviceMemory {
 public:
  // False when no addresses are available.
  bool reserve(uint64_t capacity, uint64_t span);
  // From now on the capacity is that of a device of the ledger, unless it is nullptr. Before the
  // device is used.
  void share_capacity(std::shared_ptr<sharing::Ledger> ledger, uint32_t device) {
    ledger_ = std::move(ledger);
    device_ = device;
  }

  int allocate(uint64_t size, uint32_t policy, ferryx_memory& out);
  void free(const ferryx_memory& memory);  // addresses: see running_functions.h
  // Lets other processes map all of an allocation. It moves into a file of its own the first time:
  // 207001 without a file, 507899 while it cannot move. Address and contents stay.
  int share(const ferryx_memory& memory, ferryx_shared& shared);
  // For physical memory: 0 or 207001.
  int take_bytes(uint64_t size);
  void give_bytes_back(uint64_t size);
  void measure(uint64_t& free_bytes, uint64_t& total_bytes);

  uintptr_t window_start() const { return window_.start(); }
  uint64_t window_size() const { return window_.size(); }

 private:
  // An allocation that has moved into a file.
  struct Moved {
    MemoryFile file;
    uint64_t size = 0;     // in whole pages
    bool is_huge = false;  // its pages were made huge
  };
  using AllMoved = std::map<const void*, Moved>;  // by storage

  // Under the lock. `size` is what the program asked for, `counted` what it takes.
  int take_locked(uint64_t size, uint64_t counted);
  void give_back_locked(uint64_t counted);
  int place(uint64_t size, uint32_t policy, ferryx_memory& out);
  int fail_full(uint64_t size);
  uint64_t free_bytes() const;
  void release(const ferryx_memory& memory);
  static int move(const ferryx_memory& memory, Moved& moved);
  // Its pages belong to no file any more. False when the system refuses.
  static bool move_back(const AllMoved::node_type& moved);
  // Tries again what the system has refused. Under the lock.
  void move_back_refused();

  std::mutex sharing_;  // one allocation moves at a time; taken before mutex_
  std::mutex mutex_;    // protects window_, used_, moved_ and freed_in_file_
  AddressSpace window_;
  uintptr_t storage_start_ = 0;
  uint64_t capacity_ = 0;
  uint64_t used_ = 0;  // by this process
  std::shared_ptr<sharing::Ledger> ledger_;
  uint32_t device_ = 0;  // in the ledger
  AllMoved moved_;
  // Freed, but not moved back: the system had no mapping for it. Their addresses are not given out,
  // since other processes may see what is written there.
  AllMoved freed_in_file_;
};

}  // namespace ferry::cpu
