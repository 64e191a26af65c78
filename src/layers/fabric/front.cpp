// SPDX-License-Identifier: Apache-2.0
// The slots of the front.
#include "layers/fabric/front.h"

#include "base/helping.h"
#include "base/work.h"
#include "layers/fabric/fabric.h"
#include "layers/fabric/far_queue.h"
#include "layers/fabric/local_device.h"
#include "layers/fabric/local_uses.h"
#include "layers/fabric/remote_memory.h"
#include "layers/front/front.h"

#include "acl/error_codes/rt_error_codes.h"

#include <memory>
#include <string>

namespace ferry::layers::fabric {
namespace {

FarQueue& far(ferryx_queue* queue) {
  return static_cast<FarQueue&>(wrapped(queue));
}

// ---- the process ----

int fabric_open(const ferryx_backend* self, const ferryx_runtime* runtime,
                const ferryx_settings* settings, uint32_t* counts, ferryx_instance** instance) {
  runtime_of_front.store(runtime);
  const std::string wrong = Fabric::open(*runtime);
  if (!wrong.empty()) {
    return runtime->fail(ACL_ERROR_RT_DEV_SETUP_ERROR,
                         ("FERRY_FABRIC is set, but the fabric cannot start: " + wrong).c_str());
  }
  help_function.store([] {
    const Fabric& fabric = *Fabric::instance();
    return fabric.table().help(fabric.handle()) != 0;
  });
  return forwarding_table().open(self, runtime, settings, counts, instance);
}

void fabric_close(ferryx_instance* instance) {
  Fabric::instance()->close();
  const Wrapped<ferryx_instance>& own = wrapped(instance);
  if (own.inner->close != nullptr) own.inner->close(own.handle);
}

int fabric_device_open(ferryx_instance* instance, uint32_t index, uint32_t number,
                       ferryx_device** device) {
  const int code = forwarding_table().device_open(instance, index, number, device);
  if (code != ACL_RT_SUCCESS) return code;
  const Wrapped<ferryx_device>& own = wrapped(*device);
  note_device(number, own.inner, own.handle);
  return code;
}

// ---- memory ----

bool is_remote(const ferryx_memory* memory) {
  return memory->kind == FERRYX_MEMORY_REMOTE;
}

int fabric_physical_import(ferryx_device* device, const ferryx_shared* shared,
                           ferryx_physical** physical) {
  const Wrapped<ferryx_device>& own = wrapped(device);
  if (shared->remote == nullptr) return own.inner->physical_import(own.handle, shared, physical);
  *physical = RemoteMemory::instance().add(static_cast<ferryx_fabric_opening*>(shared->remote));
  return ACL_RT_SUCCESS;
}

void fabric_physical_release(ferryx_device* device, ferryx_physical* physical) {
  RemoteMemory& remote = RemoteMemory::instance();
  if (remote.has(physical)) return remote.remove(physical);
  const Wrapped<ferryx_device>& own = wrapped(device);
  own.inner->physical_release(own.handle, physical);
}

int fabric_physical_map(ferryx_device* device, ferryx_physical* physical,
                        const ferryx_memory* range, uint64_t offset, uint64_t size,
                        ferryx_memory* mapped) {
  RemoteMemory& remote = RemoteMemory::instance();
  if (!remote.has(physical)) {
    const Wrapped<ferryx_device>& own = wrapped(device);
    return own.inner->physical_map(own.handle, physical, range, offset, size, mapped);
  }
  *mapped = {.address = static_cast<char*>(range->address) + offset,
             .size = size,
             .storage = nullptr,
             .kind = FERRYX_MEMORY_REMOTE,
             .device = 0};
  remote.map(physical, mapped->address, size);
  return ACL_RT_SUCCESS;
}

int fabric_physical_unmap(ferryx_device* device, const ferryx_memory* mapped) {
  if (is_remote(mapped)) {
    RemoteMemory::instance().unmap(mapped->address);
    return ACL_RT_SUCCESS;
  }
  LocalUses::instance().wait_for(mapped->address, mapped->size);
  const Wrapped<ferryx_device>& own = wrapped(device);
  return own.inner->physical_unmap(own.handle, mapped);
}

int fabric_open_to_device(ferryx_device* device, ferryx_device* peer, const ferryx_memory* mapped) {
  if (is_remote(mapped)) return ACL_RT_SUCCESS;
  const Wrapped<ferryx_device>& own = wrapped(device);
  return own.inner->physical_open_to_device(own.handle, wrapped(peer).handle, mapped);
}

int fabric_open_to_host(ferryx_device* device, const ferryx_memory* mapped) {
  if (is_remote(mapped)) {
    return runtime_of_front.load()->fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        "code of the host cannot access memory of another host at its address: copy it");
  }
  const Wrapped<ferryx_device>& own = wrapped(device);
  return own.inner->physical_open_to_host(own.handle, mapped);
}

// Memory that goes away: transfers that use it finish first.
template <auto kSlot>
void free_when_unused(ferryx_device* device, const ferryx_memory* memory) {
  LocalUses::instance().wait_for(memory->address, memory->size);
  const Wrapped<ferryx_device>& own = wrapped(device);
  (own.inner->*kSlot)(own.handle, memory);
}

void fabric_host_unregister(ferryx_device* device, void* address, uint64_t size,
                            const ferryx_memory* mapped) {
  LocalUses::instance().wait_for(address, size);
  if (mapped != nullptr) LocalUses::instance().wait_for(mapped->address, mapped->size);
  const Wrapped<ferryx_device>& own = wrapped(device);
  own.inner->host_unregister(own.handle, address, size, mapped);
}

// ---- work ----

int fabric_execute(ferryx_device* device, const ferryx_work* work) {
  const Wrapped<ferryx_device>& own = wrapped(device);
  if (RemoteMemory::is_used() && may_be_far(*work, *own.inner)) return execute_far(*work);
  return own.inner->device_execute(own.handle, InnerWork(*work).get());
}

int fabric_queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                        ferryx_queue** queue) {
  const Wrapped<ferryx_device>& own = wrapped(device);
  auto made = std::make_unique<FarQueue>(own.inner, *settings);
  const int code = own.inner->queue_create(own.handle, settings, &made->handle);
  if (code == ACL_RT_SUCCESS) *queue = wrap<ferryx_queue>(made.release());
  return code;
}

