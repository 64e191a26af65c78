// SPDX-License-Identifier: Apache-2.0
// Mapping and unmapping. A mapping is unmapped like memory is freed: it leaves the live memory
// under the memory lock, so that whatever was validated is on its CUDA stream; then all devices are
// waited for.
#include "backends/cuda/memory/virtual_memory.h"

#include "backends/cuda/memory/driver_memory.h"
#include "backends/cuda/memory/memory.h"
#include "backends/cuda/plugin/device.h"
#include "backends/cuda/plugin/gate.h"
#include "backends/cuda/plugin/services.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <cinttypes>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

namespace ferry::cuda {
namespace {

// What CUDA maps is a multiple of this at one.
constexpr uint64_t kPage = uint64_t{2} << 20;

CUdeviceptr number_of(const void* address) {
  return reinterpret_cast<CUdeviceptr>(address);
}

void* address_of(CUdeviceptr number) {
  return reinterpret_cast<void*>(number);
}

// What CUDA has mapped for a mapping of the runtime.
struct Mapping {
  CUdeviceptr start = 0;
  uint64_t size = 0;
  bool has_own_addresses = false;  // not those of the runtime's reservation
  const ferryx_physical* physical = nullptr;
  int owner = 0;
  const void* reservation = nullptr;  // of its live memory
};

// May be shared between threads; never destroyed.
struct Mappings {
  std::mutex mutex;  // guards by_address; no other lock is taken while it is held
  std::map<const void*, Mapping> by_address;
};

Mappings& mappings() {
  static auto* instance = new Mappings;
  return *instance;
}

bool find_mapping(const ferryx_memory& mapped, Mapping& found) {
  const std::lock_guard lock(mappings().mutex);
  const auto place = mappings().by_address.find(mapped.address);
  if (place == mappings().by_address.end()) return false;
  found = place->second;
  return true;
}

// ---- addresses ----

int fail_reserving(uint64_t size, const void* wanted, CUresult result) {
  const CudaError error = describe(runtime_error(result));
  if (wanted == nullptr) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "CUDA has no room for %" PRIu64 " bytes of addresses (%s)", size, error.name);
  }
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              "%" PRIu64
              " bytes of addresses at %p are not free, or not where CUDA can reserve them",
              size, wanted);
}

// For CUDA a wanted address is a hint only.
CUresult reserve(uint64_t size, uint64_t alignment, const void* wanted, CUdeviceptr& start) {
  const CUresult result = driver_memory().reserve(&start, size, alignment, number_of(wanted), 0);
  if (result != CUDA_SUCCESS || wanted == nullptr || start == number_of(wanted)) return result;
  driver_memory().free_addresses(start, size);
  return CUDA_ERROR_OUT_OF_MEMORY;
}

void free_addresses(CUdeviceptr start, uint64_t size) {
  log_trouble(translate(
      describe(insist([&] { return runtime_error(driver_memory().free_addresses(start, size)); })),
      "releasing reserved addresses"));
}

// ---- access ----

CUmemAccessDesc access_of(const ferryx_device& device) {
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = device.index;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return access;
}

bool can_access_peer(const ferryx_device& device, int owner) {
  int can = 0;
  return cudaDeviceCanAccessPeer(&can, device.index, owner) == cudaSuccess && can != 0;
}

// Whether the device may access the mapping as soon as it is mapped. The runtime decides which
// copies a program may make between devices; a copy or a fill that it lets through must not break
// the GPU.
bool is_for(const Mapping& mapping, const ferryx_device& device) {
  return mapping.physical->is_host || device.index == mapping.owner ||
         can_access_peer(device, mapping.owner);
}

cudaError_t open_to(const Mapping& mapping, const std::vector<CUmemAccessDesc>& accesses) {
  return runtime_error(
      driver_memory().set_access(mapping.start, mapping.size, accesses.data(), accesses.size()));
}

// Who may access a new mapping.
std::vector<CUmemAccessDesc> first_accesses(const Mapping& mapping, const ferryx_device& device) {
  std::vector<CUmemAccessDesc> accesses{access_of(device)};
  for (const ferryx_device* other : opened_devices()) {
    if (other != &device && is_for(mapping, *other)) accesses.push_back(access_of(*other));
  }
  if (mapping.physical->is_host) {
    CUmemAccessDesc host{};
    host.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    host.location.id = mapping.physical->node;
    host.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    accesses.push_back(host);
  }
  return accesses;
}

