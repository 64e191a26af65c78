// SPDX-License-Identifier: Apache-2.0
// The table of the null backend. Also the smallest complete backend there is: a place to start
// from.
#include "backends/null/backend.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <sys/mman.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

struct ferryx_device {};

// Work is over when its submission returns, except for callouts, which the host finishes.
struct ferryx_queue {
  std::mutex mutex;  // guards callouts
  std::condition_variable changed;
  uint32_t callouts = 0;
};

struct ferryx_callout {
  ferryx_queue* queue;
};

struct ferryx_marker {
  std::atomic<uint32_t> references{1};
};

struct ferryx_flag {};

namespace ferry::null {
namespace {

constexpr uint64_t kCapacity = uint64_t{1} << 40;

const ferryx_host* host = nullptr;

// ---- failing on demand ----

struct Demand {
  uint64_t countdown = 0;  // 0: every call
  int code = 0;
};

struct Demands {
  std::mutex mutex;  // guards by_slot
  std::map<std::string, Demand, std::less<>> by_slot;
};

Demands& demands() {
  static auto* instance = new Demands;
  return *instance;
}

// The code demanded for this call of `slot`, or success.
int outcome(const char* slot) {
  Demands& all = demands();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_slot.find(slot);
  if (found == all.by_slot.end()) return ACL_SUCCESS;
  Demand& demand = found->second;
  if (demand.countdown > 1) {
    --demand.countdown;
    return ACL_SUCCESS;
  }
  const int code = demand.code;
  if (demand.countdown == 1) all.by_slot.erase(found);
  return host->fail(code, (std::string("the null backend was told to fail in ") + slot).c_str());
}

// ---- devices and memory ----

int open(const ferryx_host* runtime, const ferryx_settings* settings, uint32_t* device_count) {
  host = runtime;
  *device_count = settings->number;
  return ACL_SUCCESS;
}

int device_open(uint32_t /*index*/, ferryx_device** device) {
  if (const int code = outcome("device_open"); code != ACL_SUCCESS) return code;
  *device = new ferryx_device;
  return ACL_SUCCESS;
}

int device_memory(ferryx_device* /*device*/, uint64_t* free_bytes, uint64_t* total_bytes) {
  *free_bytes = kCapacity;
  *total_bytes = kCapacity;
  return outcome("device_memory");
}

int peer_enable(ferryx_device* /*device*/, ferryx_device* /*peer*/) {
  return outcome("peer_enable");
}

int peer_disable(ferryx_device* /*device*/, ferryx_device* /*peer*/) {
  return outcome("peer_disable");
}

int map(uint64_t size, int protection, uint32_t kind, ferryx_memory* out) {
  void* address =
      mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) {
    return host->fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "the system has no addresses left");
  }
  *out = {.address = address, .size = size, .storage = address, .kind = kind, .device = 0};
  return ACL_SUCCESS;
}

int memory_alloc(ferryx_device* /*device*/, uint64_t size, uint32_t /*policy*/,
                 ferryx_memory* out) {
  if (const int code = outcome("memory_alloc"); code != ACL_SUCCESS) return code;
  return map(size, PROT_NONE, FERRYX_MEMORY_DEVICE, out);
}

void unmap(ferryx_device* /*device*/, const ferryx_memory* memory) {
  munmap(memory->address, memory->size);
}

int host_alloc(ferryx_device* /*device*/, uint64_t size, ferryx_memory* out) {
  if (const int code = outcome("host_alloc"); code != ACL_SUCCESS) return code;
  return map(size, PROT_READ | PROT_WRITE, FERRYX_MEMORY_PINNED, out);
}

int host_register(ferryx_device* /*device*/, void* /*address*/, uint64_t size,
                  ferryx_memory* mapped) {
  if (const int code = outcome("host_register"); code != ACL_SUCCESS) return code;
  return mapped == nullptr ? ACL_SUCCESS : map(size, PROT_NONE, FERRYX_MEMORY_MAPPED, mapped);
}

