// SPDX-License-Identifier: Apache-2.0
// Functions in queue order: host functions, and those that act as kernels. Both are stops of a
// queue with a lookahead.
#include "base/work.h"
#include "layers/check/front/checked_objects.h"

#include "acl/acl_base_rt.h"

namespace ferry::layers::check::slots {
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

// ---- device functions ----

struct DeviceFunction {
  DeviceFunction(CheckedQueue& queue, const ferryx_function& called)
      : function(called), place(queue), moment(world().submit_point(queue.id)) {}

  static void run(void* argument, int run) {
    const std::unique_ptr<DeviceFunction> own(static_cast<DeviceFunction*>(argument));
    if (run == 0) {
      own->drop();
      return own->function.run(own->function.argument, 0);
    }
    world().kernel_starts(own->moment);
    own->function.run(own->function.argument, 1);
    world().kernel_over(own->moment);
    own->place.pass(Lookahead::Outcome::kOver);
  }

  void drop() const {
    world().drop_point(moment);
    place.pass(Lookahead::Outcome::kDropped);
  }

  const ferryx_function function;
  const Place place;
  const Moment moment;
};

// Submits `inner`, whose argument is the function; the function owns itself once it is queued.
template <class Function>
int submit(CheckedQueue& queue, std::unique_ptr<Function> function, ferryx_work& inner,
           const ferryx_work& outer) {
  inner.origin = outer.origin;
  const int code = queue.inner->queue_submit(queue.handle, &inner);
  if (code == ACL_SUCCESS) {
    static_cast<void>(function.release());
  } else {
    function->drop();
  }
  return code;
}

}  // namespace

int submit_callout(CheckedQueue& queue, const ferryx_work& work) {
  const std::lock_guard lock(queue.submitting);
  auto function = std::make_unique<HostFunction>(queue, work.as.callout);
  ferryx_work inner = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                                {.start = HostFunction::start, .argument = function.get()});
  return submit(queue, std::move(function), inner, work);
}

int submit_function(CheckedQueue& queue, const ferryx_work& work) {
  const std::lock_guard lock(queue.submitting);
  auto function = std::make_unique<DeviceFunction>(queue, work.as.function);
  ferryx_work inner = make_work(FERRYX_FUNCTION, &ferryx_payload::function,
                                {.run = DeviceFunction::run, .argument = function.get()});
  return submit(queue, std::move(function), inner, work);
}

}  // namespace ferry::layers::check::slots
