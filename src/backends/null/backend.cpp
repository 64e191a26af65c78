// SPDX-License-Identifier: Apache-2.0
// The function table of the null backend: the smallest complete backend, which moves no bytes.
#include "backends/null/backend.h"

#include "base/absent_slots.h"
#include "base/entries.h"
#include "base/fixed_text.h"
#include "base/thread.h"
#include "base/work.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

namespace ferry::null {
namespace {

// The types behind the handles. They are not defined under the names of the handles, because
// another backend in the same library does that: one name must not stand for two types.
struct Instance {};
struct Device {};
struct Marker {
  std::atomic<uint32_t> references{1};
};
struct Flag {};

// Work is done when its submission returns, except for callouts, which the runtime completes.
struct Queue {
  explicit Queue(void* of_runtime) : cookie(of_runtime) {}

  void* const cookie;
  std::mutex mutex;  // guards callouts
  std::condition_variable changed;
  uint32_t callouts = 0;
};

template <class Handle, class Object>
Handle* handle_of(Object* object) {
  return reinterpret_cast<Handle*>(object);
}
Queue& object_of(ferryx_queue* queue) {
  return *reinterpret_cast<Queue*>(queue);
}
Marker& object_of(ferryx_marker* marker) {
  return *reinterpret_cast<Marker*>(marker);
}
Flag& object_of(ferryx_flag* flag) {
  return *reinterpret_cast<Flag*>(flag);
}

constexpr uint64_t kCapacity = uint64_t{1} << 40;

const ferryx_runtime* services = nullptr;

struct Callout : ferryx_callout {
  explicit Callout(Queue& of) : ferryx_callout{.done = finish}, queue(of) {}

  static void finish(ferryx_callout* callout) {
    const std::unique_ptr<Callout> own(static_cast<Callout*>(callout));
    const std::lock_guard lock(own->queue.mutex);
    --own->queue.callouts;
    own->queue.changed.notify_all();
  }

  Queue& queue;
};

// ---- failing on demand ----

// Names for making one kind of work fail, when queued or when executed during the call.
struct WorkName {
  uint32_t kind;
  const char* queued;
  const char* now;  // nullptr for kinds that are never executed during the call
};
constexpr WorkName kWorkNames[] = {
    {FERRYX_COPIES, "queue_copy", "copy"},
    {FERRYX_ROWS, "queue_copy_2d", "copy_2d"},
    {FERRYX_DESCRIBED, "queue_copy_described", nullptr},
    {FERRYX_INDIRECT, "queue_copy_indirect", nullptr},
    {FERRYX_FILL, "queue_fill", "fill"},
    {FERRYX_CALLOUT, "queue_callout", nullptr},
    {FERRYX_FUNCTION, "queue_function", nullptr},
    {FERRYX_MARK, "queue_mark", nullptr},
    {FERRYX_AWAIT, "queue_await", nullptr},
    {FERRYX_SET_FLAG, "queue_set_flag", nullptr},
    {FERRYX_TAKE_FLAG, "queue_take_flag", nullptr},
    {FERRYX_WRITE_VALUE, "queue_write_value", nullptr},
    {FERRYX_AWAIT_VALUE, "queue_await_value", nullptr},
    {FERRYX_REDUCE, "queue_reduce", nullptr},
    {FERRYX_KERNEL, "queue_kernel", nullptr},
};

const WorkName* find_name(uint32_t kind) {
  const auto* found = std::find_if(std::begin(kWorkNames), std::end(kWorkNames),
                                   [&](const WorkName& row) { return row.kind == kind; });
  return found == std::end(kWorkNames) ? nullptr : found;
}

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
  return services->fail(code,
                        (std::string("the null backend was told to fail in ") + slot).c_str());
}

int fail_unknown() {
  return services->fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                        "the null backend knows no work of this kind");
}

// ---- devices and memory ----

}  // namespace

