// SPDX-License-Identifier: Apache-2.0
// Storage becomes accessible when it is allocated and stays so forever. Freeing returns the pages
// to the system but keeps the mapping, so that work which still runs on freed memory reads zeros
// instead of crashing the process. No two allocations share a page: each of them can move into a
// file.
#include "backends/cpu/memory.h"

#include "backends/cpu/fault_handler.h"
#include "backends/cpu/memory_use.h"
#include "backends/cpu/placement.h"
#include "backends/cpu/running_functions.h"
#include "backends/cpu/services.h"

#include "acl/acl_rt.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

namespace ferry::cpu {
namespace {

// Device memory is counted in these units. Addresses are given out in pages.
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

}  // namespace

uint64_t read_limit(const char* path) {
  std::ifstream file(path);
  uint64_t limit = 0;
  return file >> limit ? limit : std::numeric_limits<uint64_t>::max();
}

SpanSet own_spans;

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
  const std::lock_guard lock(mutex_);
  if (pinned_.size() > 0) return true;
  Reservation pinned(std::min(kLargestHostSpan, address_limit() / 8), kHugePage);
  Reservation mapped(std::min(kLargestHostSpan, address_limit() / 16), kHugePage);
  if (pinned.size() == 0 || mapped.size() == 0) return false;
  AddressSpace for_pinned(pinned.start(), pinned.size());
  AddressSpace for_mapped(mapped.start(), mapped.size());
  // Nothing allocates from here on: either all is reserved, or nothing.
  pinned_ = std::move(for_pinned);
  mapped_ = std::move(for_mapped);
  own_spans.add(pinned.start(), pinned.size());
  watch_device_window(mapped.start(), mapped.size());
  pinned.keep();
  mapped.keep();
  return true;
}

int HostSpans::check_room(uint64_t size) const {
  const uint64_t limit = usable_memory();
  const uint64_t left = limit - std::min(pinned_bytes_, limit);
  if (size <= limit && round_up(size, page_size()) <= left) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              "%" PRIu64 " bytes of pinned host memory were asked for, %" PRIu64 " of %" PRIu64
              " are left",
              size, left, limit);
}

int HostSpans::take_pinned_bytes(uint64_t size) {
  const std::lock_guard lock(mutex_);
  const int error = check_room(size);
  if (error == ACL_SUCCESS) pinned_bytes_ += size;
  return error;
}

void HostSpans::give_pinned_bytes_back(uint64_t size) {
  const std::lock_guard lock(mutex_);
  pinned_bytes_ -= size;
}

int HostSpans::allocate_pinned(uint64_t size, ferryx_memory& out) {
  // Whole pages, so that the memory can be registered and shares no page with another allocation.
  const std::lock_guard lock(mutex_);
  if (const int error = check_room(size); error != ACL_SUCCESS) return error;
  const uint64_t rounded = round_up(size, page_size());
  const bool huge = rounded >= kHugePage;
  const uintptr_t address = pinned_.take(rounded, huge ? kHugePage : page_size());
  if (address == 0 || !make_accessible(address, rounded)) {
    if (address != 0) pinned_.give_back(address);
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
  {
    const std::lock_guard lock(mutex_);
    pinned_bytes_ -= round_up(memory.size, page_size());
  }
  release_later(memory);
}

int HostSpans::allocate_managed(uint64_t size, ferryx_memory& out) {
  const std::lock_guard lock(mutex_);
  const uintptr_t address = pinned_.take(size, kHugePage);
  if (address == 0 || !make_accessible(address, size)) {
    if (address != 0) pinned_.give_back(address);
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the system has no room for %" PRIu64 " bytes of managed memory", size);
  }
  madvise(reinterpret_cast<void*>(address), size, MADV_HUGEPAGE);
  out = {.address = reinterpret_cast<void*>(address),
         .size = size,
         .storage = reinterpret_cast<void*>(address),
         .kind = FERRYX_MEMORY_MANAGED,
         .device = 0};
  return ACL_SUCCESS;
}

void HostSpans::free_managed(const ferryx_memory& memory) {
  place_memory(memory.address, memory.size, FERRYX_PLACE_HOST);
  release_later(memory);
}

void HostSpans::release_later(const ferryx_memory& memory) {
  const auto release = [](void* self, const ferryx_memory& freed) {
    static_cast<HostSpans*>(self)->release(freed);
  };
  RunningFunctions::instance().release_after(memory, release, this);
}

void HostSpans::release(const ferryx_memory& memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory.address);
  const uint64_t rounded = round_up(memory.size, page_size());
  give_pages_back(address, rounded);
  const std::lock_guard lock(mutex_);
  pinned_.give_back(address);
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
  mapped_.give_back(address - in_page);
}

