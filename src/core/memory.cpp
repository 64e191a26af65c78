// SPDX-License-Identifier: Apache-2.0
// Memory: the backend provides it, the registry records it.
#include "core/memory.h"

#include "core/host_probe.h"
#include "core/runtime.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace ferry {
namespace {

Result<AllocationRegistry*> registry() {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  return &(*runtime)->memory();
}

Status fail_unknown(const char* argument, const char* what, const void* address,
                    const AllocationRegistry& memory) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, Value::alone(address))
      .because(" is not the start of %s: it is %s", what, memory.describe(address).c_str());
}

Status remember(const ferryx_memory& memory) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  if ((*live)->insert(memory)) return {};
  return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
              "the backend returned memory at %p that is in use", memory.address);
}

// Memory of aclrtMallocHost may be registered and keeps its kind.
Status check_registrable(AllocationRegistry& live, const void* address, uint64_t size,
                         bool& is_known_memory) {
  ferryx_memory known{};
  is_known_memory = live.find(address, known);
  if (is_known_memory) {
    const auto offset = static_cast<uint64_t>(static_cast<const char*>(address) -
                                              static_cast<const char*>(known.address));
    if (known.kind == FERRYX_MEMORY_PINNED && size <= known.size - offset) return {};
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", address)
        .because(" and %llu bytes, which is %s and cannot be registered",
                 static_cast<unsigned long long>(size), live.describe(address).c_str());
  }
  if (live.overlaps(address, size)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", address)
        .because(" and %llu bytes, a part of which is memory of this runtime",
                 static_cast<unsigned long long>(size));
  }
  if (is_host_memory_accessible(address, size, Access::kRead)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", address)
      .because(" and %llu bytes, which the host may not read",
               static_cast<unsigned long long>(size));
}

Status fail_registered(const void* address, uint64_t size) {
  return reject(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, kEE1018, "ptr", address)
      .because(" and %llu bytes, which overlaps a range that is registered already",
               static_cast<unsigned long long>(size));
}

void forget(AllocationRegistry& live, void* address, const Registration& registration) {
  ferryx_memory removed{};
  if (!registration.is_known_memory) live.remove(address, FERRYX_MEMORY_REGISTERED, removed);
  if (registration.is_mapped) {
    live.remove(registration.mapped.address, FERRYX_MEMORY_MAPPED, removed);
  }
}

// Which module has allocated what. May be shared between threads; never destroyed.
class UsageBook {
 public:
  void add(const ferryx_memory& memory, uint32_t module) {
    const std::lock_guard lock(mutex_);
    module_of_[memory.address] = module;
    ModuleUsage& usage = usage_[{memory.device, module}];
    usage.module = module;
    usage.bytes += memory.size;
    usage.peak_bytes = std::max(usage.peak_bytes, usage.bytes);
  }

  void remove(const ferryx_memory& memory) {
    const std::lock_guard lock(mutex_);
    const auto found = module_of_.find(memory.address);
    if (found == module_of_.end()) return;
    usage_[{memory.device, found->second}].bytes -= memory.size;
    module_of_.erase(found);
  }

  std::vector<ModuleUsage> of_device(uint32_t device) const {
    std::vector<ModuleUsage> list;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [key, usage] : usage_) {
        if (key.first == device) list.push_back(usage);
      }
    }
    std::sort(list.begin(), list.end(),
              [](const ModuleUsage& a, const ModuleUsage& b) { return a.bytes > b.bytes; });
    return list;
  }

 private:
  mutable std::mutex mutex_;  // guards the members below
  std::unordered_map<const void*, uint32_t> module_of_;
  std::map<std::pair<uint32_t, uint32_t>, ModuleUsage> usage_;  // by device and module
};

UsageBook& usage_book() {
  static auto* book = new UsageBook;
  return *book;
}

}  // namespace

std::vector<ModuleUsage> memory_usage(const Device& device) {
  return usage_book().of_device(static_cast<uint32_t>(device.id()));
}

