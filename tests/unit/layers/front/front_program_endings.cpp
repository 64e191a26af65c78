// SPDX-License-Identifier: Apache-2.0
// The part of the program in which work ends early: it is stopped, aborted, dropped, or late.
#include "tests/unit/layers/front/front_program.h"

#include <future>

namespace ferry::layers {

// Ends a callout that is not done; what is behind it executes with the next submission.
void FrontProgram::stop() {
  if (top_.queue_stop == nullptr) return;
  const std::set<uint64_t> executed = correlations_;
  std::promise<ferryx_callout*> started;
  const auto stay = [](void* argument, ferryx_callout* callout) {
    static_cast<std::promise<ferryx_callout*>*>(argument)->set_value(callout);
  };
  submit(queues_[0], FERRYX_CALLOUT, &ferryx_payload::callout,
         {.start = stay, .argument = &started});
  const int functions = calls_.functions;
  submit(queues_[0], FERRYX_FUNCTION, &ferryx_payload::function, {.run = run, .argument = &calls_});
  ferryx_callout* const callout = started.get_future().get();
  ok(top_.queue_stop(queues_[0]));
  callout->done(callout);
  EXPECT_EQ(top_.queue_synchronize(queues_[0], FERRYX_FOREVER), ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(calls_.functions, functions);
  submit(queues_[0], FERRYX_FUNCTION, &ferryx_payload::function, {.run = run, .argument = &calls_});
  synchronize();
  EXPECT_EQ(calls_.functions, functions + 2);
  correlations_ = executed;
}

// Behind a wait for a marker that nobody reaches.
void FrontProgram::abort_and_drop() {
  const std::set<uint64_t> executed = correlations_;
  const int callouts = calls_.callouts;
  const int functions = calls_.functions;
  ferryx_marker* never = nullptr;
  ferryx_marker* dropped = nullptr;
  for (int round = 0; round < 2; ++round) {
    ok(top_.marker_create(device(), &never));
    ok(top_.marker_create(device(), &dropped));
    await(queues_[0], never);
    submit(queues_[0], FERRYX_CALLOUT, &ferryx_payload::callout,
           {.start = start, .argument = &calls_});
    submit(queues_[0], FERRYX_FUNCTION, &ferryx_payload::function,
           {.run = run, .argument = &calls_});
    const ferryx_access writes{
        .address = memory_.address, .size = kBlock, .writes = 1, .reserved = 0};
    submit(queues_[0], FERRYX_KERNEL, &ferryx_payload::kernel,
           kernel(&writes, static_cast<uint64_t>(round)));
    mark(queues_[0], dropped);
    ok(round == 0 ? top_.queue_abort(queues_[0]) : top_.queue_drop(queues_[0]));
    const int code = top_.marker_synchronize(dropped, FERRYX_FOREVER);
    EXPECT_EQ(code, keeps_bytes_ ? ACL_ERROR_RT_STREAM_ABORT : ACL_RT_SUCCESS);
    top_.marker_release(never);
    top_.marker_release(dropped);
    synchronize();
    EXPECT_EQ(calls_.callouts + calls_.dropped_callouts, callouts + 1 + round);
    EXPECT_EQ(calls_.functions + calls_.dropped_functions, functions + 1 + round);
  }
  EXPECT_EQ(calls_.dropped_callouts, keeps_bytes_ ? 2 : 0);
  EXPECT_EQ(calls_.dropped_functions, keeps_bytes_ ? 2 : 0);
  EXPECT_EQ(calls_.dropped_kernels, keeps_bytes_ ? 2 : 0);
  correlations_ = executed;
}

void FrontProgram::time_out() {
  ferryx_marker* never = nullptr;
  ok(top_.marker_create(device(), &never));
  await(queues_[0], never, 1'000'000);
  synchronize();
  top_.marker_release(never);
  if (keeps_bytes_) {
    EXPECT_EQ(FrontRuntime::instance().faults(), std::vector<int>{ACL_ERROR_RT_WAIT_TIMEOUT});
  }
}

}  // namespace ferry::layers
