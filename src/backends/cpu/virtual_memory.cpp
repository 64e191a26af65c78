// SPDX-License-Identifier: Apache-2.0
// Address space comes from the kernel, storage from one large span.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // mremap, MAP_FIXED_NOREPLACE
#endif

#include "backends/cpu/virtual_memory.h"

#include "backends/cpu/address_space.h"
#include "backends/cpu/fault_handler.h"
#include "backends/cpu/mappings.h"
#include "backends/cpu/memory_use.h"
#include "backends/cpu/physical_sharing.h"
#include "backends/cpu/services.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <mutex>

namespace ferry::cpu {
namespace {

constexpr uint64_t kLargestSpan = uint64_t{16} << 40;
constexpr int kNoMemoryBehind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// Storage of everything that is or will be mapped. May be shared between threads; never destroyed.
class StorageSpan {
 public:
  // 0 when there is no room.
  uintptr_t take(uint64_t size) {
    const std::lock_guard lock(mutex_);
    if (space_.size() == 0) reserve();
    return space_.take(size, kHugePage);
  }
  void give_back(uintptr_t storage) {
    const std::lock_guard lock(mutex_);
    space_.give_back(storage);
  }
  bool contains(const void* storage) const {
    const uintptr_t start = start_.load(std::memory_order_acquire);
    return reinterpret_cast<uintptr_t>(storage) - start < size_.load(std::memory_order_relaxed);
  }
  bool is_used() const { return size_.load(std::memory_order_relaxed) != 0; }

 private:
  void reserve() {
    Reservation span(std::min(kLargestSpan, address_limit() / 16), kHugePage);
    if (span.size() == 0) return;
    space_ = AddressSpace(span.start(), span.size());
    own_spans.add(span.start(), span.size());
    size_.store(span.size(), std::memory_order_relaxed);
    start_.store(span.start(), std::memory_order_release);
    span.keep();
  }

  std::mutex mutex_;  // protects space_
  AddressSpace space_;
  // Set once, the start last: until then nothing is contained.
  std::atomic<uintptr_t> start_{UINTPTR_MAX};
  std::atomic<uint64_t> size_{0};
};

StorageSpan& storage_span() {
  static auto* span = new StorageSpan;
  return *span;
}

void* address_at(const void* base, uint64_t offset) {
  return static_cast<char*>(const_cast<void*>(base)) + offset;
}

int fail_reserving(uint64_t size, const void* wanted) {
  if (wanted == nullptr) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the process has no room for %" PRIu64 " bytes of addresses (see ulimit -v)", size);
  }
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              "%" PRIu64 " bytes of addresses at %p are not free in this process", size, wanted);
}

int fail_mapping(const char* what, uint64_t size) {
  if (errno == ENOMEM) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "%s %" PRIu64
                " bytes needs one mapping more than the system allows: raise the sysctl "
                "vm.max_map_count (it is %" PRIu64 "), or the limit of ulimit -v",
                what, size, read_limit("/proc/sys/vm/max_map_count"));
  }
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s %" PRIu64 " bytes failed: %s", what, size,
              std::strerror(errno));
}

// `size` bytes of addresses at a multiple of `alignment`; nullptr when there are none.
void* reserve_aligned(uint64_t size, uint64_t alignment) {
  if (size > UINT64_MAX - alignment) return nullptr;
  void* const range = mmap(nullptr, size + alignment, PROT_NONE, kNoMemoryBehind, -1, 0);
  if (range == MAP_FAILED) return nullptr;
  const auto first = reinterpret_cast<uintptr_t>(range);
  const uintptr_t start = (first + alignment - 1) & ~(alignment - 1);
  if (start > first) munmap(range, start - first);
  const uint64_t behind = first + alignment - start;
  if (behind > 0) munmap(reinterpret_cast<void*>(start + size), behind);
  return reinterpret_cast<void*>(start);
}

void* reserve_exactly(void* wanted, uint64_t size) {
  void* const range = mmap(wanted, size, PROT_NONE, kNoMemoryBehind | MAP_FIXED_NOREPLACE, -1, 0);
  if (range == wanted) return range;
  if (range != MAP_FAILED) munmap(range, size);  // an old kernel, which took it for a hint
  return nullptr;
}

