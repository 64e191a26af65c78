// SPDX-License-Identifier: Apache-2.0
// The function table of the CPU backend: C functions over the classes of this folder.
#include "backends/cpu/backend.h"

#include "backends/cpu/device.h"
#include "backends/cpu/marker.h"
#include "backends/cpu/physical_sharing.h"
#include "backends/cpu/placement.h"
#include "backends/cpu/queue.h"
#include "backends/cpu/services.h"
#include "backends/cpu/value_watch.h"
#include "backends/cpu/virtual_memory.h"
#include "base/absent_slots.h"
#include "base/entries.h"
#include "sharing/common_ledger.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>

struct ferryx_queue {
  ferryx_queue(ferry::cpu::Engine& of_device, void* cookie, ferry::cpu::Queue::Delay delay)
      : engine(of_device), queue(of_device, cookie, delay) {}

  ferry::cpu::Engine& engine;
  ferry::cpu::Queue queue;
};

struct ferryx_instance {
  ferry::cpu::BackendSettings settings;
};

namespace ferry::cpu {
namespace {

// The address space of all CPU devices together.
constexpr uint64_t kAllMemory = uint64_t{256} << 30;

int join_ledger(BackendSettings& settings) {
  auto ledger = sharing::common_ledger(settings.capacity);
  if (ledger.ok()) {
    settings.ledger = *ledger;
    return ACL_SUCCESS;
  }
  // What the system lacks now it may have later. After 207001 the next call tries again.
  const aclError code = ledger.status().code();
  return code == ACL_ERROR_RT_RESOURCE_ALLOC_FAIL ? ACL_ERROR_RT_MEMORY_ALLOCATION : code;
}

}  // namespace

// ---- backend and devices ----

namespace slots {

using namespace absent_slots;  // NOLINT(google-build-using-namespace): it is made for this

int check_settings(const ferryx_backend* self, const ferryx_runtime* runtime,
                   const ferryx_settings* settings, uint32_t* counts) {
  uint32_t devices = 0;
  const int error = count_entries(*self, *runtime, *settings, counts, devices);
  if (error != ACL_SUCCESS) return error;
  if (settings->memory_is_shared != 0 && devices > sharing::Ledger::kMostDevices) {
    return runtime->fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                         "FERRY_MEMORY=shared: allows up to 64 CPU devices");
  }
  if (settings->memory <= kAllMemory / devices) return error;
  char text[160];
  std::snprintf(text, sizeof text,
                "FERRY_MEMORY is %llu bytes, allowed is up to %llu with %u CPU device(s): 256 GiB "
                "in all",
                static_cast<unsigned long long>(settings->memory),
                static_cast<unsigned long long>(kAllMemory / devices), devices);
  return runtime->fail(ACL_ERROR_RT_MEMORY_ALLOCATION, text);
}

int open(const ferryx_backend* self, const ferryx_runtime* runtime, const ferryx_settings* settings,
         uint32_t* counts, ferryx_instance** instance) {
  services = runtime;
  uint32_t devices = 0;
  const int error = count_entries(*self, *runtime, *settings, counts, devices);
  if (error != ACL_SUCCESS) return error;
  auto opened =
      std::make_unique<ferryx_instance>(ferryx_instance{resolve_settings(*settings, devices)});
  if (settings->memory_is_shared != 0) {
    const int joined = join_ledger(opened->settings);
    if (joined != ACL_SUCCESS) return joined;
  }
  if (!host_spans().reserve()) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the process has no addresses left for pinned host memory (see ulimit -v)");
  }
  *instance = opened.release();
  return ACL_SUCCESS;
}

int device_open(ferryx_instance* instance, uint32_t index, uint32_t /*number*/,
                ferryx_device** device) {
  return open_device(instance->settings, index, device);
}

int device_execute(ferryx_device* device, const ferryx_work* work) {
  return execute(*device, *work);
}

int device_memory(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
  device->memory.measure(*free_bytes, *total_bytes);
  return ACL_SUCCESS;
}

// Every core of this machine can access all of its memory.
int peer_enable(ferryx_device* /*device*/, ferryx_device* /*peer*/) {
  return ACL_SUCCESS;
}
int peer_disable(ferryx_device* /*device*/, ferryx_device* /*peer*/) {
  return ACL_SUCCESS;
}

// ---- memory ----

int memory_alloc(ferryx_device* device, uint64_t size, uint32_t policy, ferryx_memory* out) {
  return device->memory.allocate(size, policy, *out);
}

void memory_free(ferryx_device* device, const ferryx_memory* memory) {
  device->memory.free(*memory);
}

int memory_export(ferryx_device* device, const ferryx_memory* memory, ferryx_shared* shared) {
  return device->memory.share(*memory, *shared);
}

int host_alloc(ferryx_device* /*device*/, uint64_t size, ferryx_memory* out) {
  return host_spans().allocate_pinned(size, *out);
}

void host_free(ferryx_device* /*device*/, const ferryx_memory* memory) {
  host_spans().free_pinned(*memory);
}

