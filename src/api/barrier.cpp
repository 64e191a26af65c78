// SPDX-License-Identifier: Apache-2.0
// Maps exceptions to error codes.
#include "api/barrier.h"

#include "base/forced_unwind.h"
#include "base/status.h"

#include <exception>
#include <new>

namespace ferry::api {

FERRY_CATCHES_FORCED_UNWIND aclError code_of_exception() {
  try {
    throw;
  } catch (const abi::__forced_unwind&) {
    throw;  // pthread_cancel and pthread_exit: swallowing it would end the process
  } catch (const std::bad_alloc&) {
    return fail(ACL_ERROR_BAD_ALLOC, kEH9999, "host memory is exhausted");
  } catch (const std::exception& unexpected) {
    return fail(ACL_ERROR_INTERNAL_ERROR, kEH9999, "unexpected exception: %s", unexpected.what());
  } catch (...) {
    return fail(ACL_ERROR_INTERNAL_ERROR, kEH9999, "unexpected exception");
  }
}

}  // namespace ferry::api
