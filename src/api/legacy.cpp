// SPDX-License-Identifier: Apache-2.0
// The exported symbols of the older runtime interface, generated from the list.
#include "api/legacy.h"

#include "api/barrier.h"
#include "base/error_state.h"
#include "dispatch/dispatch_table.h"

namespace ferry {

#define FERRY_LEGACY(name, params, result)             \
  extern "C" ACL_FUNC_VISIBILITY int32_t name params { \
    const CallScope scope(#name);                      \
    try {                                              \
      return result;                                   \
    } catch (...) {                                    \
      return api::code_of_exception();                 \
    }                                                  \
  }
#include "api/legacy_list.def"

}  // namespace ferry
