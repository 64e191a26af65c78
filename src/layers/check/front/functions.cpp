// SPDX-License-Identifier: Apache-2.0
// Functions in queue order: host functions, those that act as kernels, and frees of the runtime.
// All are stops of a queue with a lookahead.
#include "base/work.h"
#include "layers/check/calls/call.h"
#include "layers/check/front/checked_objects.h"

#include "acl/acl_base_rt.h"

#include <unistd.h>

namespace ferry::layers::check {
namespace {

thread_local const MemoryEnd* running_free = nullptr;

}  // namespace

const MemoryEnd* current_end() {
  return running_free;
}

namespace slots {
namespace {

// The place of a function in its queue. The queue may be destroyed before the function has ended.
struct Place {
  explicit Place(CheckedQueue& of)
      : queue(of), stop(of.lookahead != nullptr ? of.lookahead->add_stop() : 0) {
    queue.retain();
  }
  ~Place() { queue.release(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void pass(Lookahead::Outcome outcome) const {
    if (queue.lookahead != nullptr) queue.lookahead->pass(stop, outcome);
  }

  CheckedQueue& queue;
  const uint64_t stop;
};

// ---- host functions ----

// The work, and the callout that the runtime holds while the host executes it.
struct HostFunction : ferryx_callout {
  HostFunction(CheckedQueue& queue, const ferryx_callout_work& function)
      : ferryx_callout{.done = finish}, work(function), place(queue), moment() {
    moment = world().host_work_queued(queue.id);
  }

  static void start(void* argument, ferryx_callout* callout) {
    auto* own = static_cast<HostFunction*>(argument);
    if (callout == nullptr) {
      const std::unique_ptr<HostFunction> last(own);
      own->drop();
      return own->work.start(own->work.argument, nullptr);
    }
    world().host_work_starts(own->moment);
    own->inner = callout;
    own->work.start(own->work.argument, own);
  }

  static void finish(ferryx_callout* callout) {
    const std::unique_ptr<HostFunction> own(static_cast<HostFunction*>(callout));
    world().host_work_over(own->moment, true);
    own->place.pass(Lookahead::Outcome::kOver);
    own->inner->done(own->inner);
  }

  void drop() const {
    world().host_work_over(moment, false);
    place.pass(Lookahead::Outcome::kDropped);
  }

  const ferryx_callout_work work;
  const Place place;
  Moment moment;
  ferryx_callout* inner = nullptr;
};

// ---- runs of models ----

// The callout that starts a run. The host learns nothing from it, unlike from a host function.
struct RunStart : ferryx_callout {
  RunStart(CheckedQueue& queue, const ferryx_callout_work& start, std::shared_ptr<Run> of)
      : ferryx_callout{.done = finish}, work(start), place(queue), run(std::move(of)) {
    world().run_queued(run, queue.id);
  }

  static void start(void* argument, ferryx_callout* callout) {
    auto* own = static_cast<RunStart*>(argument);
    if (callout == nullptr) {
      const std::unique_ptr<RunStart> last(own);
      own->drop();
      return own->work.start(own->work.argument, nullptr);
    }
    world().run_reached(*own->run);
    own->inner = callout;
    own->work.start(own->work.argument, own);
  }

  static void finish(ferryx_callout* callout) {
    const std::unique_ptr<RunStart> own(static_cast<RunStart*>(callout));
    world().run_over(*own->run, true);
    own->place.pass(Lookahead::Outcome::kOver);
    own->inner->done(own->inner);
  }

  void drop() const {
    world().run_over(*run, false);
    place.pass(Lookahead::Outcome::kDropped);
  }

  const ferryx_callout_work work;
  const Place place;
  const std::shared_ptr<Run> run;
  ferryx_callout* inner = nullptr;
};

// The callout that ends a lane.
struct LaneEnd {
  LaneEnd(CheckedQueue& queue, const ferryx_callout_work& end)
      : work(end),
        place(queue),
        run(std::exchange(queue.run, nullptr)),
        moment(world().lane_end_queued(queue.id)) {}

  static void start(void* argument, ferryx_callout* callout) {
    const std::unique_ptr<LaneEnd> own(static_cast<LaneEnd*>(argument));
    const bool is_dropped = callout == nullptr;
    world().lane_over(*own->run, own->moment, is_dropped);
    own->place.pass(is_dropped ? Lookahead::Outcome::kDropped : Lookahead::Outcome::kOver);
    own->work.start(own->work.argument, callout);
  }

  void drop() const {
    world().lane_over(*run, moment, true);
    place.pass(Lookahead::Outcome::kDropped);
  }

  const ferryx_callout_work work;
  const Place place;
  const std::shared_ptr<Run> run;
  const Moment moment;
};

// ---- device functions ----

// A device function, or a kernel that does not declare what it uses.
struct DeviceFunction {
  DeviceFunction(CheckedQueue& queue, const ferryx_work& work)
      : function(work.kind == FERRYX_FUNCTION ? work.as.function : ferryx_function{}),
        kernel(work.kind == FERRYX_KERNEL ? work.as.kernel : ferryx_kernel{}),
        task(std::make_shared<Task>()),
        place(queue) {
    task->function = work.origin.call;
    task->site = site_of_work(queue, work);
    task->is_function = true;
    world().submit(task, queue.id);
  }

  static void run(void* argument, int run) { run_kernel(argument, run); }

  static int run_kernel(void* argument, int run) {
    const std::unique_ptr<DeviceFunction> own(static_cast<DeviceFunction*>(argument));
    if (run == 0) {
      own->drop();
      return own->call(0);
    }
    world().function_starts(own->task);
    const Over over{*own};
    return own->call(1);
  }

  int call(int run) const {
    if (kernel.run != nullptr) return kernel.run(kernel.argument, run);
    function.run(function.argument, run);
    return ACL_SUCCESS;
  }

  // Tells that the function is over, also when it ends its thread.
  struct Over {
    ~Over() {
      world().function_over(*function.task);
      function.place.pass(Lookahead::Outcome::kOver);
    }
    const DeviceFunction& function;
  };

  void drop() const {
    world().drop(*task);
    place.pass(Lookahead::Outcome::kDropped);
  }

  const ferryx_function function;
  const ferryx_kernel kernel;
  const std::shared_ptr<Task> task;
  const Place place;
};

// ---- frees ----

// The runtime frees memory in queue order, for aclrtMemPoolFreeAsync. That is over when the start
// returns. The host learns nothing of it, unlike from a host function, which can tell the program.
struct QueuedFree {
  QueuedFree(CheckedQueue& queue, const ferryx_work& free)
      : work(free.as.callout), place(queue), point(world().submit_point(queue.id)) {
    end = {.function = free.origin.call,
           .site = current_site(),
           .thread = gettid(),
           .knowledge = {},
           .is_in_queue_order = true};
  }

  static void start(void* argument, ferryx_callout* callout) {
    const std::unique_ptr<QueuedFree> own(static_cast<QueuedFree*>(argument));
    const bool is_dropped = callout == nullptr;
    own->end.knowledge = is_dropped ? world().behind(own->point) : world().publish(own->point);
    if (is_dropped) world().drop_point(own->point);
    ferryx_callout outer{.done = [](ferryx_callout* /*callout*/) {}};
    running_free = &own->end;
    own->work.start(own->work.argument, is_dropped ? nullptr : &outer);
    running_free = nullptr;
    own->place.pass(is_dropped ? Lookahead::Outcome::kDropped : Lookahead::Outcome::kOver);
    if (!is_dropped) callout->done(callout);
  }

  void drop() const {
    world().drop_point(point);
    place.pass(Lookahead::Outcome::kDropped);
  }

  const ferryx_callout_work work;
  const Place place;
  const Moment point;
  MemoryEnd end;
};

bool is_free() {
  const Call* call = Call::current();
  return call != nullptr && call->function() == Function::aclrtMemPoolFreeAsync;
}

// The submission may fail, or throw.
template <class Function>
struct DroppedUnlessQueued {
  explicit DroppedUnlessQueued(std::unique_ptr<Function> made) : function(std::move(made)) {}
  ~DroppedUnlessQueued() {
    if (function != nullptr) function->drop();
  }
  DroppedUnlessQueued(const DroppedUnlessQueued&) = delete;
  DroppedUnlessQueued& operator=(const DroppedUnlessQueued&) = delete;

  std::unique_ptr<Function> function;
};

// Submits `inner`, whose argument is the function; the function owns itself once it is queued.
template <class Function>
int submit(CheckedQueue& queue, std::unique_ptr<Function> function, ferryx_work& inner,
           const ferryx_work& outer) {
  inner.origin = outer.origin;
  DroppedUnlessQueued<Function> dropped{std::move(function)};
  const int code = queue.inner->queue_submit(queue.handle, &inner);
  if (code == ACL_SUCCESS) static_cast<void>(dropped.function.release());
  return code;
}

template <class Function>
int submit_start(CheckedQueue& queue, std::unique_ptr<Function> function,
                 const ferryx_work& outer) {
  ferryx_work inner = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                                {.start = Function::start, .argument = function.get()});
  return submit(queue, std::move(function), inner, outer);
}

}  // namespace

int submit_callout(CheckedQueue& queue, const ferryx_work& work) {
  const Submission submission(queue);
  const bool ends_lane = queue.run != nullptr && work.origin.correlation == 0;
  if (ends_lane)
    return submit_start(queue, std::make_unique<LaneEnd>(queue, work.as.callout), work);
  if (is_free()) return submit_start(queue, std::make_unique<QueuedFree>(queue, work), work);
  return submit_start(queue, std::make_unique<HostFunction>(queue, work.as.callout), work);
}

int submit_run(CheckedQueue& queue, const ferryx_work& start, const std::shared_ptr<Run>& run) {
  const Submission submission(queue);
  return submit_start(queue, std::make_unique<RunStart>(queue, start.as.callout, run), start);
}

int submit_function(CheckedQueue& queue, const ferryx_work& work) {
  const Submission submission(queue);
  auto function = std::make_unique<DeviceFunction>(queue, work);
  ferryx_work inner = make_work(FERRYX_FUNCTION, &ferryx_payload::function,
                                {.run = DeviceFunction::run, .argument = function.get()});
  return submit(queue, std::move(function), inner, work);
}

int submit_kernel(CheckedQueue& queue, const ferryx_work& work) {
  if (work.as.kernel.access_count > 0) return submit_declared(queue, work);
  const Submission submission(queue);
  auto function = std::make_unique<DeviceFunction>(queue, work);
  ferryx_work inner = make_work(FERRYX_KERNEL, &ferryx_payload::kernel, work.as.kernel);
  inner.as.kernel.run = DeviceFunction::run_kernel;
  inner.as.kernel.argument = function.get();
  return submit(queue, std::move(function), inner, work);
}

}  // namespace slots
}  // namespace ferry::layers::check