int host_register(ferryx_device* /*device*/, void* address, uint64_t size, ferryx_memory* mapped) {
  return mapped == nullptr ? ACL_SUCCESS : host_spans().map_registered(address, size, *mapped);
}

void host_unregister(ferryx_device* /*device*/, void* /*address*/, uint64_t /*size*/,
                     const ferryx_memory* mapped) {
  if (mapped != nullptr) host_spans().unmap_registered(*mapped);
}

// ---- virtual memory ----

int address_reserve(ferryx_instance* /*instance*/, uint64_t size, uint64_t alignment, void* wanted,
                    ferryx_memory* range) {
  return reserve_addresses(size, alignment, wanted, *range);
}

void address_release(ferryx_instance* /*instance*/, const ferryx_memory* range) {
  release_addresses(*range);
}

int physical_create(ferryx_device* device, const ferryx_physical_settings* settings,
                    ferryx_physical** physical) {
  return create_physical(*device, *settings, physical);
}

void physical_release(ferryx_device* device, ferryx_physical* physical) {
  release_physical(*device, physical);
}

int physical_map(ferryx_device* /*device*/, ferryx_physical* physical, const ferryx_memory* range,
                 uint64_t offset, uint64_t size, ferryx_memory* mapped) {
  return map_physical(*physical, *range, offset, size, *mapped);
}

int physical_unmap(ferryx_device* /*device*/, const ferryx_memory* mapped) {
  return unmap_physical(*mapped);
}

int physical_open_to_host(ferryx_device* /*device*/, const ferryx_memory* mapped) {
  return open_to_host(*mapped);
}

int physical_export(ferryx_device* /*device*/, ferryx_physical* physical, ferryx_shared* shared) {
  return export_physical(*physical, *shared);
}

int physical_import(ferryx_device* /*device*/, const ferryx_shared* shared,
                    ferryx_physical** physical) {
  return import_physical(*shared, physical);
}

// ---- managed memory ----

int managed_alloc(ferryx_device* /*device*/, uint64_t size, ferryx_memory* out) {
  return host_spans().allocate_managed(size, *out);
}

void managed_free(ferryx_device* /*device*/, const ferryx_memory* memory) {
  host_spans().free_managed(*memory);
}

int managed_prefetch(ferryx_device* /*device*/, void* address, uint64_t size, int32_t place) {
  place_memory(address, size, place);
  return ACL_SUCCESS;
}

// ---- queues ----

int queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                 ferryx_queue** queue) {
  const bool is_prompt = settings->struct_size >= sizeof(ferryx_queue_settings) &&
                         (settings->flags & FERRYX_QUEUE_PROMPT) != 0;
  *queue = new ferryx_queue(device->engine, settings->cookie,
                            is_prompt ? Queue::Delay::kPrompt : Queue::Delay::kAsScheduled);
  return ACL_SUCCESS;
}

void queue_destroy(ferryx_queue* queue) {
  delete queue;
}

namespace {

int submit_mark(ferryx_queue& queue, const ferryx_work& work) {
  ferryx_marker* const marker = work.as.marker.marker;
  marker->set_source({.queue = &queue.queue, .sequence = queue.queue.submit(work)});
  return ACL_SUCCESS;
}

// The flag knows its setters before they are queued.
int submit_setter(ferryx_queue& queue, const ferryx_work& work) {
  ferryx_flag& flag = *work.as.flag.flag;
  flag.add_setter(queue.queue);
  try {
    queue.queue.submit(work);
  } catch (...) {
    flag.remove_setter(queue.queue);
    throw;
  }
  return ACL_SUCCESS;
}

// Work of this kind needs nothing beyond a place in the queue.
bool is_plain(uint32_t kind) {
  switch (kind) {
    case FERRYX_COPIES:
    case FERRYX_COLUMNS:
    case FERRYX_ROWS:
    case FERRYX_DESCRIBED:
    case FERRYX_INDIRECT:
    case FERRYX_FILL:
    case FERRYX_CALLOUT:
    case FERRYX_TAKE_FLAG:
      return true;
    default:
      return false;
  }
}

int submit_kind(ferryx_queue& queue, const ferryx_work& work) {
  switch (work.kind) {
    case FERRYX_COLUMNS:
    case FERRYX_ROWS:
    case FERRYX_DESCRIBED:
    case FERRYX_INDIRECT:
    case FERRYX_FILL:
    case FERRYX_REDUCE:
    case FERRYX_CALLOUT:
    case FERRYX_FUNCTION:
    case FERRYX_KERNEL:
    case FERRYX_AWAIT:
    case FERRYX_TAKE_FLAG:
      break;
    case FERRYX_MARK:
      return submit_mark(queue, work);
    case FERRYX_SET_FLAG:
      return submit_setter(queue, work);
    case FERRYX_WRITE_VALUE:
      queue.queue.submit_write(work);
      return ACL_SUCCESS;
    case FERRYX_AWAIT_VALUE:
      if (const int error = value_watch().start(); error != ACL_SUCCESS) return error;
      break;
    default:
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "a CPU device knows no work of kind %u",
                  work.kind);
  }
  queue.queue.submit(work);
  return ACL_SUCCESS;
}

