// SPDX-License-Identifier: Apache-2.0
// Values in memory. A store is a task that writes 8 bytes, and publishes the queue's knowledge; a
// wait joins what the stores that satisfy it have published.
#include "layers/check/front/checked_objects.h"
#include "layers/check/front/ranges_of_work.h"

#include "acl/acl_base_rt.h"

#include <new>

namespace ferry::layers::check::slots {
namespace {

// Behind a wait for a value. It ends a stop of a queue with a lookahead.
class LearnValue : public Step {
 public:
  LearnValue(CheckedQueue& queue, const ferryx_value& awaited, const Moment& moment)
      : queue_(queue),
        awaited_(awaited),
        moment_(moment),
        stop_(queue.lookahead == nullptr ? 0 : queue.lookahead->add_stop()) {
    queue_.retain();
  }
  ~LearnValue() override { queue_.release(); }
  void reached() override {
    world().value_wait_over(moment_, awaited_);
    pass(Lookahead::Outcome::kOver);
  }
  void dropped() override {
    world().value_wait_dropped(moment_, awaited_);
    pass(Lookahead::Outcome::kDropped);
  }

 private:
  void pass(Lookahead::Outcome outcome) {
    if (queue_.lookahead != nullptr) queue_.lookahead->pass(stop_, outcome);
  }

  CheckedQueue& queue_;
  const ferryx_value awaited_;
  const Moment moment_;
  const uint64_t stop_;
};

}  // namespace

int submit_value_wait(CheckedQueue& queue, const ferryx_work& work) {
  const Submission submission(queue);
  // The step exists before the wait is queued: a wait without its step would never end for World.
  const Moment moment = world().wait_queued(queue.id);
  StepToBe step(std::make_unique<LearnValue>(queue, work.as.value, moment));
  const int code = queue.inner->queue_submit(queue.handle, &work);
  if (code != ACL_SUCCESS) return code;
  try {
    return queue_step(queue, work.origin, step.take());
  } catch (const std::bad_alloc&) {
    // The wait stays in the queue, so the call succeeds; only World does not learn of its end.
    world().forget_everything();
    return ACL_SUCCESS;
  }
}

}  // namespace ferry::layers::check::slots
