// SPDX-License-Identifier: Apache-2.0
// Memory of devices, pinned, registered and managed memory. The memory of a device is one sparse
// file: other processes open it through /proc.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create, fallocate
#endif

#include "gpu.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

using host_gpu::Block;
using host_gpu::Kind;
using host_gpu::memory;
using host_gpu::note;
using host_gpu::Physical;

namespace host_gpu {
namespace {

constexpr uint64_t kMagic = 0x68'6f'73'74'2d'67'70'75;
constexpr uint64_t kFileSize = uint64_t{1} << 46;
constexpr uint64_t kHostMemory = uint64_t{16} << 30;

constexpr uint64_t round_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

// The bytes of one device, or of the host; addresses in the file are given out once.
struct File {
  int number = -1;
  uint64_t used = 0;
};

File& file_of(const Physical& physical) {
  static File files[kMostDevices + 1];
  File& file = files[physical.is_host ? kMostDevices : physical.device];
  if (file.number < 0) {
    file.number = memfd_create("host-gpu", MFD_CLOEXEC);
    if (ftruncate(file.number, kFileSize) != 0) std::abort();
  }
  return file;
}

uintptr_t number_of(const void* address) {
  return reinterpret_cast<uintptr_t>(address);
}

}  // namespace

Memory& memory() {
  static auto* all = new Memory;
  return *all;
}

uint64_t capacity() {
  static const uint64_t bytes = [] {
    const char* text = std::getenv("HOST_GPU_MEMORY");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : uint64_t{4} << 30;
  }();
  return bytes;
}

uint64_t& Memory::used_by(const Physical& physical) {
  return used[physical.is_host ? kMostDevices : physical.device];
}

Physical* Memory::take(const Physical& wanted) {
  const uint64_t room = wanted.is_host ? kHostMemory : capacity();
  if (wanted.size > room - used_by(wanted)) return nullptr;
  used_by(wanted) += wanted.size;
  auto* const made = new Physical(wanted);
  File& file = file_of(wanted);
  made->file = file.number;
  made->offset = file.used;
  file.used += wanted.size;
  return made;
}

void Memory::drop_if_unused(Physical* physical) {
  if (physical->handles > 0 || physical->mappings > 0) return;
  if (physical->is_imported) {
    close(physical->file);
  } else {
    if (!physical->was_exported) {
      fallocate(physical->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                static_cast<off_t>(physical->offset), static_cast<off_t>(physical->size));
    }
    used_by(*physical) -= physical->size;
  }
  delete physical;
}

Block* Memory::find(const void* address) {
  const auto behind = blocks.upper_bound(number_of(address));
  if (behind == blocks.begin()) return nullptr;
  auto& [start, block] = *std::prev(behind);
  return number_of(address) - start < block.size ? &block : nullptr;
}

namespace {

// Whether every byte is mapped, and open to the device.
bool is_open(const Block& block, int device, uintptr_t start, uint64_t size) {
  while (size > 0) {
    const auto behind = block.mappings.upper_bound(start);
    if (behind == block.mappings.begin()) return false;
    const auto& [mapped, mapping] = *std::prev(behind);
    const uint64_t offset = start - mapped;
    if (offset >= mapping.size || !mapping.devices.contains(device)) return false;
    const uint64_t part = std::min(size, mapping.size - offset);
    start += part;
    size -= part;
  }
  return true;
}

}  // namespace

char* Memory::reach(int device, const void* address, uint64_t size, Access access) {
  auto* const same = static_cast<char*>(const_cast<void*>(address));
  Block* const block = find(address);
  if (block == nullptr) return access == Access::kEngine ? same : nullptr;
  const uintptr_t start = number_of(address);
  const uint64_t offset = start - std::prev(blocks.upper_bound(start))->first;
  if (size > block->size - offset) return nullptr;
  if (block->kind == Kind::kReserved && !is_open(*block, device, start, size)) return nullptr;
  const bool is_foreign = block->kind == Kind::kDevice && block->device != device;
  if (is_foreign && access == Access::kKernel) return nullptr;
  return block->bytes + offset;
}

Token token_of(const Physical& physical) {
  return {.magic = kMagic,
          .process = getpid(),
          .file = physical.file,
          .offset = physical.offset,
          .size = physical.size,
          .device = physical.device,
          .is_host = physical.is_host ? 1u : 0u};
}

Physical* import(const Token& token) {
  if (token.magic != kMagic) return nullptr;
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", token.process, token.file);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  return new Physical{.file = file,
                      .offset = token.offset,
                      .size = token.size,
                      .device = token.device,
                      .is_host = token.is_host != 0,
                      .is_imported = true};
}