bool DeviceMemory::reserve(uint64_t capacity, uint64_t span) {
  Reservation window(span, kHugePage);
  Reservation storage(window.size(), window.size());
  if (window.size() == 0 || storage.size() == 0) return false;
  window_ = AddressSpace(window.start(), window.size());
  storage_start_ = storage.start();
  own_spans.add(storage.start(), storage.size());
  capacity_ = std::min(capacity, window.size());
  window.keep();
  storage.keep();
  return true;
}

uint64_t DeviceMemory::free_bytes() const {
  const uint64_t own = capacity_ - used_;
  if (ledger_ == nullptr) return own;
  const uint64_t used_by_all = ledger_->used(device_);
  return std::min(own, capacity_ - std::min(used_by_all, capacity_));
}

int DeviceMemory::fail_full(uint64_t size) {
  if (ledger_ == nullptr) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "%" PRIu64 " bytes of device memory are needed, %" PRIu64 " of %" PRIu64
                " are free",
                size, free_bytes(), capacity_);
  }
  const uint64_t left = free_bytes();
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              "%" PRIu64 " bytes of device memory are needed, %" PRIu64 " of %" PRIu64
              " are free; this process uses %" PRIu64 ", other processes use %" PRIu64
              " (FERRY_MEMORY=shared:)",
              size, left, capacity_, used_, capacity_ - used_ - left);
}

int DeviceMemory::take_locked(uint64_t size, uint64_t counted) {
  const bool is_room = size <= capacity_ && counted <= capacity_ - used_ &&
                       (ledger_ == nullptr || ledger_->take(device_, counted));
  if (!is_room) return fail_full(size);
  used_ += counted;
  return ACL_SUCCESS;
}

void DeviceMemory::give_back_locked(uint64_t counted) {
  used_ -= counted;
  if (ledger_ != nullptr) ledger_->give_back(device_, counted);
}

int DeviceMemory::take_bytes(uint64_t size) {
  const std::lock_guard lock(mutex_);
  return take_locked(size, size);
}

void DeviceMemory::give_bytes_back(uint64_t size) {
  const std::lock_guard lock(mutex_);
  give_back_locked(size);
}

int DeviceMemory::allocate(uint64_t size, uint32_t policy, ferryx_memory& out) {
  const std::lock_guard lock(mutex_);
  const uint64_t counted = round_up(size, kDeviceGranule);
  if (const int error = take_locked(size, counted); error != ACL_SUCCESS) return error;
  try {
    const int error = place(size, policy, out);
    if (error != ACL_SUCCESS) give_back_locked(counted);
    return error;
  } catch (...) {
    give_back_locked(counted);
    throw;
  }
}

// Addresses and storage for bytes that are counted already.
int DeviceMemory::place(uint64_t size, uint32_t policy, ferryx_memory& out) {
  move_back_refused();
  const bool huge = wants_huge_pages(size, policy);
  const uint64_t rounded = round_up(size, page_size());
  const uintptr_t address = window_.take(rounded, huge ? kHugePage : page_size());
  if (address == 0) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "no %" PRIu64 " contiguous bytes of device memory are free", size);
  }
  const uintptr_t storage = storage_start_ + (address - window_.start());
  if (!make_accessible(storage, rounded)) {
    window_.give_back(address);
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the system has no room for %" PRIu64 " bytes of device memory", size);
  }
  if (huge) madvise(reinterpret_cast<void*>(storage), rounded, MADV_HUGEPAGE);
  out = {.address = reinterpret_cast<void*>(address),
         .size = size,
         .storage = reinterpret_cast<void*>(storage),
         .kind = FERRYX_MEMORY_DEVICE,
         .device = 0};
  return ACL_SUCCESS;
}

