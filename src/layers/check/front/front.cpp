// SPDX-License-Identifier: Apache-2.0
// The function table of the checker's front, its devices, and work executed during a call.
#include "layers/check/front/front.h"

#include "layers/check/calls/call.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/front/ranges_of_work.h"

#include "acl/acl_base_rt.h"

#include <atomic>
#include <memory>

namespace ferry::layers::check {
namespace {

std::atomic<const ferryx_runtime*> runtime_of_all{nullptr};

}  // namespace

namespace slots {
namespace {

int open(const ferryx_backend* self, const ferryx_runtime* runtime, const ferryx_settings* settings,
         uint32_t* counts, ferryx_instance** instance) {
  runtime_of_all.store(runtime);
  const ferryx_backend* inner = inner_of(self);
  // Allocated first: an instance cannot be closed again.
  auto made = std::make_unique<Wrapped<ferryx_instance>>(inner, nullptr);
  const int code = inner->open(inner, runtime, settings, counts, &made->handle);
  if (code == ACL_SUCCESS) *instance = wrap(made.release());
  return code;
}

int device_open(ferryx_instance* instance, uint32_t index, uint32_t number,
                ferryx_device** device) {
  const Wrapped<ferryx_instance>& own = wrapped(instance);
  auto made = std::make_unique<CheckedDevice>(own.inner, nullptr, number);
  const int code = own.inner->device_open(own.handle, index, number, &made->handle);
  if (code == ACL_SUCCESS) *device = wrap<ferryx_device>(made.release());
  return code;
}

int device_memory(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
  CheckedDevice& own = checked(device);
  own.empty_quarantine();  // the program sees the memory it would see without the checker
  return own.inner->device_memory(own.handle, free_bytes, total_bytes);
}

int memory_alloc(ferryx_device* device, uint64_t size, uint32_t policy, ferryx_memory* memory) {
  return checked(device).allocate(size, policy, *memory);
}

void memory_free(ferryx_device* device, const ferryx_memory* memory) {
  checked(device).free(*memory);
}

void memory_rest(ferryx_device* device, const ferryx_memory* memory) {
  checked(device).rest(*memory);
}

void memory_reuse(ferryx_device* device, const ferryx_memory* memory) {
  checked(device).reuse(*memory);
}

int host_alloc(ferryx_device* device, uint64_t size, ferryx_memory* memory) {
  return checked(device).allocate_host(size, *memory);
}

void host_free(ferryx_device* device, const ferryx_memory* memory) {
  checked(device).free_host(*memory);
}

int managed_alloc(ferryx_device* device, uint64_t size, ferryx_memory* memory) {
  return checked(device).allocate_managed(size, *memory);
}

void managed_free(ferryx_device* device, const ferryx_memory* memory) {
  checked(device).free_host(*memory);
}

int host_register(ferryx_device* device, void* address, uint64_t size, ferryx_memory* mapped) {
  return checked(device).register_host(address, size, mapped);
}

void host_unregister(ferryx_device* device, void* address, uint64_t size,
                     const ferryx_memory* mapped) {
  checked(device).unregister_host(address, size, mapped);
}

void address_release(ferryx_instance* instance, const ferryx_memory* range) {
  world().addresses_released(*range);
  const Wrapped<ferryx_instance>& own = wrapped(instance);
  own.inner->address_release(own.handle, range);
}

int physical_map(ferryx_device* device, ferryx_physical* physical, const ferryx_memory* range,
                 uint64_t offset, uint64_t size, ferryx_memory* mapped) {
  return checked(device).map(physical, *range, offset, size, *mapped);
}

int physical_unmap(ferryx_device* device, const ferryx_memory* mapped) {
  return checked(device).unmap(*mapped);
}

void physical_release(ferryx_device* device, ferryx_physical* physical) {
  checked(device).release_physical(physical);
}

int physical_export(ferryx_device* device, ferryx_physical* physical, ferryx_shared* shared) {
  return checked(device).export_physical(physical, *shared);
}

int physical_import(ferryx_device* device, const ferryx_shared* shared,
                    ferryx_physical** physical) {
  return checked(device).import_physical(*shared, physical);
}

int memory_export(ferryx_device* device, const ferryx_memory* memory, ferryx_shared* shared) {
  return checked(device).export_memory(*memory, *shared);
}

int device_execute(ferryx_device* device, const ferryx_work* work) {
  if (work->origin.correlation == 0) {  // not the program's work: a snapshot saves all memory
    return checked(device).inner->device_execute(checked(device).handle, work);
  }
  const std::shared_ptr<Task> task = task_of(*work);
  task->function = work->origin.call;
  task->site = current_site();
  world().work_now(*task);
  await_told();
  return checked(device).inner->device_execute(checked(device).handle, work);
}

}  // namespace
}  // namespace slots

const ferryx_runtime* runtime_services() {
  return runtime_of_all.load();
}

const ferryx_backend* put_check_in_front(const ferryx_backend* backend) {
  ferryx_backend table = forwarding_table();
  table.open = slots::open;
  table.device_open = slots::device_open;
  table.device_memory = slots::device_memory;
  table.device_execute = slots::device_execute;
  table.memory_alloc = slots::memory_alloc;
  table.memory_free = slots::memory_free;
  table.host_alloc = slots::host_alloc;
  table.host_free = slots::host_free;
  table.host_register = slots::host_register;
  table.host_unregister = slots::host_unregister;
  table.managed_alloc = slots::managed_alloc;
  table.managed_free = slots::managed_free;
  table.address_release = slots::address_release;
  table.physical_map = slots::physical_map;
  table.physical_unmap = slots::physical_unmap;
  table.physical_release = slots::physical_release;
  table.physical_export = slots::physical_export;
  table.physical_import = slots::physical_import;
  table.memory_export = slots::memory_export;
  slots::set_queue_slots(table);
  slots::set_point_slots(table);
  // World needs the items of a batch one by one. What pools keep, and runs of models, concern World
  // alone.
  return put_in_front(backend, table, FERRYX_TAKES_COLUMNS, [](ferryx_backend& own) {
    own.memory_rest = slots::memory_rest;
    own.memory_reuse = slots::memory_reuse;
    slots::add_run_slots(own);
  });
}

}  // namespace ferry::layers::check
