// SPDX-License-Identifier: Apache-2.0
// What every function of ferry/*.h has around it.
#pragma once

#include "api/barrier.h"
#include "api/init.h"
#include "base/error_state.h"

#include "acl/acl_base_rt.h"

namespace ferry::api {

// Runs `body` as the exported function `name`: error texts name it, and no exception escapes.
template <class Body>
aclError exported(const char* name, Body body) {
  const CallScope scope(name);
  try {
    ensure_put_together();
    return body();
  } catch (...) {
    return code_of_exception();
  }
}

}  // namespace ferry::api
