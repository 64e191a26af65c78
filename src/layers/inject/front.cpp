// SPDX-License-Identifier: Apache-2.0
// A task that is to fail is replaced by a callout that reports the failure, as the backend would.
// The queue goes on behind it. Markers are reached and flags are set all the same, or whatever
// waits for them would wait for ever. A delay is a callout before the work.
#include "layers/inject/front.h"

#include "base/work.h"
#include "layers/front/front.h"
#include "layers/inject/delays.h"
#include "layers/inject/inject.h"

#include "acl/acl_base_rt.h"

#include <atomic>
#include <memory>

namespace ferry::layers::inject {
namespace {

std::atomic<const ferryx_runtime*> runtime_of_all{nullptr};

struct InjectedQueue : Wrapped<ferryx_queue> {
  InjectedQueue(const ferryx_backend* backend, const ferryx_queue_settings& settings)
      : Wrapped(backend, nullptr), cookie(settings.cookie), stream(settings.stream) {}

  void* const cookie;
  const int32_t stream;
};

InjectedQueue& injected(ferryx_queue* queue) {
  return static_cast<InjectedQueue&>(wrapped(queue));
}

// Work that fails in the place of the program's.
struct FailingTask {
  FailingTask(const ferryx_work& original, void* cookie_of_queue, aclError with)
      : work(original), cookie(cookie_of_queue), code(with) {}

  static void start(void* argument, ferryx_callout* callout) {
    const std::unique_ptr<FailingTask> own(static_cast<FailingTask*>(argument));
    if (callout != nullptr) own->report();
    own->drop_original();
    if (callout != nullptr) callout->done(callout);
  }

  void report() const {
    const ferryx_fault fault{
        .work = &*work, .code = code, .text = "failed on purpose, as asked for"};
    // If the stream stops on failures, the runtime drops what is queued.
    static_cast<void>(runtime_of_all.load()->work_failed(cookie, &fault));
  }

  // Work with an argument releases it.
  void drop_original() const {
    const ferryx_payload& as = work->as;
    switch (work->kind) {
      case FERRYX_CALLOUT:
        return as.callout.start(as.callout.argument, nullptr);
      case FERRYX_FUNCTION:
        return as.function.run(as.function.argument, 0);
      case FERRYX_KERNEL:
        static_cast<void>(as.kernel.run(as.kernel.argument, 0));
        return;
      default:
        return;
    }
  }

  const WorkClone work;
  void* const cookie;
  const aclError code;
};

bool is_awaited_by_others(uint32_t kind) {
  return kind == FERRYX_MARK || kind == FERRYX_SET_FLAG;
}

// A callout beside the program's work.
int submit_beside(InjectedQueue& queue, const ferryx_work& of, ferryx_callout_start start,
                  void* argument) {
  ferryx_work work =
      make_work(FERRYX_CALLOUT, &ferryx_payload::callout, {.start = start, .argument = argument});
  work.origin = of.origin;
  if (is_awaited_by_others(of.kind)) work.origin.correlation = 0;  // it is reported once
  return queue.inner->queue_submit(queue.handle, &work);
}

int submit_failing(InjectedQueue& queue, const ferryx_work& work, aclError code) {
  auto failing = std::make_unique<FailingTask>(work, queue.cookie, code);
  const int submitted = submit_beside(queue, work, FailingTask::start, failing.get());
  if (submitted == ACL_SUCCESS) static_cast<void>(failing.release());  // `start` owns it now
  return submitted;
}

int submit_delay(InjectedQueue& queue, const ferryx_work& of, std::chrono::microseconds delay) {
  auto waiting = std::make_unique<Delay>(delay);
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = Delay::start, .argument = waiting.get()});
  work.origin = of.origin;
  work.origin.correlation = 0;
  const int submitted = queue.inner->queue_submit(queue.handle, &work);
  if (submitted == ACL_SUCCESS) static_cast<void>(waiting.release());
  return submitted;
}

int inject_open(const ferryx_backend* self, const ferryx_runtime* runtime,
                const ferryx_settings* settings, uint32_t* counts, ferryx_instance** instance) {
  runtime_of_all.store(runtime);
  return forwarding_table().open(self, runtime, settings, counts, instance);
}

int inject_queue_create(ferryx_device* device, const ferryx_queue_settings* settings,
                        ferryx_queue** queue) {
  const Wrapped<ferryx_device>& own = wrapped(device);
  auto made = std::make_unique<InjectedQueue>(own.inner, *settings);
  const int code = own.inner->queue_create(own.handle, settings, &made->handle);
  if (code == ACL_SUCCESS) *queue = wrap<ferryx_queue>(made.release());
  return code;
}

int inject_queue_submit(ferryx_queue* queue, const ferryx_work* work) {
  InjectedQueue& own = injected(queue);
  const Effect effect = strike_task(work->origin.call, own.stream);
  if (effect.delay.count() > 0) {
    if (const int code = submit_delay(own, *work, effect.delay); code != ACL_SUCCESS) return code;
  }
  if (effect.code != ACL_SUCCESS) {
    const int code = submit_failing(own, *work, effect.code);
    if (code != ACL_SUCCESS || !is_awaited_by_others(work->kind)) return code;
  }
  return own.inner->queue_submit(own.handle, InnerWork(*work).get());
}

}  // namespace

const ferryx_backend* put_inject_in_front(const ferryx_backend* backend) {
  ferryx_backend table = forwarding_table();
  table.open = inject_open;
  table.queue_create = inject_queue_create;
  table.queue_submit = inject_queue_submit;
  return put_in_front(backend, table);
}

}  // namespace ferry::layers::inject