bool map_bytes(void* address, const Physical& physical, uint64_t size) {
  return mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical.file,
              static_cast<off_t>(physical.offset)) != MAP_FAILED;
}

void close_range(void* address, uint64_t size) {
  constexpr int kNothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(address, size, PROT_NONE, kNothing, -1, 0) == MAP_FAILED) std::abort();
}

void* reserve_range(void* wanted, uint64_t size, uint64_t alignment) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (wanted != nullptr) {  // a hint
    void* const there = mmap(wanted, size, PROT_NONE, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
    if (there == wanted) return there;
  }
  alignment = std::max(alignment, kGranule);
  if (size > UINT64_MAX - alignment) return nullptr;
  void* const range = mmap(nullptr, size + alignment, PROT_NONE, kFlags, -1, 0);
  if (range == MAP_FAILED) return nullptr;
  const uintptr_t start = round_up(number_of(range), alignment);
  if (start > number_of(range)) munmap(range, start - number_of(range));
  munmap(reinterpret_cast<void*>(start + size), number_of(range) + alignment - start);
  return reinterpret_cast<void*>(start);
}

}  // namespace host_gpu

namespace {

constexpr uint64_t kPage = 4096;

uint64_t whole_pages(uint64_t size) {
  return (size + kPage - 1) / kPage * kPage;
}

// The bytes of a device: without access rights at `address`, for devices elsewhere.
bool add_device_block(void* address, Physical* physical) {
  void* const bytes = host_gpu::reserve_range(nullptr, physical->size, host_gpu::kGranule);
  if (bytes == nullptr || !host_gpu::map_bytes(bytes, *physical, physical->size)) return false;
  memory().blocks[reinterpret_cast<uintptr_t>(address)] = {.size = physical->size,
                                                           .bytes = static_cast<char*>(bytes),
                                                           .kind = Kind::kDevice,
                                                           .device = physical->device,
                                                           .physical = physical,
                                                           .mappings = {}};
  return true;
}

// Away from reserved addresses, as with CUDA: a program may look a little behind its own.
cudaError_t allocate_on_host(void** address, uint64_t size, Kind kind) {
  static std::atomic<uintptr_t> next{uintptr_t{0x3000} << 32};
  const uint64_t room = whole_pages(size);
  auto* const hint = reinterpret_cast<void*>(next.fetch_add(room));
  void* const made =
      mmap(hint, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return note(cudaErrorMemoryAllocation);
  *address = made;
  const std::unique_lock lock(memory().mutex);
  memory().blocks[reinterpret_cast<uintptr_t>(made)] = {.size = room,
                                                        .bytes = static_cast<char*>(made),
                                                        .kind = kind,
                                                        .device = host_gpu::current_device(),
                                                        .physical = nullptr,
                                                        .mappings = {}};
  return cudaSuccess;
}

cudaError_t remove(void* address) {
  const std::unique_lock lock(memory().mutex);
  const auto found = memory().blocks.find(reinterpret_cast<uintptr_t>(address));
  if (found == memory().blocks.end() || found->second.kind == Kind::kRegistered ||
      found->second.kind == Kind::kReserved) {
    return note(cudaErrorInvalidValue);
  }
  const Block block = found->second;
  memory().blocks.erase(found);
  if (block.physical == nullptr) {
    munmap(address, block.size);
    return cudaSuccess;
  }
  munmap(address, block.size);
  munmap(block.bytes, block.size);
  --block.physical->handles;
  memory().drop_if_unused(block.physical);
  return cudaSuccess;
}

}  // namespace

extern "C" cudaError_t CUDARTAPI cudaMalloc(void** address, size_t size) {
  const int device = host_gpu::current_device();
  if (const cudaError_t failed = host_gpu::failure_of(device)) return note(failed);
  const std::unique_lock lock(memory().mutex);
  Physical* const physical =
      memory().take({.size = whole_pages(size), .device = device, .may_be_exported = true});
  if (physical == nullptr) return note(cudaErrorMemoryAllocation);
  *address = host_gpu::reserve_range(nullptr, physical->size, host_gpu::kGranule);
  return add_device_block(*address, physical) ? cudaSuccess : note(cudaErrorMemoryAllocation);
}

extern "C" cudaError_t CUDARTAPI cudaFree(void* address) {
  if (address == nullptr) return cudaSuccess;
  host_gpu::wait_for_device(host_gpu::current_device());
  return remove(address);
}

extern "C" cudaError_t CUDARTAPI cudaHostAlloc(void** address, size_t size,
                                               unsigned int /*flags*/) {
  return allocate_on_host(address, size, Kind::kPinned);
}

extern "C" cudaError_t CUDARTAPI cudaFreeHost(void* address) {
  return address != nullptr ? remove(address) : cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaMallocManaged(void** address, size_t size,
                                                   unsigned int /*flags*/) {
  return allocate_on_host(address, size, Kind::kManaged);
}

extern "C" cudaError_t CUDARTAPI cudaHostRegister(void* address, size_t size,
                                                  unsigned int /*flags*/) {
  const std::unique_lock lock(memory().mutex);
  for (uint64_t at = 0; at < size; at += kPage) {
    if (memory().find(static_cast<char*>(address) + at) != nullptr) {
      return note(cudaErrorHostMemoryAlreadyRegistered);
    }
  }
  // Memory that is there and may be written.
  if (madvise(address, size, MADV_POPULATE_WRITE) != 0) return note(cudaErrorInvalidValue);
  memory().blocks[reinterpret_cast<uintptr_t>(address)] = {.size = size,
                                                           .bytes = static_cast<char*>(address),
                                                           .kind = Kind::kRegistered,
                                                           .device = host_gpu::current_device(),
                                                           .physical = nullptr,
                                                           .mappings = {}};
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaHostUnregister(void* address) {
  const std::unique_lock lock(memory().mutex);
  const auto found = memory().blocks.find(reinterpret_cast<uintptr_t>(address));
  if (found == memory().blocks.end() || found->second.kind != Kind::kRegistered) {
    return note(cudaErrorHostMemoryNotRegistered);
  }
  memory().blocks.erase(found);
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  const std::shared_lock lock(memory().mutex);
  *total = host_gpu::capacity();
  *free_bytes = *total - memory().used[host_gpu::current_device()];
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                                          const void* address) {
  *attributes = {};
  const std::shared_lock lock(memory().mutex);
  const Block* block = memory().find(address);
  if (block == nullptr) return cudaSuccess;
  switch (block->kind) {
    case Kind::kDevice:
    case Kind::kReserved:
      attributes->type = cudaMemoryTypeDevice;
      break;
    case Kind::kManaged:
      attributes->type = cudaMemoryTypeManaged;
      break;
    default:
      attributes->type = cudaMemoryTypeHost;
  }
  attributes->device = block->device;
  return cudaSuccess;
}

// ---- memory of other processes ----

extern "C" cudaError_t CUDARTAPI cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* address) {
  if (const CUresult refused = host_gpu::refusal_of("cudaIpcGetMemHandle")) {
    return note(static_cast<cudaError_t>(refused));
  }
  const std::unique_lock lock(memory().mutex);
  const auto found = memory().blocks.find(reinterpret_cast<uintptr_t>(address));
  if (found == memory().blocks.end() || found->second.physical == nullptr) {
    return note(cudaErrorInvalidValue);
  }
  found->second.physical->was_exported = true;
  const host_gpu::Token token = host_gpu::token_of(*found->second.physical);
  static_assert(sizeof token <= sizeof *handle);
  std::memset(handle, 0, sizeof *handle);
  std::memcpy(handle, &token, sizeof token);
  return cudaSuccess;
}

namespace {

// What this process has opened: once per handle.
struct Opened {
  host_gpu::Token token{};
  int users = 0;
};
std::map<void*, Opened>& opened() {
  static auto* all = new std::map<void*, Opened>;
  return *all;
}

}  // namespace

extern "C" cudaError_t CUDARTAPI cudaIpcOpenMemHandle(void** address, cudaIpcMemHandle_t handle,
                                                      unsigned int /*flags*/) {
  host_gpu::Token token{};
  std::memcpy(&token, &handle, sizeof token);
  if (token.process == getpid()) return note(cudaErrorDeviceUninitialized);
  const std::unique_lock lock(memory().mutex);
  for (auto& [known, each] : opened()) {
    if (std::memcmp(&each.token, &token, sizeof token) != 0) continue;
    ++each.users;
    *address = known;
    return cudaSuccess;
  }
  Physical* const physical = host_gpu::import(token);
  if (physical == nullptr) return note(cudaErrorMapBufferObjectFailed);
  *address = host_gpu::reserve_range(nullptr, physical->size, host_gpu::kGranule);
  if (!add_device_block(*address, physical)) return note(cudaErrorMemoryAllocation);
  opened()[*address] = {.token = token, .users = 1};
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaIpcCloseMemHandle(void* address) {
  {
    const std::unique_lock lock(memory().mutex);
    const auto found = opened().find(address);
    if (found == opened().end()) return note(cudaErrorInvalidValue);
    if (--found->second.users > 0) return cudaSuccess;
    opened().erase(found);
  }
  return remove(address);
}
