// SPDX-License-Identifier: Apache-2.0
// Defects for the tests of the random programs. This file is linked into a program and stands
// between it and the library; the variable PLANTED_DEFECT names the defect that is on.
#include "acl/acl.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

bool is_on(const char* defect) {
  const char* chosen = std::getenv("PLANTED_DEFECT");
  return chosen != nullptr && std::strcmp(chosen, defect) == 0;
}

// The library's own function.
template <class Function>
Function* next(Function* /*type*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// wrong-byte: the last of several items loses its last byte.
// NOLINTNEXTLINE(readability-function-size): the API has this many parameters
aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  std::vector<size_t> shorter;
  if (is_on("wrong-byte") && sizes != nullptr && numBatches > 1 && sizes[numBatches - 1] > 1) {
    shorter.assign(sizes, sizes + numBatches);
    --shorter.back();
    sizes = shorter.data();
  }
  return next(aclrtMemcpyBatchAsync, "aclrtMemcpyBatchAsync")(
      dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs, failIndex, stream);
}

// wrong-code: a stream of another type is an invalid argument, not an invalid handle.
aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  const aclError code =
      next(aclrtMemsetAsync, "aclrtMemsetAsync")(devPtr, maxCount, value, count, stream);
  const bool is_wrong = is_on("wrong-code") && code == ACL_ERROR_RT_INVALID_HANDLE;
  return is_wrong ? ACL_ERROR_RT_PARAM_INVALID : code;
}

// no-wait: a stream does not wait for an event that is not complete yet.
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  uint64_t time = 0;
  if (is_on("no-wait") &&
      aclrtEventGetTimestamp(event, &time) == ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID) {
    return ACL_SUCCESS;
  }
  return next(aclrtStreamWaitEvent, "aclrtStreamWaitEvent")(stream, event);
}

// no-stop: a context goes on after a failure that should have stopped it.
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  if (is_on("no-stop")) mode = ACL_CONTINUE_ON_FAILURE;
  return next(aclrtSetStreamFailureMode, "aclrtSetStreamFailureMode")(stream, mode);
}
