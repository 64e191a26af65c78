// SPDX-License-Identifier: Apache-2.0
// acl.rt: contexts.
#include "binding.h"
#include "chapters.h"

namespace ferry::python {

void add_context(nb::module_& rt) {
  bind_outputs_first<aclrtCreateContext>(
      rt, "create_context", "(device_id: int, /) -> tuple[int, int]",
      "Creates a context, which becomes the thread's current one (aclrtCreateContext).");
  bind<aclrtDestroyContext>(rt, "destroy_context", "(context: int, /) -> int",
                            "Destroys a context created by create_context (aclrtDestroyContext).");
  bind<aclrtSetCurrentContext>(rt, "set_context", "(context: int, /) -> int",
                               "Sets the thread's current context (aclrtSetCurrentContext).");
  bind_outputs_last<aclrtGetCurrentContext>(
      rt, "get_context", "tuple[int, int]",
      "Returns the thread's current context (aclrtGetCurrentContext).");
  bind_outputs_last<aclrtCtxGetCurrentDefaultStream>(
      rt, "ctx_get_current_default_stream", "tuple[int, int]",
      "Returns the default stream of the current context (aclrtCtxGetCurrentDefaultStream).");
  define(rt, "get_primary_ctx_state", "(device_id: int, /) -> tuple[int, int, int]",
         "Whether a device's default context is in use, and its flags (aclrtGetPrimaryCtxState).",
         [](Number<int32_t> device) {
           uint32_t flags = 0;
           int32_t active = 0;
           const aclError code =
               unlocked([&] { return aclrtGetPrimaryCtxState(device.value, &flags, &active); });
           return std::make_tuple(active, flags, code);
         });
}

}  // namespace ferry::python
