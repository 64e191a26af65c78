// SPDX-License-Identifier: Apache-2.0
// Storage becomes accessible when it is allocated and stays so forever. Freeing returns the pages
// to the system but keeps the mapping, so that work which still runs on freed memory reads zeros
// instead of crashing the process.
#include "backends/cpu/memory.h"

#include "backends/cpu/fault_handler.h"
#include "backends/cpu/services.h"

#include "acl/acl_rt.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <fstream>
#include <limits>
#include <string>

namespace ferry::cpu {
namespace {

constexpr uint64_t kHugePage = uint64_t{2} << 20;
constexpr uint64_t kDeviceGranule = 512;
constexpr uint64_t kLargestHostSpan = uint64_t{1} << 40;

uint64_t page_size() {
  static const auto size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

constexpr uint64_t round_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool make_accessible(uintptr_t address, uint64_t size) {
  const uintptr_t start = address & ~(page_size() - 1);
  const uintptr_t end = round_up(address + size, page_size());
  return mprotect(reinterpret_cast<void*>(start), end - start, PROT_READ | PROT_WRITE) == 0;
}

// Only pages that belong entirely to the range.
void give_pages_back(uintptr_t address, uint64_t size) {
  const uintptr_t start = round_up(address, page_size());
  const uintptr_t end = (address + size) & ~(page_size() - 1);
  if (start < end) madvise(reinterpret_cast<void*>(start), end - start, MADV_DONTNEED);
}

bool wants_huge_pages(uint64_t size, uint32_t policy) {
  const uint32_t pages = policy & 0xFF;
  const bool normal_only =
      pages == ACL_MEM_MALLOC_NORMAL_ONLY || pages == ACL_MEM_MALLOC_NORMAL_ONLY_P2P;
  return size >= kHugePage && !normal_only;
}

// The first number in a file of the kernel; "max" and missing files count as no limit.
uint64_t read_limit(const char* path) {
  std::ifstream file(path);
  uint64_t limit = 0;
  return file >> limit ? limit : std::numeric_limits<uint64_t>::max();
}

}  // namespace

uint64_t usable_memory() {
  static const uint64_t bytes = [] {
    const uint64_t physical = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_size();
    const uint64_t container = std::min(read_limit("/sys/fs/cgroup/memory.max"),
                                        read_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    return std::min(physical, container);
  }();
  return bytes;
}

HostSpans& host_spans() {
  static auto* spans = new HostSpans;
  return *spans;
}

bool HostSpans::reserve() {
  const uint64_t wanted = std::min(kLargestHostSpan, address_limit() / 8);
  const auto [pinned, pinned_size] = reserve_addresses(wanted, kHugePage);
  const auto [mapped, mapped_size] = reserve_addresses(wanted, kHugePage);
  if (pinned_size == 0 || mapped_size == 0) return false;
  pinned_ = AddressSpace(pinned, pinned_size);
  mapped_ = AddressSpace(mapped, mapped_size);
  watch_device_window(mapped, mapped_size);
  return true;
}

int HostSpans::allocate_pinned(uint64_t size, ferryx_memory& out) {
  // Whole pages, so that the memory can be registered and shares no page with another allocation.
  const uint64_t limit = usable_memory();
  const std::lock_guard lock(mutex_);
  if (size > limit || round_up(size, page_size()) > limit - std::min(pinned_bytes_, limit)) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "%" PRIu64 " bytes of pinned host memory were asked for, %" PRIu64 " of %" PRIu64
                " are left",
                size, limit - std::min(pinned_bytes_, limit), limit);
  }
  const uint64_t rounded = round_up(size, page_size());
  const bool huge = rounded >= kHugePage;
  const uintptr_t address = pinned_.take(rounded, huge ? kHugePage : page_size());
  if (address == 0 || !make_accessible(address, rounded)) {
    if (address != 0) pinned_.give_back(address, rounded);
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the system has no room for %" PRIu64 " bytes of pinned host memory", size);
  }
  if (huge) madvise(reinterpret_cast<void*>(address), rounded, MADV_HUGEPAGE);
  pinned_bytes_ += rounded;
  out = {.address = reinterpret_cast<void*>(address),
         .size = size,
         .storage = reinterpret_cast<void*>(address),
         .kind = FERRYX_MEMORY_PINNED,
         .device = 0};
  return ACL_SUCCESS;
}

void HostSpans::free_pinned(const ferryx_memory& memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory.address);
  const uint64_t rounded = round_up(memory.size, page_size());
  give_pages_back(address, rounded);
  const std::lock_guard lock(mutex_);
  pinned_.give_back(address, rounded);
  pinned_bytes_ -= rounded;
}