// ---- mapping ----

// Where CUDA maps it. An import that is only a part of what was exported gets addresses of its own:
// CUDA maps from the first byte of the whole on, and in whole pages.
cudaError_t place(const ferryx_physical& physical, const ferryx_memory& range, uint64_t offset,
                  Mapping& mapping) {
  mapping.size = round_up(physical.offset + mapping.size, kPage);
  mapping.start = number_of(range.address) + offset;
  mapping.has_own_addresses = physical.offset != 0 || mapping.size > range.size - offset;
  if (!mapping.has_own_addresses) return cudaSuccess;
  return runtime_error(reserve(mapping.size, kPage, nullptr, mapping.start));
}

cudaError_t map_and_open(const Mapping& mapping, const ferryx_device& device) {
  const CUresult mapped =
      driver_memory().map(mapping.start, mapping.size, 0, mapping.physical->handle, 0);
  if (mapped != CUDA_SUCCESS) return runtime_error(mapped);
  const cudaError_t opened = open_to(mapping, first_accesses(mapping, device));
  if (opened != cudaSuccess) driver_memory().unmap(mapping.start, mapping.size);
  return opened;
}

cudaError_t map_in_cuda(const ferryx_device& device, const ferryx_memory& range, uint64_t offset,
                        Mapping& mapping) {
  // Memory that cudaIpc has opened is mapped.
  if (mapping.physical->opened != nullptr) return cudaSuccess;
  cudaError_t error = place(*mapping.physical, range, offset, mapping);
  if (error != cudaSuccess) return error;
  error = map_and_open(mapping, device);
  if (error != cudaSuccess && mapping.has_own_addresses) {
    driver_memory().free_addresses(mapping.start, mapping.size);
  }
  return error;
}

// Where the first byte of the mapping is.
void* first_byte(const Mapping& mapping) {
  const ferryx_physical& physical = *mapping.physical;
  if (physical.opened != nullptr) return static_cast<char*>(physical.opened) + physical.offset;
  return address_of(mapping.start + physical.offset);
}

// CUDA opens an allocation of another process once, at one address: two keys for overlapping ranges
// would give the program the same address twice.
bool is_mapped_already(const Mapping& mapping) {
  if (mapping.physical->opened == nullptr) return false;
  const auto start = static_cast<const char*>(first_byte(mapping));
  const std::lock_guard lock(mappings().mutex);
  const auto& known = mappings().by_address;
  const auto next = known.lower_bound(start);
  if (next != known.end() && next->first < start + mapping.size) return true;
  if (next == known.begin()) return false;
  const auto& [before, earlier] = *std::prev(next);
  return static_cast<const char*>(before) + earlier.size > start;
}

int owner_in_live_memory(const Mapping& mapping) {
  return mapping.physical->is_host ? LiveMemory::kHost : mapping.owner;
}

// Mappings with addresses of their own are joined with no other.
const void* reservation_of(const Mapping& mapping, const ferryx_memory& range) {
  const bool is_alone = mapping.has_own_addresses || mapping.physical->opened != nullptr;
  return is_alone ? first_byte(mapping) : range.address;
}

}  // namespace

int reserve_addresses(const std::vector<int>& devices, uint64_t size, uint64_t alignment,
                      void* wanted, ferryx_memory& range) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  if (std::none_of(devices.begin(), devices.end(),
                   [](int device) { return driver_memory().serves(device); })) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "the CUDA devices or their driver have no virtual memory (cuMemAddressReserve)");
  }
  const uint64_t whole = size <= UINT64_MAX - kPage ? round_up(size, kPage) : size;
  CUdeviceptr start = 0;
  const CUresult result = reserve(whole, alignment, wanted, start);
  if (result != CUDA_SUCCESS) return fail_reserving(size, wanted, result);
  range = {.address = address_of(start),
           .size = whole,
           .storage = address_of(start),
           .kind = FERRYX_MEMORY_PAGEABLE,
           .device = 0};
  return ACL_RT_SUCCESS;
}

void release_addresses(const ferryx_memory& range) {
  const Gate::Pass pass(gate);
  if (pass) free_addresses(number_of(range.address), range.size);
}

