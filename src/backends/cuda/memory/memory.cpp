// SPDX-License-Identifier: Apache-2.0
// Allocates, registers and frees memory. CUDA waits for all work of a device before it frees the
// device's memory; for host memory, which every device may use, this file waits. At the end of the
// process nothing is freed: memory goes with the process.
#include "backends/cuda/memory/memory.h"

#include "backends/cuda/memory/host_pins.h"
#include "backends/cuda/plugin/current_device.h"
#include "backends/cuda/plugin/device.h"
#include "backends/cuda/plugin/driver_calls.h"
#include "backends/cuda/plugin/services.h"

#include "acl/error_codes/rt_error_codes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <iterator>
#include <mutex>
#include <shared_mutex>
#include <string>

namespace ferry::cuda {
namespace {

uint64_t page_size() {
  static const auto size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

ferryx_memory memory_at(void* address, uint64_t size, void* storage, uint32_t kind) {
  return {.address = address, .size = size, .storage = storage, .kind = kind, .device = 0};
}

// More than any machine has; rounding up larger sizes would overflow.
constexpr uint64_t kLargestAllocation = uint64_t{1} << 56;

int fail_allocating(ferryx_device& device, cudaError_t error, uint64_t size, const char* what) {
  const std::string doing = "allocating " + std::to_string(size) + " bytes of " + what;
  return fail(device.check(error, doing.c_str()));
}

// Registered ranges. May be shared between threads; never destroyed.
struct Registrations {
  std::mutex mutex;  // guards pins
  HostPins pins{
      page_size(),
      {.pin =
           [](uintptr_t start, uint64_t size) {
             return translate(
                 describe(cudaHostRegister(reinterpret_cast<void*>(start), size,
                                           cudaHostRegisterPortable | cudaHostRegisterMapped)),
                 "registering host memory");
           },
       .unpin =
           [](uintptr_t start) {
             wait_for_all_devices();
             log_trouble(translate(describe(insist([&] {
                                     return cudaHostUnregister(reinterpret_cast<void*>(start));
                                   })),
                                   "unregistering host memory"));
           }}};
};

Registrations& registrations() {
  static auto* instance = new Registrations;
  return *instance;
}

// Memory of host_alloc may be registered as well; it is pinned already.
bool is_pinned_anyway(const void* address) {
  ferryx_memory memory{};
  return services->find_memory(address, &memory) != 0 && memory.kind == FERRYX_MEMORY_PINNED;
}

int map_registered(void* address, uint64_t size, ferryx_memory& out) {
  // Keeps the offset within a page, as a memory management unit would.
  const uint64_t in_page = reinterpret_cast<uintptr_t>(address) % page_size();
  void* window = mmap(nullptr, round_up(in_page + size, page_size()), PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (window == MAP_FAILED) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "there are no device addresses left for %llu bytes of registered memory",
                static_cast<unsigned long long>(size));
  }
  out = memory_at(static_cast<char*>(window) + in_page, size, address, FERRYX_MEMORY_MAPPED);
  return ACL_RT_SUCCESS;
}

void unmap_registered(const ferryx_memory& mapped) {
  const uint64_t in_page = reinterpret_cast<uintptr_t>(mapped.address) % page_size();
  munmap(static_cast<char*>(mapped.address) - in_page,
         round_up(in_page + mapped.size, page_size()));
}

// Nothing is submitted while pinned pages change.
Trouble pin(void* address, uint64_t size) {
  const std::lock_guard lock(registrations().mutex);
  const std::unique_lock nothing_is_submitted(live_memory().lock());
  return registrations().pins.add(reinterpret_cast<uintptr_t>(address), size);
}

void unpin(void* address, uint64_t size) {
  const std::lock_guard lock(registrations().mutex);
  const std::unique_lock nothing_is_submitted(live_memory().lock());
  registrations().pins.remove(reinterpret_cast<uintptr_t>(address), size);
}

}  // namespace

void wait_for_all_devices() {
  for (ferryx_device* device : opened_devices()) {
    const CurrentDevice current(device->index);
    log_trouble(device->check(insist(cudaDeviceSynchronize), "waiting for the device"));
  }
}

// ---- what is live ----

LiveMemory& live_memory() {
  static auto* instance = new LiveMemory;
  return *instance;
}

void LiveMemory::add(const ferryx_memory& memory, int owner, void* block) {
  const std::unique_lock lock(mutex_);
  Entry& entry = entries_[memory.address];
  entry.memory = memory;
  entry.owner = owner;
  entry.block = block != nullptr ? block : memory.address;
  ++entry.users;
  ++epoch_;
}

void* LiveMemory::remove(void* address) {
  const std::unique_lock lock(mutex_);
  ++epoch_;
  const auto found = entries_.find(address);
  if (found == entries_.end()) return address;
  void* const block = found->second.block;
  if (--found->second.users == 0) entries_.erase(found);
  return block;
}

void LiveMemory::join(const ferryx_memory& mapped, int owner, const void* reservation) {
  const std::unique_lock lock(mutex_);
  ++epoch_;
  Entry& entry = entries_[mapped.address];
  entry = {.memory = mapped,
           .block = mapped.address,
           .owner = owner,
           .users = 1,
           .reservation = reservation};
  auto place = entries_.find(mapped.address);
  const auto next = std::next(place);
  if (next != entries_.end() && next->second.reservation == reservation &&
      next->first == entry.end()) {
    entry.memory.size += next->second.memory.size;
    entries_.erase(next);
  }
  if (place == entries_.begin()) return;
  Entry& before = std::prev(place)->second;
  if (before.reservation != reservation || before.end() != mapped.address) return;
  before.memory.size += entry.memory.size;
  entries_.erase(place);
}

void LiveMemory::cut(const ferryx_memory& mapped) {
  const std::unique_lock lock(mutex_);
  ++epoch_;
  const auto next = entries_.upper_bound(mapped.address);
  if (next == entries_.begin()) return;
  const auto place = std::prev(next);
  Entry& entry = place->second;
  char* const start = static_cast<char*>(mapped.address);
  char* const end = start + mapped.size;
  if (end > entry.end()) return;
  if (end < entry.end()) {
    Entry& behind = entries_[end];
    behind = entry;
    behind.memory.address = behind.memory.storage = behind.block = end;
    behind.memory.size = static_cast<uint64_t>(entry.end() - end);
  }
  entry.memory.size = static_cast<uint64_t>(start - static_cast<char*>(entry.memory.address));
  if (entry.memory.size == 0) entries_.erase(place);
}

void LiveMemory::note_change() {
  const std::unique_lock lock(mutex_);
  ++epoch_;
}

ferryx_memory LiveMemory::find(const void* storage) const {
  const auto next = entries_.upper_bound(storage);
  return next != entries_.begin() ? std::prev(next)->second.memory : ferryx_memory{};
}

std::vector<ferryx_memory> LiveMemory::reachable_from(const ferryx_device& device) const {
  std::vector<ferryx_memory> reachable;
  for (const auto& [address, entry] : entries_) {
    if (entry.owner == kHost || reaches(device, entry.owner)) reachable.push_back(entry.memory);
  }
  return reachable;
}

// ---- device memory ----

int allocate_device_memory(ferryx_device& device, uint64_t size, ferryx_memory& out) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  const CurrentDevice current(device.index);
  void* address = nullptr;
  const cudaError_t error =
      size <= kLargestAllocation ? cudaMalloc(&address, size) : cudaErrorMemoryAllocation;
  if (error != cudaSuccess) return fail_allocating(device, error, size, "device memory");
  out = memory_at(address, size, address, FERRYX_MEMORY_DEVICE);
  live_memory().add(out, device.index);
  return ACL_RT_SUCCESS;
}

