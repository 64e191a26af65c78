// SPDX-License-Identifier: Apache-2.0
// Allocating, freeing and registering memory. The registry of live memory: allocation_registry.h.
#pragma once

#include "base/status.h"
#include "core/device.h"

#include <cstdint>
#include <vector>

namespace ferry {

// The module a program allocates for unless it names another.
constexpr uint32_t kDefaultModule = 33;

struct MemoryWish {
  uint32_t policy = 0;
  uint32_t module = kDefaultModule;
};

// What the program has asked for, and what it may use.
struct PaddedSize {
  uint64_t requested = 0;
  uint64_t padded = 0;
};

// 207001 when the device's memory is used up.
Status allocate_device_memory(Device& device, const PaddedSize& size, const MemoryWish& wish,
                              void** address);
// 107000 when it is not the start of live device or managed memory. Needs no context. Memory of a
// pool is freed at once, too.
Status free_device_memory(void* address);
// The same without an error: false when there is nothing to free.
bool free_if_live(void* address);

// Memory of the backend that no address of the program refers to yet, or any more. 207001 as above.
Result<ferryx_memory> take_device_memory(Device& device, const PaddedSize& size,
                                         const MemoryWish& wish);
void give_back_device_memory(Device& device, const ferryx_memory& memory);

// Memory for the host and all devices, in whole pages (managed_hints.h). 207000 when the device has
// none. Freed by free_device_memory.
Status allocate_managed_memory(Device& device, uint64_t size, void** address);

Status allocate_host_memory(Device& device, uint64_t size, void** address);
Status free_host_memory(void* address);

// Registered memory counts as pinned. kMapped: the device gets an address for it, too.
enum class Mapping { kNone, kMapped };
// 507910 when the range overlaps a registered one; 107000 when the host may not access it, or when
// it is partly memory the runtime knows already. `device_address` receives the device's address.
Status register_host_memory(Device& device, void* address, uint64_t size, Mapping mapping,
                            void** device_address);
// 507910 when any part of the range is registered.
Status check_not_registered(void* address, uint64_t size);
// 507911 when no registration starts there.
Status unregister_host_memory(void* address);
// 107000 when the address is not in host memory registered as mapped.
Status device_address_of(void* host_address, void** device_address);

// What each module has allocated on a device, the largest first.
struct ModuleUsage {
  uint32_t module = 0;
  uint64_t bytes = 0;
  uint64_t peak_bytes = 0;
};
std::vector<ModuleUsage> memory_usage(const Device& device);

}  // namespace ferry