void DeviceMemory::free(const ferryx_memory& memory) {
  {
    const std::lock_guard lock(mutex_);
    give_back_locked(round_up(memory.size, kDeviceGranule));
  }
  const auto release = [](void* self, const ferryx_memory& freed) {
    static_cast<DeviceMemory*>(self)->release(freed);
  };
  RunningFunctions::instance().release_after(memory, release, this);
}

void DeviceMemory::release(const ferryx_memory& memory) {
  AllMoved::node_type moved;
  {
    const std::lock_guard lock(mutex_);
    moved = moved_.extract(memory.storage);
  }
  if (moved.empty()) {
    give_pages_back(reinterpret_cast<uintptr_t>(memory.storage),
                    round_up(memory.size, page_size()));
  }
  const bool is_back = moved.empty() || move_back(moved);
  const std::lock_guard lock(mutex_);
  if (!is_back) {
    freed_in_file_.insert(std::move(moved));
    return;
  }
  window_.give_back(reinterpret_cast<uintptr_t>(memory.address));
}

int DeviceMemory::share(const ferryx_memory& memory, ferryx_shared& shared) {
  const std::lock_guard sharing(sharing_);
  const auto share_moved = [&](const Moved& moved) {
    return share_file(moved.file.number(), 0, round_up(memory.size, page_size()), false, shared);
  };
  {
    const std::lock_guard lock(mutex_);
    const auto found = moved_.find(memory.storage);
    if (found != moved_.end()) return share_moved(found->second);
  }
  AllMoved made;  // noting that it has moved needs no memory then
  if (const int error = move(memory, made[memory.storage]); error != ACL_SUCCESS) return error;
  const std::lock_guard lock(mutex_);
  moved_.merge(made);
  return share_moved(moved_.find(memory.storage)->second);
}

int DeviceMemory::move(const ferryx_memory& memory, Moved& moved) {
  const uint64_t size = moved.size = round_up(memory.size, page_size());
  int error = moved.file.create_sealed("ferry-shared", size);
  if (error != ACL_SUCCESS) return error;
  const auto functions = RunningFunctions::instance().keep_out();
  if (!functions.owns_lock()) return fail_while_functions_run();
  {
    const StorageChange change;
    error = moved.file.fill(memory.storage, size, 0);
    if (error != ACL_SUCCESS) return error;
    if (mmap(memory.storage, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             moved.file.number(), 0) == MAP_FAILED) {
      return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                  "memory cannot move into a file that is shared: %s (see the sysctl "
                  "vm.max_map_count)",
                  std::strerror(errno));
    }
  }
  moved.is_huge = size >= kHugePage && count_huge_pages(size);
  if (moved.is_huge) collapse_pages(memory.storage, size);
  return ACL_SUCCESS;
}

bool DeviceMemory::move_back(const AllMoved::node_type& moved) {
  const uint64_t size = moved.mapped().size;
  if (mmap(const_cast<void*>(moved.key()), size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
    return false;
  }
  if (moved.mapped().is_huge) uncount_huge_pages(size);
  return true;
}

void DeviceMemory::move_back_refused() {
  while (!freed_in_file_.empty()) {
    auto moved = freed_in_file_.extract(freed_in_file_.begin());
    if (!move_back(moved)) {
      freed_in_file_.insert(std::move(moved));
      return;
    }
    window_.give_back(window_.start() +
                      (reinterpret_cast<uintptr_t>(moved.key()) - storage_start_));
  }
}

void DeviceMemory::measure(uint64_t& free_bytes, uint64_t& total_bytes) {
  const std::lock_guard lock(mutex_);
  free_bytes = this->free_bytes();
  total_bytes = capacity_;
}

}  // namespace ferry::cpu
