// SPDX-License-Identifier: Apache-2.0
// A callback or host function calls what the documentation forbids there: it must not create or
// free resources, synchronise, submit work, or abort it. Queries are allowed, and so are
// synchronous copies and fills, which the documentation does not mention.
#include "layers/check/calls/call.h"

#include "layers/check/rules/rules.h"
#include "layers/check/world/world.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kCallbackCallInfo{
    .name = "callback-call",
    .severity = Severity::kError,
    .summary =
        "a callback or host function makes or frees resources, synchronises, submits or "
        "aborts work",
    .advice =
        "Let the callback only note that its point was reached (a flag, a condition variable, "
        "a queue of the program), and do the call in a thread of the program."};

// The forbidden action of a function; nullptr when it is allowed in a callback.
// NOLINTNEXTLINE(readability-function-size): a table, one line per function
const char* what_it_does(Function function) {
  switch (function) {
    case Function::aclrtMalloc:
    case Function::aclrtMallocAlign32:
    case Function::aclrtMallocCached:
    case Function::aclrtMallocWithCfg:
    case Function::aclrtMallocForTaskScheduler:
    case Function::aclrtMallocHost:
    case Function::aclrtMallocHostWithCfg:
    case Function::aclrtMemPoolMallocAsync:
    case Function::aclrtMemAllocManaged:
    case Function::aclrtHostRegister:
    case Function::aclrtHostRegisterV2:
      return "allocates memory";
    case Function::aclrtFree:
    case Function::aclrtFreeWithDevSync:
    case Function::aclrtFreeHost:
    case Function::aclrtFreeHostWithDevSync:
    case Function::aclrtMemPoolFreeAsync:
    case Function::aclrtMemPoolTrimTo:
    case Function::aclrtHostUnregister:
      return "frees memory";
    case Function::aclrtCreateContext:
    case Function::aclrtCreateStream:
    case Function::aclrtCreateStreamWithConfig:
    case Function::aclrtCreateStreamV2:
    case Function::aclrtCreateEvent:
    case Function::aclrtCreateEventWithFlag:
    case Function::aclrtCreateEventExWithFlag:
    case Function::aclrtCreateNotify:
    case Function::aclrtMemPoolCreate:
      return "makes a resource";
    case Function::aclrtDestroyContext:
    case Function::aclrtDestroyStream:
    case Function::aclrtDestroyStreamForce:
    case Function::aclrtDestroyEvent:
    case Function::aclrtDestroyNotify:
    case Function::aclrtMemPoolDestroy:
    case Function::aclrtResetDevice:
    case Function::aclrtResetDeviceForce:
      return "frees a resource";
    case Function::aclrtSynchronizeDevice:
    case Function::aclrtSynchronizeDeviceWithTimeout:
    case Function::aclrtSynchronizeStream:
    case Function::aclrtSynchronizeStreamWithTimeout:
    case Function::aclrtSynchronizeEvent:
    case Function::aclrtSynchronizeEventWithTimeout:
      return "synchronises";
    case Function::aclrtMemcpyAsync:
    case Function::aclrtMemcpyAsyncWithCondition:
    case Function::aclrtMemcpyAsyncWithDesc:
    case Function::aclrtMemcpyAsyncWithOffset:
    case Function::aclrtMemcpy2dAsync:
    case Function::aclrtMemcpyBatchAsync:
    case Function::aclrtMemcpyBatchAsyncV2:
    case Function::aclrtMemsetAsync:
    case Function::aclrtMemsetD32Async:
    case Function::aclrtMemManagedPrefetchAsync:
    case Function::aclrtMemManagedPrefetchBatchAsync:
    case Function::aclrtCmoAsync:
    case Function::aclrtCmoAsyncWithDesc:
    case Function::aclrtRecordEvent:
    case Function::aclrtRecordEventWithFlag:
    case Function::aclrtResetEvent:
    case Function::aclrtStreamWaitEvent:
    case Function::aclrtStreamWaitEventWithFlag:
    case Function::aclrtStreamWaitEventWithTimeout:
    case Function::aclrtRecordNotify:
    case Function::aclrtWaitAndResetNotify:
    case Function::aclrtLaunchCallback:
    case Function::aclrtLaunchHostFunc:
      return "submits work";
    case Function::aclrtStreamAbort:
    case Function::aclrtDeviceTaskAbort:
      return "aborts work";
    default:
      return nullptr;
  }
}

class CallbackCall : public RuleOf<kCallbackCallInfo> {
 public:
  // Called only for calls from callbacks and host functions.
  void before_call(World& /*world*/, const Call& call) override {
    const char* what = what_it_does(call.function());
    if (what == nullptr) return;
    report(finding(std::string(call.name()) + " is called in a callback or host function and " +
                       what + ", which is not allowed there",
                   {{"the call", call.site()}}));
  }
};

}  // namespace

Rule& callback_call_rule() {
  return only<CallbackCall>();
}

}  // namespace ferry::layers::check