void free_device_memory(ferryx_device& device, const ferryx_memory& memory) {
  const Gate::Pass pass(gate);
  if (!pass) return;
  live_memory().remove(memory.address);
  // CUDA waits for work of the owning device only; other devices may use the memory, too.
  if (opened_devices().size() > 1) wait_for_all_devices();
  const CurrentDevice current(device.index);
  log_trouble(
      device.check(insist([&] { return cudaFree(memory.address); }), "freeing device memory"));
}

int measure_device_memory(ferryx_device& device, uint64_t& free_bytes, uint64_t& total_bytes) {
  size_t free_now = 0;
  size_t total = 0;
  const Trouble trouble = device.call_here("querying the free memory",
                                           [&] { return cudaMemGetInfo(&free_now, &total); });
  free_bytes = free_now;
  total_bytes = total;
  return fail(trouble);
}

// ---- host memory ----

int allocate_host_memory(ferryx_device& device, uint64_t size, ferryx_memory& out) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  const CurrentDevice current(device.index);
  void* block = nullptr;
  // CUDA places small blocks side by side. Whole pages can be registered and are shared with no
  // other block.
  const cudaError_t error = size <= kLargestAllocation
                                ? cudaHostAlloc(&block, round_up(size, page_size()) + page_size(),
                                                cudaHostAllocPortable | cudaHostAllocMapped)
                                : cudaErrorMemoryAllocation;
  if (error != cudaSuccess) return fail_allocating(device, error, size, "pinned host memory");
  auto* const first_page =
      reinterpret_cast<void*>(round_up(reinterpret_cast<uintptr_t>(block), page_size()));
  out = memory_at(first_page, size, first_page, FERRYX_MEMORY_PINNED);
  live_memory().add(out, LiveMemory::kHost, block);
  return ACL_RT_SUCCESS;
}