Status allocate_device_memory(Device& device, uint64_t size, const MemoryWish& wish,
                              void** address) {
  ferryx_memory memory{};
  FERRY_RETURN_IF_ERROR(
      Status(device.backend().memory_alloc(device.handle(), size, wish.policy, &memory)));
  memory.device = static_cast<uint32_t>(device.id());
  FERRY_RETURN_IF_ERROR(remember(memory));
  usage_book().add(memory, wish.module);
  *address = memory.address;
  return {};
}

Status free_device_memory(void* address) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  ferryx_memory memory{};
  if (!(*live)->remove(address, FERRYX_MEMORY_DEVICE, memory)) {
    return fail_unknown("devPtr", "device memory", address, **live);
  }
  FERRY_TRY(Device*, device, find_device(memory.device));
  usage_book().remove(memory);
  (*device)->backend().memory_free((*device)->handle(), &memory);
  return {};
}

Status allocate_host_memory(Device& device, uint64_t size, void** address) {
  ferryx_memory memory{};
  FERRY_RETURN_IF_ERROR(Status(device.backend().host_alloc(device.handle(), size, &memory)));
  memory.device = static_cast<uint32_t>(device.id());
  FERRY_RETURN_IF_ERROR(remember(memory));
  *address = memory.address;
  return {};
}

Status free_host_memory(void* address) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  ferryx_memory memory{};
  if (!(*live)->remove(address, FERRYX_MEMORY_PINNED, memory)) {
    return fail_unknown("hostPtr", "memory of aclrtMallocHost", address, **live);
  }
  FERRY_TRY(Device*, device, find_device(memory.device));
  (*device)->backend().host_free((*device)->handle(), &memory);
  return {};
}

Status register_host_memory(Device& device, void* address, uint64_t size, Mapping mapping,
                            void** device_address) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  FERRY_RETURN_IF_ERROR(check_not_registered(address, size));
  Registration registration{.size = size,
                            .device = &device,
                            .is_mapped = mapping == Mapping::kMapped,
                            .is_known_memory = false,
                            .mapped = {}};
  FERRY_RETURN_IF_ERROR(check_registrable(**live, address, size, registration.is_known_memory));
  ferryx_memory* mapped = registration.is_mapped ? &registration.mapped : nullptr;
  FERRY_RETURN_IF_ERROR(
      Status(device.backend().host_register(device.handle(), address, size, mapped)));
  registration.mapped.device = static_cast<uint32_t>(device.id());
  // Claims the range: of two threads that register overlapping ranges, one fails here.
  if (!(*live)->add_registration(address, registration)) {
    device.backend().host_unregister(device.handle(), address, size, mapped);
    return fail_registered(address, size);
  }
  if (!registration.is_known_memory) {
    FERRY_RETURN_IF_ERROR(remember({.address = address,
                                    .size = size,
                                    .storage = address,
                                    .kind = FERRYX_MEMORY_REGISTERED,
                                    .device = static_cast<uint32_t>(device.id())}));
  }
  if (registration.is_mapped) {
    FERRY_RETURN_IF_ERROR(remember(registration.mapped));
    if (device_address != nullptr) *device_address = registration.mapped.address;
  }
  return {};
}

Status check_not_registered(void* address, uint64_t size) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  return (*live)->is_any_registered(address, size) ? fail_registered(address, size) : Status();
}

Status unregister_host_memory(void* address) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  const std::optional<Registration> registration = (*live)->remove_registration(address);
  if (!registration.has_value()) {
    return reject(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, kEE1018, "ptr", address)
        .because(", which is not the start of registered memory: it is %s",
                 (*live)->describe(address).c_str());
  }
  forget(**live, address, *registration);
  Device& device = *registration->device;
  device.backend().host_unregister(device.handle(), address, registration->size,
                                   registration->is_mapped ? &registration->mapped : nullptr);
  return {};
}

Status device_address_of(void* host_address, void** device_address) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  const auto found = (*live)->find_registration(host_address);
  if (!found.has_value() || !found->second.is_mapped) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "pHost", host_address)
        .because(", which is not host memory registered as mapped: it is %s",
                 (*live)->describe(host_address).c_str());
  }
  const auto offset = static_cast<char*>(host_address) - static_cast<char*>(found->first);
  *device_address = static_cast<char*>(found->second.mapped.address) + offset;
  return {};
}

}  // namespace ferry
