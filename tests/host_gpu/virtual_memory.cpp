// SPDX-License-Identifier: Apache-2.0
// The driver's virtual memory. As strict as the driver: a range that is unmapped while work uses it
// breaks the device.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create
#endif

#include "gpu.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

using host_gpu::Block;
using host_gpu::kGranule;
using host_gpu::Kind;
using host_gpu::Mapping;
using host_gpu::memory;
using host_gpu::Physical;
using host_gpu::refusal_of;

namespace {

void* address_of(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);
}

Physical* physical_of(CUmemGenericAllocationHandle handle) {
  return reinterpret_cast<Physical*>(handle);
}

bool is_whole(uint64_t value) {
  return value % kGranule == 0;
}

CUresult CUDAAPI reserve(CUdeviceptr* address, size_t size, size_t alignment, CUdeviceptr hint,
                         unsigned long long /*flags*/) {
  if (const CUresult refused = refusal_of("cuMemAddressReserve")) return refused;
  if (size == 0 || !is_whole(size)) return CUDA_ERROR_INVALID_VALUE;
  void* const start = host_gpu::reserve_range(address_of(hint), size, alignment);
  void* const bytes = start != nullptr ? host_gpu::reserve_range(nullptr, size, 0) : nullptr;
  if (bytes == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(start);
  const std::unique_lock lock(memory().mutex);
  memory().blocks[*address] = {.size = size,
                               .bytes = static_cast<char*>(bytes),
                               .kind = Kind::kReserved,
                               .device = 0,
                               .physical = nullptr,
                               .mappings = {}};
  return CUDA_SUCCESS;
}

CUresult CUDAAPI free_addresses(CUdeviceptr address, size_t size) {
  if (const CUresult refused = refusal_of("cuMemAddressFree")) return refused;
  const std::unique_lock lock(memory().mutex);
  const auto found = memory().blocks.find(address);
  if (found == memory().blocks.end() || found->second.kind != Kind::kReserved ||
      found->second.size != size || !found->second.mappings.empty()) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  munmap(address_of(address), size);
  munmap(found->second.bytes, size);
  memory().blocks.erase(found);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI create(CUmemGenericAllocationHandle* handle, size_t size,
                        const CUmemAllocationProp* prop, unsigned long long /*flags*/) {
  if (const CUresult refused = refusal_of("cuMemCreate")) return refused;
  const bool is_host = prop->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
  if (!is_host && prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (size == 0 || !is_whole(size) || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const int known = is_host ? 1 : host_gpu::device_count();
  if (prop->location.id < 0 || prop->location.id >= known) return CUDA_ERROR_INVALID_DEVICE;
  const std::unique_lock lock(memory().mutex);
  Physical* const made = memory().take(
      {.size = size,
       .device = is_host ? 0 : prop->location.id,
       .is_host = is_host,
       .may_be_exported = prop->requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR});
  if (made == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *handle = reinterpret_cast<CUmemGenericAllocationHandle>(made);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI release(CUmemGenericAllocationHandle handle) {
  if (const CUresult refused = refusal_of("cuMemRelease")) return refused;
  const std::unique_lock lock(memory().mutex);
  Physical* const physical = physical_of(handle);
  --physical->handles;
  memory().drop_if_unused(physical);
  return CUDA_SUCCESS;
}

// The reservation that holds the range.
Block* reservation_of(CUdeviceptr address, uint64_t size) {
  Block* const block = memory().find(address_of(address));
  if (block == nullptr || block->kind != Kind::kReserved) return nullptr;
  const uint64_t offset = address - std::prev(memory().blocks.upper_bound(address))->first;
  return size <= block->size - offset ? block : nullptr;
}

char* bytes_at(Block& block, CUdeviceptr address) {
  return block.bytes + (address - std::prev(memory().blocks.upper_bound(address))->first);
}

bool is_any_mapped(const Block& block, uintptr_t start, uint64_t size) {
  const auto next = block.mappings.lower_bound(start);
  if (next != block.mappings.end() && next->first - start < size) return true;
  return next != block.mappings.begin() &&
         start - std::prev(next)->first < std::prev(next)->second.size;
}

CUresult CUDAAPI map(CUdeviceptr address, size_t size, size_t offset,
                     CUmemGenericAllocationHandle handle, unsigned long long flags) {
  if (const CUresult refused = refusal_of("cuMemMap")) return refused;
  if (!is_whole(address) || !is_whole(size) || size == 0 || offset != 0 || flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const std::unique_lock lock(memory().mutex);
  Physical* const physical = physical_of(handle);
  Block* const block = reservation_of(address, size);
  const uint64_t room = (physical->size + kGranule - 1) / kGranule * kGranule;
  if (block == nullptr || size > room || is_any_mapped(*block, address, size)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!host_gpu::map_bytes(bytes_at(*block, address), *physical, size)) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  block->mappings[address] = {
      .size = size, .physical = physical, .devices = {}, .is_open_to_host = false};
  ++physical->mappings;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI unmap(CUdeviceptr address, size_t size) {
  if (const CUresult refused = refusal_of("cuMemUnmap")) return refused;
  const std::unique_lock lock(memory().mutex);
  Block* const block = reservation_of(address, size);
  if (block == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto found = block->mappings.find(address);
  if (found == block->mappings.end() || found->second.size != size) return CUDA_ERROR_INVALID_VALUE;
  host_gpu::close_range(bytes_at(*block, address), size);
  if (found->second.is_open_to_host) host_gpu::close_range(address_of(address), size);
  Physical* const physical = found->second.physical;
  block->mappings.erase(found);
  --physical->mappings;
  memory().drop_if_unused(physical);
  return CUDA_SUCCESS;
}

CUresult open_to(Mapping& mapping, CUdeviceptr address, const CUmemLocation& location) {
  if (location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
    if (location.id < 0 || location.id >= host_gpu::device_count()) {
      return CUDA_ERROR_INVALID_DEVICE;
    }
    mapping.devices.insert(location.id);
    return CUDA_SUCCESS;
  }
  // The host cannot access memory of this device.
  if (!mapping.physical->is_host) return CUDA_ERROR_NOT_SUPPORTED;
  if (mapping.is_open_to_host) return CUDA_SUCCESS;
  mapping.is_open_to_host =
      host_gpu::map_bytes(address_of(address), *mapping.physical, mapping.size);
  return mapping.is_open_to_host ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI set_access(CUdeviceptr address, size_t size, const CUmemAccessDesc* descs,
                            size_t count) {
  if (const CUresult refused = refusal_of("cuMemSetAccess")) return refused;
  const std::unique_lock lock(memory().mutex);
  Block* const block = reservation_of(address, size);
  if (block == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto found = block->mappings.find(address);
  if (found == block->mappings.end() || found->second.size != size) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; ++i) {
    const CUresult result = open_to(found->second, address, descs[i].location);
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI granularity(size_t* bytes, const CUmemAllocationProp* /*prop*/,
                             CUmemAllocationGranularity_flags /*option*/) {
  *bytes = kGranule;
  return CUDA_SUCCESS;
}

// ---- between processes ----

CUresult CUDAAPI export_handle(void* shared, CUmemGenericAllocationHandle handle,
                               CUmemAllocationHandleType type, unsigned long long /*flags*/) {
  if (const CUresult refused = refusal_of("cuMemExportToShareableHandle")) return refused;
  const std::unique_lock lock(memory().mutex);
  Physical* const physical = physical_of(handle);
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || !physical->may_be_exported) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  physical->was_exported = true;
  const host_gpu::Token token = host_gpu::token_of(*physical);
  const int file = memfd_create("host-gpu-shared", MFD_CLOEXEC);
  if (file < 0 || write(file, &token, sizeof token) != sizeof token)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *static_cast<int*>(shared) = file;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI import_handle(CUmemGenericAllocationHandle* handle, void* shared,
                               CUmemAllocationHandleType type) {
  if (const CUresult refused = refusal_of("cuMemImportFromShareableHandle")) return refused;
  host_gpu::Token token{};
  const int file = static_cast<int>(reinterpret_cast<uintptr_t>(shared));
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
      pread(file, &token, sizeof token, 0) != sizeof token) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const std::unique_lock lock(memory().mutex);
  Physical* const made = host_gpu::import(token);
  if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *handle = reinterpret_cast<CUmemGenericAllocationHandle>(made);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI properties(CUmemAllocationProp* prop, CUmemGenericAllocationHandle handle) {
  const Physical& physical = *physical_of(handle);
  *prop = {};
  prop->type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop->location.type =
      physical.is_host ? CU_MEM_LOCATION_TYPE_HOST_NUMA : CU_MEM_LOCATION_TYPE_DEVICE;
  prop->location.id = physical.device;
  return CUDA_SUCCESS;
}

struct Named {
  const char* name;
  void* function;
};

}  // namespace

namespace host_gpu {

void* find_virtual_memory(const char* name) {
  static const Named all[] = {
      {"cuMemAddressReserve", reinterpret_cast<void*>(reserve)},
      {"cuMemAddressFree", reinterpret_cast<void*>(free_addresses)},
      {"cuMemCreate", reinterpret_cast<void*>(create)},
      {"cuMemRelease", reinterpret_cast<void*>(release)},
      {"cuMemMap", reinterpret_cast<void*>(map)},
      {"cuMemUnmap", reinterpret_cast<void*>(unmap)},
      {"cuMemSetAccess", reinterpret_cast<void*>(set_access)},
      {"cuMemGetAllocationGranularity", reinterpret_cast<void*>(granularity)},
      {"cuMemExportToShareableHandle", reinterpret_cast<void*>(export_handle)},
      {"cuMemImportFromShareableHandle", reinterpret_cast<void*>(import_handle)},
      {"cuMemGetAllocationPropertiesFromHandle", reinterpret_cast<void*>(properties)},
  };
  for (const Named& each : all) {
    if (std::strcmp(each.name, name) == 0) return each.function;
  }
  return nullptr;
}

}  // namespace host_gpu
