// SPDX-License-Identifier: Apache-2.0
// The slots of the arena backend, and the table that is made of them.
#include "queue.h"

#include <cstdlib>

struct ferryx_instance {
  uint64_t memory;  // of each device
};
struct ferryx_device {
  Arena memory, host;
  Queues queues{};
};

namespace {

// Changes or reads something with the lock.
template <class Change>
int locked(Change change) {
  const Lock lock(mutex);
  change();
  changed.notify_all();
  return ACL_RT_SUCCESS;
}

// False when the time is up.
template <class IsOver>
bool wait(Lock& lock, int64_t timeout, IsOver is_over) {
  if (timeout != FERRYX_FOREVER)
    return changed.wait_for(lock, std::chrono::nanoseconds(timeout), is_over);
  changed.wait(lock, is_over);
  return true;
}

// Optional slots are absent unless Slots defines them; this also holds for slots of later versions.
struct AbsentSlots {
#define ABSENT_OPTIONAL(name) static constexpr std::nullptr_t name = nullptr;
#define ABSENT_REQUIRED(name)
#define FERRYX_SLOT(result, name, parameters, need, what) ABSENT_##need(name)
#include <ferry/backend_slots.def>
};

// Every function has the name of its slot. A required one that is forgotten does not compile.
struct Slots : AbsentSlots {
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
    *device = new ferryx_device{.memory = {instance->memory}, .host = {instance->memory}};
    std::thread(execute_forever, std::ref((*device)->queues)).detach();
    return ACL_RT_SUCCESS;
  }
  static int device_memory(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
    *total_bytes = device->memory.size;
    *free_bytes = device->memory.size - device->memory.used();
    return ACL_RT_SUCCESS;
  }
  static int device_execute(ferryx_device*, const ferryx_work* work) {
    move_bytes(*work, false);
    return ACL_RT_SUCCESS;
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

  static int queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                          ferryx_queue** queue) {
    *queue = new ferryx_queue{settings->cookie};
    return locked([&] { device->queues.emplace_back(*queue); });
  }
  static void queue_destroy(ferryx_queue* queue) {
    Lock lock(mutex);
    queue->dropped = queue->submitted;
    changed.notify_all();
    changed.wait(lock, [&] { return !queue->is_in_use; });
    queue->is_gone = true;  // from here on it is the worker's
    changed.notify_all();
  }
  static int queue_submit(ferryx_queue* queue, const ferryx_work* work) {
    if (work->kind == FERRYX_COLUMNS || work->kind > FERRYX_TAKE_FLAG)
      return runtime->fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "arena knows no work of this kind");
    Task task(*work);
    return locked([&] { queue->add(std::move(task)); });
  }
  // Tasks that were dropped count as over, although the worker has yet to discard them.
  static int queue_query(ferryx_queue* queue, int* done) {
    return locked([&] { *done = queue->is_idle() ? 1 : 0; });
  }
  static int queue_synchronize(ferryx_queue* queue, int64_t timeout) {
    Lock lock(mutex);
    const uint64_t target = queue->submitted;
    const uint64_t aborts = queue->aborts;
    const auto is_over = [&] { return queue->finished >= target || queue->aborts != aborts; };
    if (!wait(lock, timeout, is_over)) return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
    return queue->aborts != aborts ? ACL_ERROR_RT_STREAM_ABORT : ACL_RT_SUCCESS;
  }
  static int queue_abort(ferryx_queue* queue) {
    return locked([&] {
      queue->dropped = queue->submitted;
      ++queue->aborts;
    });
  }
  static int queue_drop(ferryx_queue* queue) {
    return locked([&] { queue->dropped = queue->submitted; });
  }

  static int marker_create(ferryx_device*, ferryx_marker** marker) {
    *marker = new ferryx_marker;
    return ACL_RT_SUCCESS;
  }
  static void marker_retain(ferryx_marker* marker) { ++marker->references; }
  static void marker_release(ferryx_marker* marker) {
    if (--marker->references == 0) delete marker;
  }
  static int marker_query(ferryx_marker* marker, int* reached) {
    return locked([&] { *reached = marker->point->is_reached ? 1 : 0; });
  }
  static int marker_synchronize(ferryx_marker* marker, int64_t timeout) {
    Lock lock(mutex);
    const auto is_over = [&] { return marker->point->is_reached; };
    if (!wait(lock, timeout, is_over)) return ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
    return marker->point->is_dropped ? ACL_ERROR_RT_STREAM_ABORT : ACL_RT_SUCCESS;
  }
  static int marker_time(ferryx_marker* marker, uint64_t* nanoseconds) {
    return locked([&] { *nanoseconds = marker->point->time; });
  }

  static int flag_create(ferryx_device*, ferryx_flag** flag) {
    *flag = new ferryx_flag;
    return ACL_RT_SUCCESS;
  }
  static void flag_release(ferryx_flag* flag) { delete flag; }
  static int flag_clear(ferryx_flag* flag) {
    return locked([&] { flag->point->is_reached = false; });
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
