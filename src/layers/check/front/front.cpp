// SPDX-License-Identifier: Apache-2.0
// The function table of the checker's front, its devices, and work executed during a call.
#include "layers/check/front/front.h"

#include "layers/check/calls/call.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/front/ranges_of_work.h"

#include "acl/acl_base_rt.h"

#include <atomic>

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
  ferryx_instance* opened = nullptr;
  const int code = inner->open(inner, runtime, settings, counts, &opened);
  if (code == ACL_SUCCESS) *instance = wrap(new Wrapped<ferryx_instance>(inner, opened));
  return code;
}

int device_open(ferryx_instance* instance, uint32_t index, uint32_t number,
                ferryx_device** device) {
  const Wrapped<ferryx_instance>& own = wrapped(instance);
  ferryx_device* inner = nullptr;
  const int code = own.inner->device_open(own.handle, index, number, &inner);
  if (code == ACL_SUCCESS)
    *device = wrap<ferryx_device>(new CheckedDevice(own.inner, inner, number));
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

int host_alloc(ferryx_device* device, uint64_t size, ferryx_memory* memory) {
  return checked(device).allocate_host(size, *memory);
}

void host_free(ferryx_device* device, const ferryx_memory* memory) {
  checked(device).free_host(*memory);
}

int host_register(ferryx_device* device, void* address, uint64_t size, ferryx_memory* mapped) {
  return checked(device).register_host(address, size, mapped);
}

void host_unregister(ferryx_device* device, void* address, uint64_t size,
                     const ferryx_memory* mapped) {
  checked(device).unregister_host(address, size, mapped);
}

int device_execute(ferryx_device* device, const ferryx_work* work) {
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
  slots::set_queue_slots(table);
  slots::set_point_slots(table);
  // World needs the items of a batch one by one.
  return put_in_front(backend, table, FERRYX_TAKES_COLUMNS);
}

}  // namespace ferry::layers::check