// Maps over reserved addresses. They are split first, because the kernel counts when it splits, but
// not exactly when it maps: one mapping too many, and nothing could be unmapped any more.
bool map_over(void* start, uint64_t size, int file, uint64_t offset) {
  if (mprotect(start, size, PROT_READ) == 0 &&
      mmap(start, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
           static_cast<off_t>(offset)) != MAP_FAILED) {
    return true;
  }
  const int reason = errno;
  mprotect(start, size, PROT_NONE);
  errno = reason;
  return false;
}

bool take_mapping_away(void* start, uint64_t size) {
  return mmap(start, size, PROT_NONE, kNoMemoryBehind | MAP_FIXED, -1, 0) != MAP_FAILED;
}

}  // namespace

bool is_mapped_storage(const void* storage) {
  return storage_span().contains(storage);
}

bool has_mapped_storage() {
  return storage_span().is_used();
}

int reserve_addresses(uint64_t size, uint64_t alignment, void* wanted, ferryx_memory& range) {
  void* const start =
      wanted != nullptr ? reserve_exactly(wanted, size) : reserve_aligned(size, alignment);
  if (start == nullptr) return fail_reserving(size, wanted);
  uintptr_t storage = 0;
  try {
    storage = storage_span().take(size);
  } catch (...) {
    munmap(start, size);
    throw;
  }
  range = {.address = start,
           .size = size,
           .storage = reinterpret_cast<void*>(storage),
           .kind = FERRYX_MEMORY_PAGEABLE,
           .device = 0};
  watch_mapped_memory();
  return ACL_SUCCESS;
}

void release_addresses(const ferryx_memory& range) {
  munmap(range.address, range.size);
  if (range.storage != nullptr) {
    storage_span().give_back(reinterpret_cast<uintptr_t>(range.storage));
  }
}

int map_physical(ferryx_physical& physical, const ferryx_memory& range, uint64_t offset,
                 uint64_t size, ferryx_memory& mapped) {
  if (!physical.is_host && range.storage == nullptr) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the process has no addresses left for the storage of %" PRIu64
                " reserved bytes (see ulimit -v)",
                range.size);
  }
  void* const storage = address_at(physical.is_host ? range.address : range.storage, offset);
  Mappings& mappings = Mappings::instance();
  const std::lock_guard lock(mappings.mutex);
  const auto place =
      mappings.by_storage.emplace(storage, Mapping{.physical = &physical, .size = size}).first;
  if (!map_over(storage, size, physical.file, physical.offset)) {
    mappings.by_storage.erase(place);
    return fail_mapping("mapping", size);
  }
  mapped = {
      .address = address_at(range.address, offset),
      .size = size,
      .storage = storage,
      .kind = static_cast<uint32_t>(physical.is_host ? FERRYX_MEMORY_PINNED : FERRYX_MEMORY_DEVICE),
      .device = 0};
  return ACL_SUCCESS;
}

int unmap_physical(const ferryx_memory& mapped) {
  Mappings& mappings = Mappings::instance();
  const std::lock_guard lock(mappings.mutex);
  const StorageChange change;
  if (!take_mapping_away(mapped.storage, mapped.size))
    return fail_mapping("unmapping", mapped.size);
  mappings.by_storage.erase(mapped.storage);
  if (mapped.storage != mapped.address) take_mapping_away(mapped.address, mapped.size);
  return ACL_SUCCESS;
}

// The same pages a second time, at the program's address.
int open_to_host(const ferryx_memory& mapped) {
  if (mapped.storage == mapped.address) return ACL_SUCCESS;
  Mappings& mappings = Mappings::instance();
  const std::lock_guard lock(mappings.mutex);
  const auto place = mappings.by_storage.find(mapped.storage);
  if (place != mappings.by_storage.end()) {
    const int error = prepare_for_host(mappings, place->second);
    if (error != ACL_SUCCESS) return error;
  }
  void* const seen =
      mremap(mapped.storage, 0, mapped.size, MREMAP_MAYMOVE | MREMAP_FIXED, mapped.address);
  return seen == MAP_FAILED ? fail_mapping("mapping", mapped.size) : ACL_SUCCESS;
}

}  // namespace ferry::cpu
