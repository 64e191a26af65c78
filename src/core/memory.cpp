// SPDX-License-Identifier: Apache-2.0
// Memory: the backend provides it, the registry records it.
#include "core/memory.h"

#include "base/error_state.h"
#include "core/host_probe.h"
#include "core/ipc_memory.h"
#include "core/managed_hints.h"
#include "core/memory_pool.h"
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

Status remember(const ferryx_memory& memory, uint64_t requested) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  if ((*live)->insert(memory, requested)) return {};
  return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
              "the backend returned memory at %p that is in use", memory.address);
}

// The backend knows only the size with padding; the program is told its own number, too.
Status fail_allocating(Status failure, const PaddedSize& size) {
  const std::string reason = recent_error().sentence();
  return reject(failure, recent_error().message, "size", size.requested)
      .because(", with padding %llu: %s", static_cast<unsigned long long>(size.padded),
               reason.c_str());
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
  if (is_host_memory_mapped(address, size, Access::kRead)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", address)
      .because(" and %llu bytes, which the host may not read",
               static_cast<unsigned long long>(size));
}

// A backend whose device writes memory by itself can only pin pages that the host may write.
Status fail_registering(Status status, const void* address, uint64_t size) {
  if (is_host_memory_mapped(address, size, Access::kWrite)) return status;
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", address)
      .because(" and %llu bytes, which the host may not write: this device cannot register it",
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
    ModuleUsage& usage = usage_[{memory.device, module}];
    usage.module = module;
    module_of_[memory.address] = module;
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

// Memory of a backend that goes back to it unless everything has been recorded.
struct NewMemory {
  using Free = void (*ferryx_backend::*)(ferryx_device*, const ferryx_memory*);

  NewMemory(Device& of_device, Free slot) : device(of_device), free(slot), book(usage_book()) {}
  ~NewMemory() {
    if (is_kept || memory.address == nullptr) return;
    book.remove(memory);
    (device.tapped().*free)(device.handle(), &memory);
  }
  NewMemory(const NewMemory&) = delete;
  NewMemory& operator=(const NewMemory&) = delete;

  Device& device;
  const Free free;
  UsageBook& book;  // exists before the memory does: the destructor cannot make it
  ferryx_memory memory{};
  bool is_kept = false;
};

// The hints of managed memory, removed unless everything has been recorded.
struct NewHints {
  explicit NewHints(const ferryx_memory& memory) : address(memory.address) {
    ManagedHints::instance().add(memory);
  }
  ~NewHints() {
    if (!is_kept) ManagedHints::instance().remove(address);
  }
  NewHints(const NewHints&) = delete;
  NewHints& operator=(const NewHints&) = delete;

  const void* const address;
  bool is_kept = false;
};

Status free_managed_memory(const ferryx_memory& memory) {
  FERRY_TRY(Device*, device, find_device(memory.device));
  ManagedHints::instance().remove(memory.address);
  (*device)->tapped().managed_free((*device)->handle(), &memory);
  return {};
}

// A registration that is undone unless it is complete.
struct NewRegistration {
  NewRegistration(AllocationRegistry& registry, void* host_address, const Registration& wish)
      : live(registry), address(host_address), registration(wish) {}
  ~NewRegistration() {
    if (is_complete || !is_made) return;
    if (is_claimed) {
      live.remove_registration(address);
      forget(live, address, registration);
    }
    registration.device->tapped().host_unregister(registration.device->handle(), address,
                                                  registration.size, mapped());
  }
  NewRegistration(const NewRegistration&) = delete;
  NewRegistration& operator=(const NewRegistration&) = delete;

  ferryx_memory* mapped() { return registration.is_mapped ? &registration.mapped : nullptr; }

  AllocationRegistry& live;
  void* const address;
  Registration registration;
  bool is_made = false;     // the backend knows it
  bool is_claimed = false;  // the range is taken
  bool is_complete = false;
};

}  // namespace

std::vector<ModuleUsage> memory_usage(const Device& device) {
  return usage_book().of_device(static_cast<uint32_t>(device.id()));
}

Result<ferryx_memory> take_device_memory(Device& device, const PaddedSize& size,
                                         const MemoryWish& wish) {
  NewMemory made(device, &ferryx_backend::memory_free);
  const Status allocated(
      device.tapped().memory_alloc(device.handle(), size.padded, wish.policy, &made.memory));
  if (!allocated.ok()) return fail_allocating(allocated, size);
  made.memory.device = static_cast<uint32_t>(device.id());
  made.book.add(made.memory, wish.module);
  made.is_kept = true;
  return made.memory;
}

void give_back_device_memory(Device& device, const ferryx_memory& memory) {
  usage_book().remove(memory);
  device.tapped().memory_free(device.handle(), &memory);
}

Status allocate_device_memory(Device& device, const PaddedSize& size, const MemoryWish& wish,
                              void** address) {
  NewMemory made(device, &ferryx_backend::memory_free);
  FERRY_TRY(ferryx_memory, taken, take_device_memory(device, size, wish));
  made.memory = *taken;
  FERRY_RETURN_IF_ERROR(remember(made.memory, size.requested));
  made.is_kept = true;
  *address = made.memory.address;
  return {};
}

bool free_if_live(void* address) {
  Result<Runtime*> runtime = Runtime::get();
  if (!runtime.ok()) return false;
  // Imported memory lives until it is closed.
  if (IpcMemory::instance().is_imported(address)) return false;
  ferryx_memory memory{};
  if (!(*runtime)->memory().remove(address, FERRYX_MEMORY_DEVICE, memory)) return false;
  if (IpcMemory::instance().keep_freed(memory)) return true;
  Result<Device*> device = (*runtime)->device(memory.device);
  if (device.ok()) give_back_device_memory(**device, memory);
  return true;
}

Status allocate_managed_memory(Device& device, uint64_t size, void** address) {
  if (device.backend().managed_alloc == nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "device %d (%s) has no managed memory",
                device.id(), device.backend().name);
  }
  if (size > UINT64_MAX - kManagedPage) {
    return reject(ACL_ERROR_RT_MEMORY_ALLOCATION, kEE1011, "size", size)
        .because(", which is too large in pages of 2 MiB");
  }
  NewMemory made(device, &ferryx_backend::managed_free);
  const PaddedSize rounded{.requested = size,
                           .padded = (size + kManagedPage - 1) / kManagedPage * kManagedPage};
  const Status allocated(
      device.tapped().managed_alloc(device.handle(), rounded.padded, &made.memory));
  if (!allocated.ok()) return fail_allocating(allocated, rounded);
  made.memory.device = static_cast<uint32_t>(device.id());
  NewHints hints(made.memory);
  FERRY_RETURN_IF_ERROR(remember(made.memory, rounded.requested));
  made.is_kept = hints.is_kept = true;
  *address = made.memory.address;
  return {};
}

Status free_device_memory(void* address) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  switch (free_pool_memory_now(address)) {
    case PoolFree::kDone:
      return {};
    case PoolFree::kFreedAlready:
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "devPtr", Value::alone(address))
          .because(" was passed to aclrtMemPoolFreeAsync before");
    case PoolFree::kNotInPool:
      break;
  }
  if (free_if_live(address)) return {};
  ferryx_memory memory{};
  if ((*live)->remove(address, FERRYX_MEMORY_MANAGED, memory)) return free_managed_memory(memory);
  return fail_unknown("devPtr", "device memory", address, **live);
}