namespace slots {

using namespace absent_slots;  // NOLINT(google-build-using-namespace): it is made for this

int check_settings(const ferryx_backend* self, const ferryx_runtime* runtime,
                   const ferryx_settings* settings, uint32_t* counts) {
  uint32_t devices = 0;
  return count_entries(*self, *runtime, *settings, counts, devices);
}

int open(const ferryx_backend* self, const ferryx_runtime* runtime, const ferryx_settings* settings,
         uint32_t* counts, ferryx_instance** instance) {
  services = runtime;
  static Instance only;
  *instance = handle_of<ferryx_instance>(&only);
  return check_settings(self, runtime, settings, counts);
}

int device_open(ferryx_instance* /*instance*/, uint32_t /*index*/, uint32_t /*number*/,
                ferryx_device** device) {
  if (const int code = outcome("device_open"); code != ACL_SUCCESS) return code;
  *device = handle_of<ferryx_device>(new Device);
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

namespace {

int map(uint64_t size, int protection, uint32_t kind, ferryx_memory* out) {
  void* address =
      mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) {
    return services->fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "the system has no addresses left");
  }
  *out = {.address = address, .size = size, .storage = address, .kind = kind, .device = 0};
  return ACL_SUCCESS;
}

}  // namespace

int memory_alloc(ferryx_device* /*device*/, uint64_t size, uint32_t /*policy*/,
                 ferryx_memory* out) {
  if (const int code = outcome("memory_alloc"); code != ACL_SUCCESS) return code;
  return map(size, PROT_NONE, FERRYX_MEMORY_DEVICE, out);
}

void memory_free(ferryx_device* /*device*/, const ferryx_memory* memory) {
  munmap(memory->address, memory->size);
}

void host_free(ferryx_device* device, const ferryx_memory* memory) {
  memory_free(device, memory);
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

int device_execute(ferryx_device* /*device*/, const ferryx_work* work) {
  if (const int code = outcome("device_execute"); code != ACL_SUCCESS) return code;
  const WorkName* name = find_name(work->kind);
  return name == nullptr || name->now == nullptr ? fail_unknown() : outcome(name->now);
}

int queue_create(ferryx_device* /*device*/, const ferryx_queue_settings* settings,
                 ferryx_queue** queue) {
  if (const int code = outcome("queue_create"); code != ACL_SUCCESS) return code;
  *queue = handle_of<ferryx_queue>(new Queue(settings->cookie));
  return ACL_SUCCESS;
}

void queue_destroy(ferryx_queue* queue) {
  Queue& own = object_of(queue);
  {
    // The runtime completes its callouts whatever happens to the queue.
    std::unique_lock lock(own.mutex);
    own.changed.wait(lock, [&] { return own.callouts == 0; });
  }
  delete &own;
}

namespace {

void run_callout(Queue& queue, const ferryx_callout_work& work) {
  {
    const std::lock_guard lock(queue.mutex);
    ++queue.callouts;
  }
  work.start(work.argument, new Callout(queue));
}

struct Over {
  ~Over() { told.set_value(); }
  std::promise<void> told;
};

// The function has a thread of its own, which it may end. The thread's end destroys `over`.
int run_function(const std::function<void()>& function) {
  auto over = std::make_shared<Over>();
  const std::future<void> is_over = over->told.get_future();
  const Status started =
      start_thread("ferry-function", [function, over = std::move(over)] { function(); });
  if (!started.ok()) return started.code();
  is_over.wait();
  return ACL_SUCCESS;
}

// Reports a kernel that has failed, or ended its thread, on that thread. The name and the accesses
// of the work may be gone once the kernel has run.
struct KernelRun {
  KernelRun(const Queue& of, const ferryx_work& work)
      : queue(of), origin(work.origin), kernel(work.as.kernel), name(work.as.kernel.name) {}
  ~KernelRun() {
    if (code == ACL_SUCCESS) return;
    const FixedText text("kernel %s failed with code %d", name.c_str(), code);
    ferryx_work failed = make_work(FERRYX_KERNEL, &ferryx_payload::kernel,
                                   {.run = kernel.run,
                                    .argument = kernel.argument,
                                    .name = name.c_str(),
                                    .accesses = nullptr,
                                    .access_count = 0});
    failed.origin = origin;
    const ferryx_fault fault{.work = &failed, .code = code, .text = text.c_str()};
    services->work_failed(queue.cookie, &fault);
  }
  KernelRun(const KernelRun&) = delete;
  KernelRun& operator=(const KernelRun&) = delete;

  void run() { code = kernel.run(kernel.argument, 1); }

  const Queue& queue;
  const ferryx_origin origin;
  const ferryx_kernel kernel;
  const std::string name;
  int code = ACL_ERROR_RT_AICORE_EXCEPTION;
};

int run_kernel(const Queue& queue, const ferryx_work& work) {
  return run_function([&] { KernelRun(queue, work).run(); });
}

}  // namespace

int queue_submit(ferryx_queue* queue, const ferryx_work* work) {
  if (const int code = outcome("queue_submit"); code != ACL_SUCCESS) return code;
  const WorkName* name = find_name(work->kind);
  if (name == nullptr) return fail_unknown();
  if (const int code = outcome(name->queued); code != ACL_SUCCESS) return code;
  if (work->kind == FERRYX_CALLOUT) run_callout(object_of(queue), work->as.callout);
  if (work->kind == FERRYX_FUNCTION) {
    const ferryx_function& function = work->as.function;
    return run_function([function] { function.run(function.argument, 1); });
  }
  if (work->kind == FERRYX_KERNEL) return run_kernel(object_of(queue), *work);
  return ACL_SUCCESS;
}

int queue_query(ferryx_queue* queue, int* done) {
  Queue& own = object_of(queue);
  const std::lock_guard lock(own.mutex);
  *done = own.callouts == 0 ? 1 : 0;
  return outcome("queue_query");
}

int queue_synchronize(ferryx_queue* queue, int64_t timeout) {
  if (const int code = outcome("queue_synchronize"); code != ACL_SUCCESS) return code;
  Queue& own = object_of(queue);
  std::unique_lock lock(own.mutex);
  const auto is_done = [&] { return own.callouts == 0; };
  if (timeout == FERRYX_FOREVER) {
    own.changed.wait(lock, is_done);
    return ACL_SUCCESS;
  }
  const bool done = own.changed.wait_for(lock, std::chrono::nanoseconds(timeout), is_done);
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
  *marker = handle_of<ferryx_marker>(new Marker);
  return ACL_SUCCESS;
}

void marker_retain(ferryx_marker* marker) {
  object_of(marker).references.fetch_add(1);
}

void marker_release(ferryx_marker* marker) {
  if (object_of(marker).references.fetch_sub(1) == 1) delete &object_of(marker);
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
  *flag = handle_of<ferryx_flag>(new Flag);
  return ACL_SUCCESS;
}

void flag_release(ferryx_flag* flag) {
  delete &object_of(flag);
}

int flag_clear(ferryx_flag* /*flag*/) {
  return outcome("flag_clear");
}

}  // namespace slots