void host_unregister(ferryx_device* /*device*/, void* /*address*/, uint64_t /*size*/,
                     const ferryx_memory* mapped) {
  if (mapped != nullptr) munmap(mapped->address, mapped->size);
}

// ---- work ----

int copy(ferryx_device* /*device*/, const ferryx_copies* /*copies*/) {
  return outcome("copy");
}

int copy_2d(ferryx_device* /*device*/, const ferryx_copy_2d* /*rows*/) {
  return outcome("copy_2d");
}

int fill(ferryx_device* /*device*/, const ferryx_fill* /*fill*/) {
  return outcome("fill");
}

int queue_create(ferryx_device* /*device*/, const ferryx_queue_settings* /*settings*/,
                 ferryx_queue** queue) {
  if (const int code = outcome("queue_create"); code != ACL_SUCCESS) return code;
  *queue = new ferryx_queue;
  return ACL_SUCCESS;
}

void queue_destroy(ferryx_queue* queue) {
  {
    // The host finishes its callouts whatever happens to the queue.
    std::unique_lock lock(queue->mutex);
    queue->changed.wait(lock, [&] { return queue->callouts == 0; });
  }
  delete queue;
}

int queue_copy(ferryx_queue* /*queue*/, const ferryx_task* /*task*/,
               const ferryx_copies* /*copies*/) {
  return outcome("queue_copy");
}

int queue_copy_2d(ferryx_queue* /*queue*/, const ferryx_task* /*task*/,
                  const ferryx_copy_2d* /*rows*/) {
  return outcome("queue_copy_2d");
}

int queue_copy_described(ferryx_queue* /*queue*/, const ferryx_task* /*task*/,
                         const void* /*descriptor*/) {
  return outcome("queue_copy_described");
}

int queue_copy_indirect(ferryx_queue* /*queue*/, const ferryx_task* /*task*/,
                        const ferryx_indirect_copy* /*copy*/) {
  return outcome("queue_copy_indirect");
}

int queue_fill(ferryx_queue* /*queue*/, const ferryx_task* /*task*/, const ferryx_fill* /*fill*/) {
  return outcome("queue_fill");
}

int queue_callout(ferryx_queue* queue, const ferryx_task* /*task*/, ferryx_callout_start start,
                  void* argument) {
  if (const int code = outcome("queue_callout"); code != ACL_SUCCESS) return code;
  {
    const std::lock_guard lock(queue->mutex);
    ++queue->callouts;
  }
  start(argument, new ferryx_callout{queue});
  return ACL_SUCCESS;
}

void callout_done(ferryx_callout* callout) {
  ferryx_queue* queue = callout->queue;
  delete callout;
  const std::lock_guard lock(queue->mutex);
  --queue->callouts;
  queue->changed.notify_all();
}

int queue_function(ferryx_queue* /*queue*/, const ferryx_task* /*task*/,
                   ferryx_device_function function, void* argument) {
  if (const int code = outcome("queue_function"); code != ACL_SUCCESS) return code;
  function(argument, 1);
  return ACL_SUCCESS;
}

int queue_query(ferryx_queue* queue, int* done) {
  const std::lock_guard lock(queue->mutex);
  *done = queue->callouts == 0 ? 1 : 0;
  return outcome("queue_query");
}

int queue_synchronize(ferryx_queue* queue, int64_t timeout) {
  if (const int code = outcome("queue_synchronize"); code != ACL_SUCCESS) return code;
  std::unique_lock lock(queue->mutex);
  const auto is_done = [&] { return queue->callouts == 0; };
  if (timeout == FERRYX_FOREVER) {
    queue->changed.wait(lock, is_done);
    return ACL_SUCCESS;
  }
  const bool done = queue->changed.wait_for(lock, std::chrono::nanoseconds(timeout), is_done);
  return done ? ACL_SUCCESS : ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
}

int queue_abort(ferryx_queue* /*queue*/) {
  return outcome("queue_abort");
}
int queue_drop(ferryx_queue* /*queue*/) {
  return outcome("queue_drop");
}

// ---- markers and flags ----

