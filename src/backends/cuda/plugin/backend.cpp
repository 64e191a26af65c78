// SPDX-License-Identifier: Apache-2.0
// The table of the CUDA backend: C functions of the seam over the classes of this folder, and the
// one symbol the plugin exports.
#include "backends/cuda/memory/memory.h"
#include "backends/cuda/plugin/device.h"
#include "backends/cuda/plugin/gate.h"
#include "backends/cuda/plugin/host.h"
#include "backends/cuda/queue/cuda_line.h"
#include "backends/cuda/queue/marker.h"
#include "backends/cuda/queue/queue.h"
#include "base/live_memory.h"

#include "acl/error_codes/rt_error_codes.h"

#include <memory>
#include <shared_mutex>
#include <string>

// The line comes first: the queue goes before what it runs on.
struct ferryx_queue {
  ferryx_queue(ferryx_device& device, void* cookie)
      : line(device), queue(line, device.progress, cookie) {}

  ferry::cuda::CudaLine line;
  ferry::cuda::Queue queue;
};

namespace ferry::cuda {
namespace {

Overrides overrides;

Marker& of(ferryx_marker* marker) {
  return *reinterpret_cast<Marker*>(marker);
}
Flag& of(ferryx_flag* flag) {
  return *reinterpret_cast<Flag*>(flag);
}

// ---- backend and devices ----

int open(const ferryx_host* runtime, const ferryx_settings* settings, uint32_t* device_count) {
  host = runtime;
  if (settings->schedule != FERRYX_EAGER) {
    host->log(2, "FERRY_SCHEDULE is for CPU devices: CUDA devices run work as soon as they can");
  }
  overrides = {.batch = static_cast<BatchWay>(settings->batch_way),
               .most_multiprocessors = settings->multiprocessors};
  return count_devices(*device_count);
}

int device_open(uint32_t index, ferryx_device** device) {
  return open_device(static_cast<int>(index), overrides, device);
}

int device_memory(ferryx_device* device, uint64_t* free_bytes, uint64_t* total_bytes) {
  return measure_device_memory(*device, *free_bytes, *total_bytes);
}

int peer_enable(ferryx_device* device, ferryx_device* peer) {
  return enable_peer(*device, *peer);
}
int peer_disable(ferryx_device* device, ferryx_device* peer) {
  return disable_peer(*device, *peer);
}

const char* device_name(ferryx_device* device) {
  return device->name.c_str();
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

// ---- memory ----

int memory_alloc(ferryx_device* device, uint64_t size, uint32_t /*policy*/, ferryx_memory* out) {
  return allocate_device_memory(*device, size, *out);
}

void memory_free(ferryx_device* device, const ferryx_memory* memory) {
  free_device_memory(*device, *memory);
}

int host_alloc(ferryx_device* device, uint64_t size, ferryx_memory* out) {
  return allocate_host_memory(*device, size, *out);
}

void host_free(ferryx_device* device, const ferryx_memory* memory) {
  free_host_memory(*device, *memory);
}

int host_register(ferryx_device* device, void* address, uint64_t size, ferryx_memory* mapped) {
  return register_host_memory(*device, address, size, mapped);
}

void host_unregister(ferryx_device* device, void* address, uint64_t size,
                     const ferryx_memory* mapped) {
  unregister_host_memory(*device, address, size, mapped);
}

// ---- work done during the call ----

// Memory is not freed while they run: who frees it waits at the lock (Line::memory_lock). But the
// runtime judged the addresses before the lock was taken, and what another thread freed in between
// is gone. That goes for memory of devices; host memory is the caller's to keep, as it is with any
// function.

// Finds memory of devices; the items of a batch mostly lie in one allocation.
class LiveRange {
 public:
  bool holds(const void* storage, uint64_t size) {
    if (!has(storage, size)) memory_ = live_memory().find(storage);
    return has(storage, size);
  }

 private:
  bool has(const void* storage, uint64_t size) const {
    const auto offset =
        reinterpret_cast<uint64_t>(storage) - reinterpret_cast<uint64_t>(memory_.address);
    return offset < memory_.size && size <= memory_.size - offset;
  }
  ferryx_memory memory_{};
};

bool is_to_device(uint32_t direction) {
  return direction == FERRYX_HOST_TO_DEVICE || direction == FERRYX_DEVICE_TO_DEVICE;
}
bool is_from_device(uint32_t direction) {
  return direction == FERRYX_DEVICE_TO_HOST || direction == FERRYX_DEVICE_TO_DEVICE;
}

int fail_not_live(const std::string& name, const void* address, uint64_t size) {
  return fail(ACL_ERROR_RT_PARAM_INVALID, "%s", not_live(*host, name, address, size).c_str());
}

int check_live(const ferryx_copies& copies) {
  LiveRange dst;
  LiveRange src;
  for (size_t i = 0; i < copies.count; ++i) {
    const ferryx_copy& item = copies.items[i];
    if (is_to_device(copies.direction) && !dst.holds(item.dst_storage, item.size)) {
      return fail_not_live(item_name("dst", i, copies.count), item.dst, item.size);
    }
    if (is_from_device(copies.direction) && !src.holds(item.src_storage, item.size)) {
      return fail_not_live(item_name("src", i, copies.count), item.src, item.size);
    }
  }
  return ACL_RT_SUCCESS;
}

int check_live(const ferryx_copy_2d& rows) {
  const uint64_t dst_span = span_of(rows, rows.dst_pitch);
  const uint64_t src_span = span_of(rows, rows.src_pitch);
  if (is_to_device(rows.direction) && !LiveRange().holds(rows.corner.dst_storage, dst_span)) {
    return fail_not_live("dst", rows.corner.dst, dst_span);
  }
  if (is_from_device(rows.direction) && !LiveRange().holds(rows.corner.src_storage, src_span)) {
    return fail_not_live("src", rows.corner.src, src_span);
  }
  return ACL_RT_SUCCESS;
}

int copy(ferryx_device* device, const ferryx_copies* copies) {
  const std::shared_lock memory(live_memory().lock());
  if (const int gone = check_live(*copies); gone != ACL_RT_SUCCESS) return gone;
  return fail(device->call_here("a copy", [&] { return device->transfers->copy_now(*copies); }));
}

int copy_2d(ferryx_device* device, const ferryx_copy_2d* rows) {
  const std::shared_lock memory(live_memory().lock());
  if (const int gone = check_live(*rows); gone != ACL_RT_SUCCESS) return gone;
  return fail(
      device->call_here("a 2D copy", [&] { return device->transfers->copy_2d_now(*rows); }));
}

int fill(ferryx_device* device, const ferryx_fill* request) {
  const std::shared_lock memory(live_memory().lock());
  if (!LiveRange().holds(request->dst_storage, request->size)) {
    return fail_not_live("dst", request->dst, request->size);
  }
  return fail(device->call_here("a fill", [&] { return device->transfers->fill_now(*request); }));
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

// The process is ending. Where a thread may be stuck in CUDA its locks are left alone.
void drop_at_exit(ferryx_queue& queue, Queue::Waiters waiters) {
  if (gate.wait_until_closed() == Gate::State::kDone) queue.queue.drop_tasks(waiters);
}

void queue_destroy(ferryx_queue* queue) {
  if (gate.is_open()) {
    delete queue;
  } else {
    drop_at_exit(*queue, Queue::Waiters::kUntold);  // its memory goes with the process
  }
}

// Submits a task that `fill_in` completes.
template <class FillIn>
int submit(ferryx_queue* queue, TaskKind kind, const ferryx_task* origin, FillIn fill_in) {
  auto task = std::make_unique<Task>();
  task->kind = kind;
  task->origin = *origin;
  fill_in(*task);
  return queue->queue.submit(std::move(task));
}

int queue_copy(ferryx_queue* queue, const ferryx_task* origin, const ferryx_copies* copies) {
  return queue->queue.submit_copies(*origin, *copies);
}

int queue_copy_columns(ferryx_queue* queue, const ferryx_task* origin,
                       const ferryx_columns* columns) {
  return queue->queue.submit_columns(*origin, *columns);
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
  finish(std::unique_ptr<Callout>(reinterpret_cast<Callout*>(callout)));
}

int queue_function(ferryx_queue* /*queue*/, const ferryx_task* /*origin*/,
                   ferryx_device_function /*function*/, void* /*argument*/) {
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              "a function of the host cannot play a kernel on a CUDA device: its code cannot touch "
              "device memory; use a CPU device (FERRY_DEVICES=cpu)");
}

int queue_query(ferryx_queue* queue, int* done) {
  bool is_done = false;
  const int error = queue->queue.query(is_done);
  *done = is_done ? 1 : 0;
  return error;
}

// The process is ending: what was not done when CUDA ended never will be, so there is nothing to
// wait for. `query` says whether it was.
template <class Query>
int synchronize_at_exit(Query query) {
  if (const Trouble trouble = end_of_work(gate.wait_until_closed()); !trouble.ok()) {
    return fail(trouble);
  }
  int is_done = 0;
  if (const int error = query(&is_done); error != ACL_RT_SUCCESS) return error;
  return is_done != 0 ? ACL_RT_SUCCESS : fail(end_of_work(Gate::State::kCutOff));
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

int queue_mark(ferryx_queue* queue, const ferryx_task* origin, ferryx_marker* marker) {
  return submit(queue, TaskKind::kMark, origin, [&](Task& task) {
    of(marker).retain();
    task.marker = &of(marker);
  });
}

int queue_await(ferryx_queue* queue, const ferryx_task* origin, ferryx_marker* marker,
                int64_t timeout) {
  return submit(queue, TaskKind::kAwait, origin, [&](Task& task) {
    of(marker).retain();
    task.marker = &of(marker);
    task.timeout = timeout;
  });
}

int marker_query(ferryx_marker* marker, int* reached) {
  Marker::State state = Marker::State::kWaiting;
  const int error = fail(of(marker).ask(state));
  *reached = state == Marker::State::kReached || state == Marker::State::kDropped ? 1 : 0;
  return error;
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

int queue_set_flag(ferryx_queue* queue, const ferryx_task* origin, ferryx_flag* flag) {
  return submit(queue, TaskKind::kSetFlag, origin, [&](Task& task) {
    of(flag).retain();
    task.flag = &of(flag);
  });
}

int queue_take_flag(ferryx_queue* queue, const ferryx_task* origin, ferryx_flag* flag,
                    int64_t timeout) {
  return submit(queue, TaskKind::kTakeFlag, origin, [&](Task& task) {
    of(flag).retain();
    task.flag = &of(flag);
    task.timeout = timeout;
  });
}

constexpr ferryx_backend kBackend{
    .struct_size = sizeof(ferryx_backend),
    .abi_major = FERRYX_ABI_MAJOR,
    .abi_minor = FERRYX_ABI_MINOR,
    .name = "cuda",
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
    .device_name = device_name,
    .copy_way = copy_way,
    .queue_copy_columns = queue_copy_columns,
};

}  // namespace
}  // namespace ferry::cuda

extern "C" [[gnu::visibility("default")]] const ferryx_backend* ferryx_backend_table() {
  return &ferry::cuda::kBackend;
}