int map_physical(ferryx_device& device, ferryx_physical& physical, const ferryx_memory& range,
                 uint64_t offset, uint64_t size, ferryx_memory& mapped) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  Mapping mapping{.size = size, .physical = &physical, .owner = device.index};
  if (is_mapped_already(mapping)) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "CUDA has no second address for memory of another process, and another key for "
                "these bytes is open: close it first, or use memory of aclrtMallocPhysical");
  }
  const std::string doing = "mapping " + std::to_string(size) + " bytes at reserved addresses";
  const Trouble trouble =
      device.call_here(doing.c_str(), [&] { return map_in_cuda(device, range, offset, mapping); });
  if (!trouble.ok()) return fail(trouble);
  void* const first = first_byte(mapping);
  mapping.reservation = reservation_of(mapping, range);
  mapped = {
      .address = first,
      .size = size,
      .storage = first,
      .kind = static_cast<uint32_t>(physical.is_host ? FERRYX_MEMORY_PINNED : FERRYX_MEMORY_DEVICE),
      .device = 0};
  {
    const std::lock_guard lock(mappings().mutex);
    mappings().by_address[first] = mapping;
  }
  live_memory().join(mapped, owner_in_live_memory(mapping), mapping.reservation);
  return ACL_RT_SUCCESS;
}

int unmap_physical(ferryx_device& device, const ferryx_memory& mapped) {
  const Gate::Pass pass(gate);
  Mapping mapping;
  if (!pass || !find_mapping(mapped, mapping)) return ACL_RT_SUCCESS;
  live_memory().cut(mapped);
  wait_for_all_devices();
  if (mapping.physical->opened == nullptr) {
    const Trouble trouble = device.call_here("unmapping memory", [&] {
      return insist(
          [&] { return runtime_error(driver_memory().unmap(mapping.start, mapping.size)); });
    });
    if (!trouble.ok()) {
      live_memory().join(mapped, owner_in_live_memory(mapping), mapping.reservation);
      return fail(trouble);
    }
    if (mapping.has_own_addresses) free_addresses(mapping.start, mapping.size);
  }
  const std::lock_guard lock(mappings().mutex);
  mappings().by_address.erase(mapped.address);
  return ACL_RT_SUCCESS;
}

int open_to_device(ferryx_device& device, ferryx_device& peer, const ferryx_memory& mapped) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  Mapping mapping;
  if (!find_mapping(mapped, mapping) || mapping.physical->opened != nullptr) return ACL_RT_SUCCESS;
  if (!is_for(mapping, peer)) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "CUDA device %d cannot access memory of CUDA device %d: they have no peer access "
                "(see nvidia-smi topo -p2p r)",
                peer.index, device.index);
  }
  return fail(device.call_here("opening memory to another device",
                               [&] { return open_to(mapping, {access_of(peer)}); }));
}

int open_to_host(ferryx_device& device, const ferryx_memory& mapped) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  Mapping mapping;
  if (!find_mapping(mapped, mapping) || mapping.physical->is_host) return ACL_RT_SUCCESS;
  CUmemAccessDesc host{};
  host.location.type = CU_MEM_LOCATION_TYPE_HOST;
  host.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  const Trouble trouble = device.call_here("opening memory to the host", [&] {
    return mapping.physical->opened != nullptr ? cudaErrorNotSupported : open_to(mapping, {host});
  });
  if (trouble.ok()) return ACL_RT_SUCCESS;
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              "the host cannot access memory of CUDA device %d at its address: copy it instead "
              "(%s)",
              device.index, trouble.text.c_str());
}

void open_mappings_to(ferryx_device& device) {
  const Gate::Pass pass(gate);
  if (!pass) return;
  std::vector<Mapping> all;
  {
    const std::lock_guard lock(mappings().mutex);
    for (const auto& [address, mapping] : mappings().by_address) {
      if (mapping.physical->opened == nullptr && mapping.owner != device.index &&
          is_for(mapping, device)) {
        all.push_back(mapping);
      }
    }
  }
  for (const Mapping& mapping : all) {
    log_trouble(device.call_here("opening mapped memory to the device",
                                 [&] { return open_to(mapping, {access_of(device)}); }));
  }
}

}  // namespace ferry::cuda