int marker_create(ferryx_device* /*device*/, ferryx_marker** marker) {
  if (const int code = outcome("marker_create"); code != ACL_SUCCESS) return code;
  *marker = new ferryx_marker;
  return ACL_SUCCESS;
}

void marker_retain(ferryx_marker* marker) {
  marker->references.fetch_add(1);
}

void marker_release(ferryx_marker* marker) {
  if (marker->references.fetch_sub(1) == 1) delete marker;
}

int queue_mark(ferryx_queue* /*queue*/, const ferryx_task* /*task*/, ferryx_marker* /*marker*/) {
  return outcome("queue_mark");
}

int queue_await(ferryx_queue* /*queue*/, const ferryx_task* /*task*/, ferryx_marker* /*marker*/,
                int64_t /*timeout*/) {
  return outcome("queue_await");
}

int marker_query(ferryx_marker* /*marker*/, int* reached) {
  *reached = 1;
  return outcome("marker_query");
}

int marker_synchronize(ferryx_marker* /*marker*/, int64_t /*timeout*/) {
  return outcome("marker_synchronize");
}

int marker_time(ferryx_marker* /*marker*/, uint64_t* nanoseconds) {
  *nanoseconds = 0;
  return outcome("marker_time");
}

int flag_create(ferryx_device* /*device*/, ferryx_flag** flag) {
  if (const int code = outcome("flag_create"); code != ACL_SUCCESS) return code;
  *flag = new ferryx_flag;
  return ACL_SUCCESS;
}

void flag_release(ferryx_flag* flag) {
  delete flag;
}

int flag_clear(ferryx_flag* /*flag*/) {
  return outcome("flag_clear");
}

int queue_set_flag(ferryx_queue* /*queue*/, const ferryx_task* /*task*/, ferryx_flag* /*flag*/) {
  return outcome("queue_set_flag");
}

int queue_take_flag(ferryx_queue* /*queue*/, const ferryx_task* /*task*/, ferryx_flag* /*flag*/,
                    int64_t /*timeout*/) {
  return outcome("queue_take_flag");
}

constexpr ferryx_backend kBackend{
    .struct_size = sizeof(ferryx_backend),
    .abi_major = FERRYX_ABI_MAJOR,
    .abi_minor = FERRYX_ABI_MINOR,
    .name = "null",
    .open = open,
    .device_open = device_open,
    .device_memory = device_memory,
    .peer_enable = peer_enable,
    .peer_disable = peer_disable,
    .memory_alloc = memory_alloc,
    .memory_free = unmap,
    .host_alloc = host_alloc,
    .host_free = unmap,
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
    .queue_copy_columns = nullptr,
};

// The slots that return a code and so can fail.
constexpr std::string_view kSlotsThatFail[] = {
    "device_open",
    "device_memory",
    "peer_enable",
    "peer_disable",
    "memory_alloc",
    "host_alloc",
    "host_register",
    "copy",
    "copy_2d",
    "fill",
    "queue_create",
    "queue_copy",
    "queue_copy_2d",
    "queue_copy_described",
    "queue_copy_indirect",
    "queue_fill",
    "queue_callout",
    "queue_function",
    "queue_query",
    "queue_synchronize",
    "queue_abort",
    "queue_drop",
    "marker_create",
    "queue_mark",
    "queue_await",
    "marker_query",
    "marker_synchronize",
    "marker_time",
    "flag_create",
    "flag_clear",
    "queue_set_flag",
    "queue_take_flag",
};

}  // namespace

const ferryx_backend* backend() {
  return &kBackend;
}

bool fail_on_demand(std::string_view slot, uint64_t nth, int code) {
  for (const std::string_view known : kSlotsThatFail) {
    if (known != slot) continue;
    Demands& all = demands();
    const std::lock_guard lock(all.mutex);
    all.by_slot[std::string(slot)] = {.countdown = nth, .code = code};
    return true;
  }
  return false;
}

void clear_failures() {
  Demands& all = demands();
  const std::lock_guard lock(all.mutex);
  all.by_slot.clear();
}

}  // namespace ferry::null