namespace {

constexpr ferryx_backend kBackend{
    .struct_size = sizeof(ferryx_backend),
    .abi_major = FERRYX_ABI_MAJOR,
    .abi_minor = FERRYX_ABI_MINOR,
    .name = "null",
    .capabilities = FERRYX_CHEAP_CALLOUTS,
#define FERRYX_SLOT(result, name, parameters, need, what) .name = slots::name,
#include "ferry/backend_slots.def"
};

// Slots that return a code can fail, except open and check_settings. So can each kind of work.
bool can_fail(std::string_view slot) {
  constexpr std::string_view kSlots[] = {
#define FERRYX_SLOT(result, name, parameters, need, what) \
  std::is_same_v<result, int>&&kBackend.name != nullptr ? #name : "",
#include "ferry/backend_slots.def"
  };
  if (slot.empty() || slot == "open" || slot == "check_settings") return false;
  if (std::find(std::begin(kSlots), std::end(kSlots), slot) != std::end(kSlots)) return true;
  return std::any_of(std::begin(kWorkNames), std::end(kWorkNames), [&](const WorkName& row) {
    return slot == row.queued || (row.now != nullptr && slot == row.now);
  });
}

}  // namespace

const ferryx_backend* backend() {
  return &kBackend;
}

bool fail_on_demand(std::string_view slot, uint64_t nth, int code) {
  if (!can_fail(slot)) return false;
  Demands& all = demands();
  const std::lock_guard lock(all.mutex);
  all.by_slot[std::string(slot)] = {.countdown = nth, .code = code};
  return true;
}

void clear_failures() {
  Demands& all = demands();
  const std::lock_guard lock(all.mutex);
  all.by_slot.clear();
}

}  // namespace ferry::null
