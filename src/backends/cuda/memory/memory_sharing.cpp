// SPDX-License-Identifier: Apache-2.0
// Memory of several processes. Physical memory travels as a descriptor of CUDA, which keeps the
// memory alive wherever it is. Memory of cudaMalloc has none: its name (cudaIpc) travels in a file,
// and is valid as long as the exporter has the memory, which the runtime sees to.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create
#endif

#include "backends/cuda/memory/driver_memory.h"
#include "backends/cuda/memory/physical_memory.h"
#include "backends/cuda/plugin/device.h"
#include "backends/cuda/plugin/gate.h"
#include "backends/cuda/plugin/services.h"

#include "acl/error_codes/rt_error_codes.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <memory>

namespace ferry::cuda {
namespace {

// The file that stands for memory of cudaMalloc.
struct Card {
  char title[16] = "ferry-cuda-ipc1";
  cudaIpcMemHandle_t handle{};
  uint64_t size = 0;
  uint64_t exporter = 0;
};

// A random number that stands for this process: pids repeat in containers.
uint64_t this_process() {
  static const uint64_t number = [] {
    uint64_t drawn = 0;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) drawn = static_cast<uint64_t>(getpid());
    return drawn;
  }();
  return number;
}

int write_card(const Card& card, int& file) {
  file = memfd_create("ferry-cuda-memory", MFD_CLOEXEC);
  if (file >= 0 && write(file, &card, sizeof card) == static_cast<ssize_t>(sizeof card)) {
    return ACL_RT_SUCCESS;
  }
  const int reason = errno;
  if (file >= 0) close(file);
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              "a file that names the memory for other processes cannot be made: %s (see ulimit -n)",
              std::strerror(reason));
}

bool read_card(int file, Card& card) {
  Card found;
  if (pread(file, &found, sizeof found, 0) != static_cast<ssize_t>(sizeof found) ||
      std::memcmp(found.title, card.title, sizeof card.title) != 0) {
    return false;
  }
  card = found;
  return true;
}

int fail_importing(const Trouble& trouble) {
  return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
              "memory of another process cannot be opened: is it of a CUDA device, too? %s",
              trouble.text.c_str());
}

int open_card(ferryx_device& device, const ferryx_shared& shared, const Card& card,
              ferryx_physical& made) {
  if (shared.offset > card.size || shared.size > card.size - shared.offset) {
    return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                "%" PRIu64 " bytes from byte %" PRIu64 " on leave the %" PRIu64
                " bytes that another process has exported",
                shared.size, shared.offset, card.size);
  }
  if (card.exporter == this_process()) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "CUDA has no second address for an allocation in the process that has exported it: "
                "use memory of aclrtMallocPhysical");
  }
  const Trouble trouble = device.call_here("opening memory of another process", [&] {
    return cudaIpcOpenMemHandle(&made.opened, card.handle, cudaIpcMemLazyEnablePeerAccess);
  });
  return trouble.ok() ? ACL_RT_SUCCESS : fail_importing(trouble);
}

int open_descriptor(ferryx_device& device, const ferryx_shared& shared, ferryx_physical& made) {
  if (!driver_memory().serves(device.index)) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "CUDA device %d or its driver has no virtual memory, which memory of other "
                "processes needs",
                device.index);
  }
  CUmemAllocationProp found{};
  const Trouble trouble = device.call_here("opening memory of another process", [&] {
    auto* const file = reinterpret_cast<void*>(static_cast<uintptr_t>(shared.file));
    const CUresult opened =
        driver_memory().import_handle(&made.handle, file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    if (opened != CUDA_SUCCESS) return runtime_error(opened);
    return runtime_error(driver_memory().properties(&found, made.handle));
  });
  if (!trouble.ok()) {
    if (made.handle != 0) driver_memory().release(made.handle);
    return fail_importing(trouble);
  }
  made.is_host = found.location.type != CU_MEM_LOCATION_TYPE_DEVICE;
  made.node = made.is_host ? found.location.id : 0;
  return ACL_RT_SUCCESS;
}

}  // namespace

int export_physical(ferryx_device& device, const ferryx_physical& physical, ferryx_shared& shared) {
  if (!physical.is_shareable) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "CUDA device %d or its driver cannot give memory to other processes (file "
                "descriptors of memory)",
                device.index);
  }
  int file = -1;
  const Trouble trouble = device.call_here("exporting memory (see ulimit -n)", [&] {
    return runtime_error(driver_memory().export_handle(
        &file, physical.handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  });
  if (!trouble.ok()) return fail(trouble);
  shared.file = file;
  shared.offset = 0;
  shared.size = physical.size;
  shared.is_host = physical.is_host ? 1 : 0;
  return ACL_RT_SUCCESS;
}

int export_memory(ferryx_device& device, const ferryx_memory& memory, ferryx_shared& shared) {
  Card card;
  card.exporter = this_process();
  // The runtime shares whole pages.
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  card.size = (memory.size + page - 1) / page * page;
  const Trouble trouble = device.call_here("exporting memory to other processes", [&] {
    return cudaIpcGetMemHandle(&card.handle, memory.address);
  });
  if (!trouble.ok()) return fail(trouble);
  if (const int error = write_card(card, shared.file); error != ACL_RT_SUCCESS) return error;
  shared.offset = 0;
  shared.size = memory.size;
  shared.is_host = 0;
  return ACL_RT_SUCCESS;
}

int import_physical(ferryx_device& device, const ferryx_shared& shared,
                    ferryx_physical** physical) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  auto made = std::make_unique<ferryx_physical>();
  made->size = shared.size;
  made->offset = shared.offset;
  Card card;
  const int error = read_card(shared.file, card) ? open_card(device, shared, card, *made)
                                                 : open_descriptor(device, shared, *made);
  if (error != ACL_RT_SUCCESS) return error;
  *physical = made.release();
  return ACL_RT_SUCCESS;
}

}  // namespace ferry::cuda