int fabric_queue_submit(ferryx_queue* queue, const ferryx_work* work) {
  FarQueue& own = far(queue);
  if (RemoteMemory::is_used() && may_be_far(*work, *own.inner)) return submit_far(own, *work);
  return own.inner->queue_submit(own.handle, InnerWork(*work).get());
}

// The backend drops what has not begun. What has begun uses memory that the program may free when
// the call returns.
template <auto kSlot>
int end_work(ferryx_queue* queue) {
  FarQueue& own = far(queue);
  const int code = (own.inner->*kSlot)(own.handle);
  own.cut_and_wait();
  return code;
}

void fabric_queue_destroy(ferryx_queue* queue) {
  FarQueue& own = far(queue);
  own.inner->queue_destroy(own.handle);
  own.cut_and_wait();
  own.release();
}

void set_memory_slots(ferryx_backend& table) {
  table.physical_import = fabric_physical_import;
  table.physical_release = fabric_physical_release;
  table.physical_map = fabric_physical_map;
  table.physical_unmap = fabric_physical_unmap;
  table.physical_open_to_device = fabric_open_to_device;
  table.physical_open_to_host = fabric_open_to_host;
  table.memory_free = free_when_unused<&ferryx_backend::memory_free>;
  table.host_free = free_when_unused<&ferryx_backend::host_free>;
  table.managed_free = free_when_unused<&ferryx_backend::managed_free>;
  table.host_unregister = fabric_host_unregister;
}

}  // namespace

const ferryx_backend* put_fabric_in_front(const ferryx_backend* backend) {
  ferryx_backend table = forwarding_table();
  table.open = fabric_open;
  table.close = fabric_close;
  table.device_open = fabric_device_open;
  table.device_execute = fabric_execute;
  table.queue_create = fabric_queue_create;
  table.queue_submit = fabric_queue_submit;
  table.queue_abort = end_work<&ferryx_backend::queue_abort>;
  table.queue_drop = end_work<&ferryx_backend::queue_drop>;
  table.queue_stop = end_work<&ferryx_backend::queue_stop>;
  table.queue_destroy = fabric_queue_destroy;
  set_memory_slots(table);
  // `close` is wanted even if the backend has none.
  return put_in_front(backend, table, 0, [](ferryx_backend& own) { own.close = fabric_close; });
}

}  // namespace ferry::layers::fabric