int HostSpans::map_registered(void* address, uint64_t size, ferryx_memory& out) {
  // The offset within a page is kept, as a memory management unit would.
  const uint64_t in_page = reinterpret_cast<uintptr_t>(address) % page_size();
  const std::lock_guard lock(mutex_);
  const uintptr_t window = mapped_.take(round_up(in_page + size, page_size()), page_size());
  if (window == 0) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "there are no device addresses left for %" PRIu64 " bytes of registered memory",
                size);
  }
  out = {.address = reinterpret_cast<void*>(window + in_page),
         .size = size,
         .storage = address,
         .kind = FERRYX_MEMORY_MAPPED,
         .device = 0};
  return ACL_SUCCESS;
}

void HostSpans::unmap_registered(const ferryx_memory& mapped) {
  const auto address = reinterpret_cast<uintptr_t>(mapped.address);
  const uint64_t in_page = address % page_size();
  const std::lock_guard lock(mutex_);
  mapped_.give_back(address - in_page, round_up(in_page + mapped.size, page_size()));
}

bool DeviceMemory::reserve(uint64_t capacity, uint64_t span) {
  const auto [window, window_size] = reserve_addresses(span, kHugePage);
  const auto [storage, storage_size] = reserve_addresses(window_size, window_size);
  if (window_size == 0 || storage_size == 0) return false;
  window_ = AddressSpace(window, window_size);
  storage_start_ = storage;
  capacity_ = std::min(capacity, window_size);
  return true;
}

int DeviceMemory::allocate(uint64_t size, uint32_t policy, ferryx_memory& out) {
  const std::lock_guard lock(mutex_);
  if (size > capacity_ || round_up(size, kDeviceGranule) > capacity_ - used_) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "%" PRIu64 " bytes of device memory were asked for, %" PRIu64 " of %" PRIu64
                " are free",
                size, capacity_ - used_, capacity_);
  }
  const bool huge = wants_huge_pages(size, policy);
  const uint64_t rounded = round_up(size, kDeviceGranule);
  const uintptr_t address = window_.take(rounded, huge ? kHugePage : kDeviceGranule);
  if (address == 0) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "no %" PRIu64 " contiguous bytes of device memory are free", size);
  }
  const uintptr_t storage = storage_start_ + (address - window_.start());
  if (!make_accessible(storage, rounded)) {
    window_.give_back(address, rounded);
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the system has no room for %" PRIu64 " bytes of device memory", size);
  }
  if (huge) madvise(reinterpret_cast<void*>(storage), rounded, MADV_HUGEPAGE);
  used_ += rounded;
  out = {.address = reinterpret_cast<void*>(address),
         .size = size,
         .storage = reinterpret_cast<void*>(storage),
         .kind = FERRYX_MEMORY_DEVICE,
         .device = 0};
  return ACL_SUCCESS;
}

void DeviceMemory::free(const ferryx_memory& memory) {
  const uint64_t rounded = round_up(memory.size, kDeviceGranule);
  give_pages_back(reinterpret_cast<uintptr_t>(memory.storage), rounded);
  const std::lock_guard lock(mutex_);
  window_.give_back(reinterpret_cast<uintptr_t>(memory.address), rounded);
  used_ -= rounded;
}

void DeviceMemory::measure(uint64_t& free_bytes, uint64_t& total_bytes) {
  const std::lock_guard lock(mutex_);
  free_bytes = capacity_ - used_;
  total_bytes = capacity_;
}

}  // namespace ferry::cpu
