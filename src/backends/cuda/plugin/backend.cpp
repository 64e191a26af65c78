// SPDX-License-Identifier: Apache-2.0
// The function table of the CUDA backend: the slots of the backend interface over the classes of
// this backend, and the only symbol that the plugin exports.
#include "backends/cuda/memory/memory.h"
#include "backends/cuda/memory/physical_memory.h"
#include "backends/cuda/memory/virtual_memory.h"
#include "backends/cuda/plugin/device.h"
#include "backends/cuda/plugin/gate.h"
#include "backends/cuda/plugin/options.h"
#include "backends/cuda/plugin/services.h"
#include "backends/cuda/queue/cuda_line.h"
#include "backends/cuda/queue/marker.h"
#include "backends/cuda/queue/queue.h"
#include "base/absent_slots.h"

#include "acl/error_codes/rt_error_codes.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

// One per process; never destroyed, because calls may arrive until the process has ended.
struct ferryx_instance {
  ferry::cuda::Overrides overrides;
  std::vector<int> ordinals;  // CUDA's number of each device, by the backend interface's index
};

// The queue is destroyed before the line that it uses.
struct ferryx_queue {
  ferryx_queue(ferryx_device& device, void* cookie)
      : line(device), queue(line, device.progress, cookie) {}

  ferry::cuda::CudaLine line;
  ferry::cuda::Queue queue;
};

namespace ferry::cuda {
namespace {

int fail_if(const std::string& wrong) {
  return wrong.empty() ? ACL_RT_SUCCESS : fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "%s", wrong.c_str());
}

int read_settings(const ferryx_settings& settings, uint32_t* counts, Overrides& overrides) {
  const std::string wrong = parse_options(settings.options, overrides);
  return fail_if(wrong.empty() ? check_entries(settings, counts) : wrong);
}

// The process is ending. If a thread may be stuck in CUDA, the locks that it may hold are not
// taken.
void drop_at_exit(ferryx_queue& queue, Queue::Waiters waiters) {
  if (gate.wait_until_closed() == Gate::State::kDone) queue.queue.drop_tasks(waiters);
}

// The process is ending: work that was not done when CUDA shut down never will be, so there is
// nothing to wait for. `query` says whether it was done.
template <class Query>
int synchronize_at_exit(Query query) {
  if (const Trouble trouble = end_of_work(gate.wait_until_closed()); !trouble.ok()) {
    return fail(trouble);
  }
  int is_done = 0;
  if (const int error = query(&is_done); error != ACL_RT_SUCCESS) return error;
  return is_done != 0 ? ACL_RT_SUCCESS : fail(end_of_work(Gate::State::kCutOff));
}

// Functions with the names of the slots, in the order of ferry/backend_slots.def.
namespace slots {

using namespace absent_slots;  // NOLINT(google-build-using-namespace): it is made for this

// ---- backend ----

int check_settings(const ferryx_backend* /*self*/, const ferryx_runtime* runtime,
                   const ferryx_settings* settings, uint32_t* counts) {
  services = runtime;
  Overrides overrides;
  return read_settings(*settings, counts, overrides);
}

int open(const ferryx_backend* /*self*/, const ferryx_runtime* runtime,
         const ferryx_settings* settings, uint32_t* counts, ferryx_instance** instance) {
  services = runtime;
  if (settings->schedule != FERRYX_EAGER) {
    services->log(2,
                  "FERRY_SCHEDULE is for CPU devices: CUDA devices run work as soon as they can");
  }
  auto opened = std::make_unique<ferryx_instance>();
  if (const int error = read_settings(*settings, counts, opened->overrides); error != 0) {
    return error;
  }
  uint32_t gpus = 0;
  if (const int error = count_devices(gpus); error != 0) return error;
  const std::string wrong = list_ordinals(*settings, gpus, counts, opened->ordinals);
  if (!wrong.empty()) return fail_if(wrong);
  *instance = opened.release();
  return ACL_RT_SUCCESS;
}

void close(ferryx_instance* /*instance*/) {
  leave_cuda();
}

// ---- devices ----

int device_open(ferryx_instance* instance, uint32_t index, uint32_t /*number*/,
                ferryx_device** device) {
  return open_device(instance->ordinals[index], instance->overrides, device);
}

const char* device_name(ferryx_device* device) {
  return device->name.c_str();
}

const char* device_bus_id(ferryx_device* device) {
  return device->bus_id.c_str();
}

int device_memory(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
  return measure_device_memory(*device, *free_bytes, *total_bytes);
}

int device_execute(ferryx_device* device, const ferryx_work* work) {
  return execute(*device, *work);
}

int copy_way(ferryx_device* device, size_t index, ferryx_copy_way* way) {
  if (index >= kWayCount) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "index is %zu, allowed is 0 to %zu", index,
                kWayCount - 1);
  }
  const WayReport report = device->transfers->report(static_cast<Way>(index));
  *way = {.name = report.name,
          .reason = report.reason,
          .tasks = report.tasks,
          .bytes = report.bytes,
          .multiprocessors = report.multiprocessors};
  return ACL_RT_SUCCESS;
}