void free_host_memory(ferryx_device& device, const ferryx_memory& memory) {
  const Gate::Pass pass(gate);
  if (!pass) return;
  void* const block = live_memory().remove(memory.address);
  wait_for_all_devices();
  const CurrentDevice current(device.index);
  log_trouble(
      device.check(insist([&] { return cudaFreeHost(block); }), "freeing pinned host memory"));
}

// ---- managed memory ----

int allocate_managed_memory(ferryx_device& device, uint64_t size, ferryx_memory& out) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  const CurrentDevice current(device.index);
  int is_shared = 0;
  if (cudaDeviceGetAttribute(&is_shared, cudaDevAttrConcurrentManagedAccess, device.index) !=
          cudaSuccess ||
      is_shared == 0) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "CUDA device %d cannot use managed memory while the host does", device.index);
  }
  constexpr uint64_t kPage = uint64_t{2} << 20;
  void* block = nullptr;
  const cudaError_t error = size <= kLargestAllocation
                                ? cudaMallocManaged(&block, size + kPage, cudaMemAttachGlobal)
                                : cudaErrorMemoryAllocation;
  if (error != cudaSuccess) return fail_allocating(device, error, size, "managed memory");
  auto* const first_page =
      reinterpret_cast<void*>(round_up(reinterpret_cast<uintptr_t>(block), kPage));
  out = memory_at(first_page, size, first_page, FERRYX_MEMORY_MANAGED);
  live_memory().add(out, LiveMemory::kHost, block);
  return ACL_RT_SUCCESS;
}

void free_managed_memory(ferryx_device& device, const ferryx_memory& memory) {
  const Gate::Pass pass(gate);
  if (!pass) return;
  void* const block = live_memory().remove(memory.address);
  wait_for_all_devices();
  const CurrentDevice current(device.index);
  log_trouble(device.check(cudaFree(block), "freeing managed memory"));
}

int prefetch_managed_memory(ferryx_device& device, void* address, uint64_t size, int32_t place) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  const CurrentDevice current(device.index);
  // A range that was freed meanwhile is refused here, or by CUDA.
  const std::shared_lock nothing_is_freed(live_memory().lock());
  const ferryx_memory memory = live_memory().find(address);
  if (memory.kind != FERRYX_MEMORY_MANAGED) return ACL_RT_SUCCESS;
  return fail(device.check(
      prefetch_async(address, size, place == FERRYX_PLACE_DEVICE ? device.index : cudaCpuDeviceId),
      "moving managed memory"));
}

// ---- registered memory ----

int register_host_memory(ferryx_device& device, void* address, uint64_t size,
                         ferryx_memory* mapped) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  const CurrentDevice current(device.index);
  const bool pins = !is_pinned_anyway(address);
  if (pins) {
    if (const Trouble trouble = pin(address, size); !trouble.ok()) return fail(trouble);
  }
  if (mapped != nullptr) {
    if (const int error = map_registered(address, size, *mapped); error != ACL_RT_SUCCESS) {
      if (pins) unpin(address, size);
      return error;
    }
  }
  if (pins) {
    live_memory().add(memory_at(address, size, address, FERRYX_MEMORY_REGISTERED),
                      LiveMemory::kHost);
  }
  return ACL_RT_SUCCESS;
}

void unregister_host_memory(ferryx_device& device, void* address, uint64_t size,
                            const ferryx_memory* mapped) {
  const Gate::Pass pass(gate);
  if (!pass) return;
  const CurrentDevice current(device.index);
  if (!is_pinned_anyway(address)) {
    live_memory().remove(address);
    unpin(address, size);
  }
  if (mapped != nullptr) unmap_registered(*mapped);
}

}  // namespace ferry::cuda
