// SPDX-License-Identifier: Apache-2.0
// Destroys streams from any thread. The C interface requires the stream's context to be current. A
// finaliser runs on an arbitrary thread of the interpreter and must leave that thread's context
// unchanged.
#include "../acl/lock.h"
#include "errors.h"
#include "library.h"

#include "acl/acl.h"

#include <thread>

namespace nb = nanobind;

namespace ferry::python {
namespace {

template <typename Call>
Outcome in_context(aclrtContext context, const Call& call) {
  aclrtContext before = nullptr;
  const aclError code = aclrtGetCurrentContext(&before);
  if (code == ACL_SUCCESS && before == context) return call();
  Outcome outcome;
  const auto switch_and_call = [&] {
    outcome = outcome_of("aclrtSetCurrentContext", aclrtSetCurrentContext(context));
    if (outcome.is_success()) outcome = call();
  };
  if (code == ACL_SUCCESS) {
    switch_and_call();
    static_cast<void>(aclrtSetCurrentContext(before));
  } else if (code == ACL_ERROR_RT_CONTEXT_NULL) {
    static_cast<void>(aclGetRecentErrMsg());
    // A thread with a context cannot go back to having none: use a temporary thread.
    std::thread(switch_and_call).join();
  } else {
    outcome = outcome_of("aclrtGetCurrentContext", code);
  }
  return outcome;
}

nb::tuple destroy_stream(uintptr_t context, uintptr_t stream, bool by_force) {
  Outcome outcome;
  {
    const Unlocked unlocked;
    outcome = in_context(reinterpret_cast<aclrtContext>(context), [&] {
      auto* const handle = reinterpret_cast<aclrtStream>(stream);
      return by_force ? outcome_of("aclrtDestroyStreamForce", aclrtDestroyStreamForce(handle))
                      : outcome_of("aclrtDestroyStream", aclrtDestroyStream(handle));
    });
  }
  return as_tuple(outcome);
}

bool stream_is_busy(uintptr_t context, uintptr_t stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  {
    const Unlocked unlocked;
    static_cast<void>(in_context(reinterpret_cast<aclrtContext>(context), [&] {
      return outcome_of("aclrtStreamQuery",
                        aclrtStreamQuery(reinterpret_cast<aclrtStream>(stream), &status));
    }));
  }
  return status == ACL_STREAM_STATUS_NOT_READY;
}

}  // namespace

void add_streams(nb::module_& module) {
  module.def("destroy_stream", destroy_stream, nb::arg("context"), nb::arg("stream"),
             nb::arg("by_force"));
  module.def("stream_is_busy", stream_is_busy, nb::arg("context"), nb::arg("stream"));
}

}  // namespace ferry::python