Status allocate_host_memory(Device& device, uint64_t size, void** address) {
  NewMemory made(device, &ferryx_backend::host_free);
  FERRY_RETURN_IF_ERROR(Status(device.tapped().host_alloc(device.handle(), size, &made.memory)));
  made.memory.device = static_cast<uint32_t>(device.id());
  FERRY_RETURN_IF_ERROR(remember(made.memory, size));
  made.is_kept = true;
  *address = made.memory.address;
  return {};
}

Status free_host_memory(void* address) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  ferryx_memory memory{};
  if (!(*live)->remove(address, FERRYX_MEMORY_PINNED, memory)) {
    return fail_unknown("hostPtr", "memory of aclrtMallocHost", address, **live);
  }
  FERRY_TRY(Device*, device, find_device(memory.device));
  (*device)->tapped().host_free((*device)->handle(), &memory);
  return {};
}

Status register_host_memory(Device& device, void* address, uint64_t size, Mapping mapping,
                            void** device_address) {
  FERRY_TRY(AllocationRegistry*, live, registry());
  FERRY_RETURN_IF_ERROR(check_not_registered(address, size));
  NewRegistration made(**live, address,
                       {.size = size,
                        .device = &device,
                        .is_mapped = mapping == Mapping::kMapped,
                        .is_known_memory = false,
                        .mapped = {}});
  Registration& registration = made.registration;
  const Status registrable = check_registrable(**live, address, size, registration.is_known_memory);
  if (!registrable.ok()) {
    // It may be known because another thread has registered it since the first check.
    FERRY_RETURN_IF_ERROR(check_not_registered(address, size));
    return registrable;
  }
  const Status registered(
      device.tapped().host_register(device.handle(), address, size, made.mapped()));
  if (!registered.ok()) return fail_registering(registered, address, size);
  made.is_made = true;
  registration.mapped.device = static_cast<uint32_t>(device.id());
  // Claims the range: of two threads that register overlapping ranges, one fails here.
  made.is_claimed = (*live)->add_registration(address, registration);
  if (!made.is_claimed) return fail_registered(address, size);
  if (!registration.is_known_memory) {
    FERRY_RETURN_IF_ERROR(remember({.address = address,
                                    .size = size,
                                    .storage = address,
                                    .kind = FERRYX_MEMORY_REGISTERED,
                                    .device = static_cast<uint32_t>(device.id())},
                                   size));
  }
  if (registration.is_mapped) {
    FERRY_RETURN_IF_ERROR(remember(registration.mapped, size));
    if (device_address != nullptr) *device_address = registration.mapped.address;
  }
  made.is_complete = true;
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
  device.tapped().host_unregister(device.handle(), address, registration->size,
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
