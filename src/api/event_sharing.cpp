// SPDX-License-Identifier: Apache-2.0
// Events that several processes share.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/event.h"
#include "core/ipc_event.h"

namespace ferry::api {

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  if (handle == nullptr) return fail_null("handle");
  FERRY_TRY(Ref<Event>, found, find_event(event));
  IpcEvent* const shared = (*found)->ipc();
  if (shared == nullptr) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1006, "event", Value::beside(event))
        .because(
            " cannot be shared: create it by aclrtCreateEventExWithFlag with the flag "
            "ACL_EVENT_IPC");
  }
  return shared->get_handle(*handle);
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  if (event == nullptr) return fail_null("event");
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(Ref<Event>, opened, Event::open((*context)->device(), handle));
  *event = (*opened)->handle();
  return ACL_SUCCESS;
}

}  // namespace ferry::api
