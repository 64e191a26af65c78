// SPDX-License-Identifier: Apache-2.0
// The table of the CPU backend: C functions of the seam over the classes of this folder.
#include "backends/cpu/backend.h"

#include "backends/cpu/device.h"
#include "backends/cpu/host.h"
#include "backends/cpu/marker.h"
#include "backends/cpu/queue.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <cstring>
#include <memory>

struct ferryx_queue {
  ferryx_queue(ferry::cpu::Engine& of_device, void* cookie)
      : engine(of_device), queue(of_device, cookie) {}

  ferry::cpu::Engine& engine;
  ferry::cpu::Queue queue;
};

namespace ferry::cpu {
namespace {

BackendSettings backend_settings;

// ---- backend and devices ----

int open(const ferryx_host* runtime, const ferryx_settings* settings, uint32_t* device_count) {
  host = runtime;
  backend_settings = resolve_settings(*settings);
  *device_count = backend_settings.device_count;
  if (!host_spans().reserve()) {
    return fail(ACL_ERROR_RT_DEV_SETUP_ERROR,
                "the process has no addresses left for pinned host memory (see ulimit -v)");
  }
  return ACL_SUCCESS;
}

int device_open(uint32_t index, ferryx_device** device) {
  return open_device(backend_settings, index, device);
}

int device_memory(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
  device->memory.measure(*free_bytes, *total_bytes);
  return ACL_SUCCESS;
}

// All memory of this machine can be reached by all of its cores.
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

// ---- work done during the call ----

int copy(ferryx_device* device, const ferryx_copies* copies) {
  copy_during_call(*device, *copies);
  return ACL_SUCCESS;
}

int copy_2d(ferryx_device* device, const ferryx_copy_2d* rows) {
  copy_2d_during_call(*device, *rows);
  return ACL_SUCCESS;
}

int fill(ferryx_device* device, const ferryx_fill* request) {
  fill_during_call(*device, *request);
  return ACL_SUCCESS;
}

// ---- queues ----

int queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                 ferryx_queue** queue) {
  *queue = new ferryx_queue(device->engine, settings->cookie);
  return ACL_SUCCESS;
}

void queue_destroy(ferryx_queue* queue) {
  delete queue;
}

// Submits a task that `fill_in` completes; it is called with the queue's lock held.
template <class FillIn>
int submit(ferryx_queue* queue, TaskKind kind, const ferryx_task* origin, FillIn fill_in) {
  if (const int error = queue->engine.start(); error != ACL_SUCCESS) return error;
  queue->queue.submit(kind, *origin, fill_in);
  if (queue->engine.shuffles()) queue->engine.run_by_chance();
  return ACL_SUCCESS;
}

// Takes the source bytes of a copy into the task.
void capture(Task& task) {
  ferryx_copy& only = task.copies.items()[0];
  task.captured = std::make_unique<char[]>(only.size);
  std::memcpy(task.captured.get(), only.src_storage, only.size);
  only.src_storage = task.captured.get();
}

bool have_storage(const ferryx_copies& copies) {
  return (copies.flags & FERRYX_COPY_RESOLVED) != 0 ||
         std::all_of(copies.items, copies.items + copies.count, [](const ferryx_copy& copy) {
           return copy.dst_storage != nullptr && copy.src_storage != nullptr;
         });
}

// Submits copies that take longer to fill in: `fill_in` is called without a lock.
template <class FillIn>
int submit_copies(ferryx_queue* queue, const ferryx_task* origin, size_t count, FillIn fill_in) {
  if (const int error = queue->engine.start(); error != ACL_SUCCESS) return error;
  std::unique_ptr<Task> task = queue->queue.new_copies(*origin, count);
  fill_in(*task);
  queue->queue.submit(std::move(task));
  if (queue->engine.shuffles()) queue->engine.run_by_chance();
  return ACL_SUCCESS;
}

int queue_copy(ferryx_queue* queue, const ferryx_task* origin, const ferryx_copies* copies) {
  const auto fill_in = [&](Task& task) {
    task.copies.assign({copies->items, copies->count});
    task.is_resolved = have_storage(*copies);
    if ((copies->flags & FERRYX_COPY_CAPTURE) != 0) capture(task);
  };
  const bool is_quick = copies->count == 1 && (copies->flags & FERRYX_COPY_CAPTURE) == 0;
  return is_quick ? submit(queue, TaskKind::kCopies, origin, fill_in)
                  : submit_copies(queue, origin, copies->count, fill_in);
}

int queue_copy_columns(ferryx_queue* queue, const ferryx_task* origin,
                       const ferryx_columns* columns) {
  return submit_copies(queue, origin, columns->count, [&](Task& task) {
    task.copies.assign(*columns);
    task.is_resolved = true;
  });
}

int queue_copy_2d(ferryx_queue* queue, const ferryx_task* origin, const ferryx_copy_2d* rows) {
  return submit(queue, TaskKind::kCopy2d, origin, [&](Task& task) { task.rows = *rows; });
}

int queue_copy_described(ferryx_queue* queue, const ferryx_task* origin, const void* descriptor) {
  return submit(queue, TaskKind::kDescribed, origin,
                [&](Task& task) { task.descriptor = descriptor; });
}

int queue_copy_indirect(ferryx_queue* queue, const ferryx_task* origin,
                        const ferryx_indirect_copy* indirect) {
  return submit(queue, TaskKind::kIndirect, origin, [&](Task& task) { task.indirect = *indirect; });
}

int queue_fill(ferryx_queue* queue, const ferryx_task* origin, const ferryx_fill* request) {
  return submit(queue, TaskKind::kFill, origin, [&](Task& task) { task.fill = *request; });
}

int queue_callout(ferryx_queue* queue, const ferryx_task* origin, ferryx_callout_start start,
                  void* argument) {
  return submit(queue, TaskKind::kCallout, origin, [&](Task& task) {
    task.start = start;
    task.argument = argument;
  });
}

void callout_done(ferryx_callout* callout) {
  const std::unique_ptr<ferryx_callout> done(callout);
  done->link->finish();
}

int queue_function(ferryx_queue* queue, const ferryx_task* origin, ferryx_device_function function,
                   void* argument) {
  return submit(queue, TaskKind::kFunction, origin, [&](Task& task) {
    task.function = function;
    task.argument = argument;
  });
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

int queue_mark(ferryx_queue* queue, const ferryx_task* origin, ferryx_marker* marker) {
  if (const int error = queue->engine.start(); error != ACL_SUCCESS) return error;
  marker->retain();
  const uint64_t sequence =
      queue->queue.submit(TaskKind::kMark, *origin, [&](Task& task) { task.marker = marker; });
  marker->set_source({.queue = &queue->queue, .sequence = sequence});
  if (queue->engine.shuffles()) queue->engine.run_by_chance();
  return ACL_SUCCESS;
}

int queue_await(ferryx_queue* queue, const ferryx_task* origin, ferryx_marker* marker,
                int64_t timeout) {
  return submit(queue, TaskKind::kAwait, origin, [&](Task& task) {
    marker->retain();
    task.marker = marker;
    task.timeout = timeout;
  });
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

int queue_set_flag(ferryx_queue* queue, const ferryx_task* origin, ferryx_flag* flag) {
  if (const int error = queue->engine.start(); error != ACL_SUCCESS) return error;
  flag->retain();
  flag->add_setter(queue->queue);
  const int error =
      submit(queue, TaskKind::kSetFlag, origin, [&](Task& task) { task.flag = flag; });
  flag->demand_setters();
  return error;
}

int queue_take_flag(ferryx_queue* queue, const ferryx_task* origin, ferryx_flag* flag,
                    int64_t timeout) {
  return submit(queue, TaskKind::kTakeFlag, origin, [&](Task& task) {
    flag->retain();
    task.flag = flag;
    task.timeout = timeout;
  });
}

constexpr ferryx_backend kBackend{
    .struct_size = sizeof(ferryx_backend),
    .abi_major = FERRYX_ABI_MAJOR,
    .abi_minor = FERRYX_ABI_MINOR,
    .name = "cpu",
    .open = open,
    .device_open = device_open,
    .device_memory = device_memory,
    .peer_enable = peer_enable,
    .peer_disable = peer_disable,
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .host_alloc = host_alloc,
    .host_free = host_free,
    .host_register = host_register,
    .host_unregister = host_unregister,
    .copy = copy,
    .copy_2d = copy_2d,
    .fill = fill,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .queue_copy = queue_copy,
    .queue_copy_2d = queue_copy_2d,
    .queue_copy_described = queue_copy_described,
    .queue_copy_indirect = queue_copy_indirect,
    .queue_fill = queue_fill,
    .queue_callout = queue_callout,
    .callout_done = callout_done,
    .queue_function = queue_function,
    .queue_query = queue_query,
    .queue_synchronize = queue_synchronize,
    .queue_abort = queue_abort,
    .queue_drop = queue_drop,
    .marker_create = marker_create,
    .marker_retain = marker_retain,
    .marker_release = marker_release,
    .queue_mark = queue_mark,
    .queue_await = queue_await,
    .marker_query = marker_query,
    .marker_synchronize = marker_synchronize,
    .marker_time = marker_time,
    .flag_create = flag_create,
    .flag_release = flag_release,
    .flag_clear = flag_clear,
    .queue_set_flag = queue_set_flag,
    .queue_take_flag = queue_take_flag,
    .device_name = nullptr,
    .copy_way = nullptr,
    .queue_copy_columns = queue_copy_columns,
};

}  // namespace

const ferryx_backend* backend() {
  return &kBackend;
}

}  // namespace ferry::cpu
