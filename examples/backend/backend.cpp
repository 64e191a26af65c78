// SPDX-License-Identifier: Apache-2.0
// The slots of the arena backend, and the table that is made of them.
#include "memory.h"

#include <cstdlib>

struct ferryx_instance {
  uint64_t memory;  // of each device
};
struct ferryx_device : ferryx::Worker {
  explicit ferryx_device(uint64_t size)
      : Worker([](const ferryx_work& work) { move_bytes(work, true); }), memory{size}, host{size} {}
  Arena memory, host;
};

namespace {

// Every function has the name of its slot. A required one that is forgotten does not compile.
struct Slots : ferryx::WorkerSlots<ferryx_device> {
  static int open(const ferryx_backend* /*self*/, const ferryx_runtime* services,
                  const ferryx_settings* settings, uint32_t* counts, ferryx_instance** instance) {
    runtime = services;
    for (uint32_t i = 0; i < settings->entry_count; ++i) {
      const char* text = settings->entries[i];
      counts[i] = text == nullptr ? 1 : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
      if (counts[i] < 1 || counts[i] > 64)
        return runtime->fail(ACL_ERROR_RT_PARAM_INVALID,
                             "allowed is arena, or arena:1 to arena:64");
    }
    *instance = new ferryx_instance{settings->memory != 0 ? settings->memory : uint64_t{16} << 30};
    return ACL_RT_SUCCESS;
  }

  static int device_open(ferryx_instance* instance, uint32_t, uint32_t, ferryx_device** device) {
    *device = new ferryx_device(instance->memory);
    return ACL_RT_SUCCESS;
  }
  static int device_memory(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
    *total_bytes = device->memory.size;
    *free_bytes = device->memory.size - device->memory.used();
    return ACL_RT_SUCCESS;
  }
  static int device_execute(ferryx_device*, const ferryx_work* work) {
    try {
      move_bytes(*work, false);
      return ACL_RT_SUCCESS;
    } catch (const std::exception& wrong) {
      return runtime->fail(ACL_ERROR_RT_PARAM_INVALID, wrong.what());
    }
  }
  static int peer_enable(ferryx_device*, ferryx_device*) { return ACL_RT_SUCCESS; }
  static int peer_disable(ferryx_device*, ferryx_device*) { return ACL_RT_SUCCESS; }

  static int memory_alloc(ferryx_device* device, uint64_t size, uint32_t, ferryx_memory* memory) {
    return device->memory.take(size, FERRYX_MEMORY_DEVICE, memory);
  }
  static void memory_free(ferryx_device* device, const ferryx_memory* memory) {
    device->memory.give_back(memory);
  }
  static int host_alloc(ferryx_device* device, uint64_t size, ferryx_memory* memory) {
    return device->host.take(size, FERRYX_MEMORY_PINNED, memory);
  }
  static void host_free(ferryx_device* device, const ferryx_memory* memory) {
    device->host.give_back(memory);
  }
  // The device's view of host memory has addresses of its own.
  static int host_register(ferryx_device* device, void* address, uint64_t size,
                           ferryx_memory* mapped) {
    if (mapped == nullptr) return ACL_RT_SUCCESS;
    const int code = device->host.take(size, FERRYX_MEMORY_MAPPED, mapped);
    mapped->storage = address;
    return code;
  }
  static void host_unregister(ferryx_device* device, void*, uint64_t, const ferryx_memory* mapped) {
    if (mapped != nullptr) device->host.give_back(mapped);
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const ferryx_backend* ferryx_backend_table() {
  static constexpr ferryx_backend kTable{
      .struct_size = sizeof(ferryx_backend),
      .abi_major = FERRYX_ABI_MAJOR,
      .abi_minor = FERRYX_ABI_MINOR,
      .name = "arena",
      .capabilities = FERRYX_STORAGE_IS_HOST_MEMORY | FERRYX_OWNS_ADDRESSES | FERRYX_CHEAP_CALLOUTS,
#define FERRYX_SLOT(result, name, parameters, need, what) .name = Slots::name,
#include <ferry/backend_slots.def>
  };
  return &kTable;
}