int peer_enable(ferryx_device* device, ferryx_device* peer) {
  return enable_peer(*device, *peer);
}
int peer_disable(ferryx_device* device, ferryx_device* peer) {
  return disable_peer(*device, *peer);
}

// ---- memory ----

int memory_alloc(ferryx_device* device, uint64_t size, uint32_t /*policy*/, ferryx_memory* memory) {
  return allocate_device_memory(*device, size, *memory);
}

void memory_free(ferryx_device* device, const ferryx_memory* memory) {
  free_device_memory(*device, *memory);
}

int host_alloc(ferryx_device* device, uint64_t size, ferryx_memory* memory) {
  return allocate_host_memory(*device, size, *memory);
}

void host_free(ferryx_device* device, const ferryx_memory* memory) {
  free_host_memory(*device, *memory);
}

int managed_alloc(ferryx_device* device, uint64_t size, ferryx_memory* memory) {
  return allocate_managed_memory(*device, size, *memory);
}

void managed_free(ferryx_device* device, const ferryx_memory* memory) {
  free_managed_memory(*device, *memory);
}

int managed_prefetch(ferryx_device* device, void* address, uint64_t size, int32_t place) {
  return prefetch_managed_memory(*device, address, size, place);
}

int host_register(ferryx_device* device, void* address, uint64_t size, ferryx_memory* mapped) {
  return register_host_memory(*device, address, size, mapped);
}

void host_unregister(ferryx_device* device, void* address, uint64_t size,
                     const ferryx_memory* mapped) {
  unregister_host_memory(*device, address, size, mapped);
}

// ---- virtual memory ----

int address_reserve(ferryx_instance* instance, uint64_t size, uint64_t alignment, void* wanted,
                    ferryx_memory* range) {
  return reserve_addresses(instance->ordinals, size, alignment, wanted, *range);
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

int physical_map(ferryx_device* device, ferryx_physical* physical, const ferryx_memory* range,
                 uint64_t offset, uint64_t size, ferryx_memory* mapped) {
  return map_physical(*device, *physical, *range, offset, size, *mapped);
}

int physical_unmap(ferryx_device* device, const ferryx_memory* mapped) {
  return unmap_physical(*device, *mapped);
}

int physical_open_to_device(ferryx_device* device, ferryx_device* peer,
                            const ferryx_memory* mapped) {
  return open_to_device(*device, *peer, *mapped);
}

int physical_open_to_host(ferryx_device* device, const ferryx_memory* mapped) {
  return open_to_host(*device, *mapped);
}

int physical_export(ferryx_device* device, ferryx_physical* physical, ferryx_shared* shared) {
  return export_physical(*device, *physical, *shared);
}

int physical_import(ferryx_device* device, const ferryx_shared* shared,
                    ferryx_physical** physical) {
  return import_physical(*device, *shared, physical);
}

int memory_export(ferryx_device* device, const ferryx_memory* memory, ferryx_shared* shared) {
  return export_memory(*device, *memory, *shared);
}

// ---- queues ----

int queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                 ferryx_queue** queue) {
  auto made = std::make_unique<ferryx_queue>(*device, settings->cookie);
  if (const Trouble trouble = made->line.open(settings->priority); !trouble.ok()) {
    return fail(trouble);
  }
  *queue = made.release();
  return ACL_RT_SUCCESS;
}