// The number of works at the front of the list that can be queued together.
size_t count_plain(std::span<const ferryx_work> works) {
  const auto end = std::find_if_not(works.begin(), works.end(),
                                    [](const ferryx_work& work) { return is_plain(work.kind); });
  return static_cast<size_t>(end - works.begin());
}

}  // namespace

int queue_submit(ferryx_queue* queue, const ferryx_work* work) {
  if (const int error = queue->engine.start(); error != ACL_SUCCESS) return error;
  if (work->kind == FERRYX_COPIES) {  // the common case
    queue->queue.submit(*work);
  } else if (const int error = submit_kind(*queue, *work); error != ACL_SUCCESS) {
    return error;
  }
  if (queue->engine.shuffles()) queue->engine.run_by_chance();
  if (work->kind == FERRYX_SET_FLAG) work->as.flag.flag->demand_setters();
  return ACL_SUCCESS;
}

int queue_submit_all(ferryx_queue* queue, const ferryx_work* works, size_t count) {
  if (const int error = queue->engine.start(); error != ACL_SUCCESS) return error;
  std::span<const ferryx_work> left(works, count);
  while (!left.empty()) {
    size_t taken = count_plain(left);
    if (taken > 0) {
      queue->queue.submit_all(left.first(taken));
      if (queue->engine.shuffles()) queue->engine.run_by_chance();
    } else {
      if (const int error = queue_submit(queue, left.data()); error != ACL_SUCCESS) return error;
      taken = 1;
    }
    left = left.subspan(taken);
  }
  return ACL_SUCCESS;
}

int queue_observe(ferryx_queue* queue, ferryx_observer observer, void* argument) {
  queue->queue.observe(observer, argument);
  return ACL_SUCCESS;
}

int queue_query(ferryx_queue* queue, int* done) {
  if (queue->engine.shuffles()) queue->engine.run_by_chance();
  *done = queue->queue.is_done() ? 1 : 0;
  return ACL_SUCCESS;
}

int queue_synchronize(ferryx_queue* queue, int64_t timeout) {
  return queue->queue.synchronize(timeout);
}

int queue_abort(ferryx_queue* queue) {
  queue->queue.abort();
  return ACL_SUCCESS;
}

int queue_drop(ferryx_queue* queue) {
  queue->queue.drop_tasks(Queue::Waiters::kUntold);
  return ACL_SUCCESS;
}

int queue_stop(ferryx_queue* queue) {
  queue->queue.stop();
  return ACL_SUCCESS;
}

// ---- markers ----

int marker_create(ferryx_device* device, ferryx_marker** marker) {
  *marker = new ferryx_marker(device->engine);
  return ACL_SUCCESS;
}

void marker_retain(ferryx_marker* marker) {
  marker->retain();
}
void marker_release(ferryx_marker* marker) {
  marker->release();
}

int marker_query(ferryx_marker* marker, int* reached) {
  *reached = marker->query() ? 1 : 0;
  return ACL_SUCCESS;
}

int marker_synchronize(ferryx_marker* marker, int64_t timeout) {
  return marker->synchronize(timeout);
}

int marker_time(ferryx_marker* marker, uint64_t* nanoseconds) {
  *nanoseconds = marker->nanoseconds();
  return ACL_SUCCESS;
}

int marker_finish(ferryx_marker* marker, int code) {
  if (code == ACL_SUCCESS) {
    marker->reach();
  } else {
    marker->fail(code);
  }
  return ACL_SUCCESS;
}

// ---- flags ----

int flag_create(ferryx_device* /*device*/, ferryx_flag** flag) {
  *flag = new ferryx_flag;
  return ACL_SUCCESS;
}

void flag_release(ferryx_flag* flag) {
  flag->release();
}

int flag_clear(ferryx_flag* flag) {
  flag->clear();
  return ACL_SUCCESS;
}

int flag_set(ferryx_flag* flag) {
  flag->set();
  return ACL_SUCCESS;
}

}  // namespace slots

namespace {

constexpr ferryx_backend kBackend{
    .struct_size = sizeof(ferryx_backend),
    .abi_major = FERRYX_ABI_MAJOR,
    .abi_minor = FERRYX_ABI_MINOR,
    .name = "cpu",
    .capabilities = FERRYX_TAKES_COLUMNS | FERRYX_STORAGE_IS_HOST_MEMORY | FERRYX_OWNS_ADDRESSES |
                    FERRYX_CHEAP_CALLOUTS,
#define FERRYX_SLOT(result, name, parameters, need, what) .name = slots::name,
#include "ferry/backend_slots.def"
};

}  // namespace

const ferryx_backend* backend() {
  return &kBackend;
}

}  // namespace ferry::cpu