void queue_destroy(ferryx_queue* queue) {
  if (gate.is_open()) {
    delete queue;
  } else {
    drop_at_exit(*queue, Queue::Waiters::kUntold);  // its memory is freed with the process
  }
}

int queue_submit(ferryx_queue* queue, const ferryx_work* work) {
  return queue->queue.submit(*work);
}

int queue_query(ferryx_queue* queue, int* done) {
  bool is_done = false;
  const int error = queue->queue.query(is_done);
  *done = is_done ? 1 : 0;
  return error;
}

int queue_synchronize(ferryx_queue* queue, int64_t timeout) {
  if (gate.is_open()) return queue->queue.synchronize(timeout);
  return synchronize_at_exit([&](int* is_done) { return queue_query(queue, is_done); });
}

int queue_abort(ferryx_queue* queue) {
  if (gate.is_open()) {
    queue->queue.abort();
  } else {
    drop_at_exit(*queue, Queue::Waiters::kAborted);
  }
  return ACL_RT_SUCCESS;
}

int queue_drop(ferryx_queue* queue) {
  queue->queue.drop_tasks(Queue::Waiters::kUntold);
  return ACL_RT_SUCCESS;
}

// At the end of the process a thread may be stuck in CUDA with the queue's lock. The observer then
// stays set, and the call fails.
int queue_observe(ferryx_queue* queue, ferryx_observer observer, void* argument) {
  if (!gate.is_open()) {
    const Trouble trouble = end_of_work(gate.wait_until_closed());
    if (!trouble.ok()) return fail(trouble);
  }
  queue->queue.observe(observer, argument);
  return ACL_RT_SUCCESS;
}

// ---- markers ----

int marker_create(ferryx_device* /*device*/, ferryx_marker** marker) {
  *marker = reinterpret_cast<ferryx_marker*>(new Marker);
  return ACL_RT_SUCCESS;
}

void marker_retain(ferryx_marker* marker) {
  of(marker).retain();
}
void marker_release(ferryx_marker* marker) {
  of(marker).release();
}

int marker_query(ferryx_marker* marker, int* reached) {
  Marker::State state = Marker::State::kWaiting;
  const Trouble trouble = of(marker).ask(state);
  *reached = state != Marker::State::kWaiting && state != Marker::State::kOnLine ? 1 : 0;
  return state == Marker::State::kFailed ? ACL_RT_SUCCESS : fail(trouble);
}

int marker_finish(ferryx_marker* marker, int code) {
  of(marker).finish(code);
  return ACL_RT_SUCCESS;
}

int marker_synchronize(ferryx_marker* marker, int64_t timeout) {
  if (gate.is_open()) return of(marker).synchronize(timeout);
  return synchronize_at_exit([&](int* is_reached) { return marker_query(marker, is_reached); });
}

int marker_time(ferryx_marker* marker, uint64_t* nanoseconds) {
  return of(marker).nanoseconds(*nanoseconds);
}

// ---- flags ----

int flag_create(ferryx_device* /*device*/, ferryx_flag** flag) {
  *flag = reinterpret_cast<ferryx_flag*>(new Flag);
  return ACL_RT_SUCCESS;
}

void flag_release(ferryx_flag* flag) {
  of(flag).release();
}

int flag_clear(ferryx_flag* flag) {
  of(flag).clear();
  return ACL_RT_SUCCESS;
}

int flag_set(ferryx_flag* flag) {
  of(flag).set();
  return ACL_RT_SUCCESS;
}

}  // namespace slots

constexpr ferryx_backend kBackend{
    .struct_size = sizeof(ferryx_backend),
    .abi_major = FERRYX_ABI_MAJOR,
    .abi_minor = FERRYX_ABI_MINOR,
    .name = "cuda",
    .capabilities = FERRYX_TAKES_COLUMNS,
#define FERRYX_SLOT(result, name, parameters, need, what) .name = slots::name,
#include "ferry/backend_slots.def"
};

}  // namespace
}  // namespace ferry::cuda

extern "C" [[gnu::visibility("default")]] const ferryx_backend* ferryx_backend_table() {
  return &ferry::cuda::kBackend;
}
