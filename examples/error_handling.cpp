// SPDX-License-Identifier: Apache-2.0
// Errors: the code a call returns, the text that explains it, the last error of the thread, and the
// failure of queued work, which the next synchronisation returns. Every error here is intentional.
#include "check.h"

#include <thread>
#include <vector>

namespace {

// Prints the code and the text of a call that has to fail.
void show(const char* what, aclError code, aclError expected) {
  const char* text = aclGetRecentErrMsg();  // clears the text: a second call would return NULL
  std::printf("%s\n  code %d\n  text %s\n", what, code, text != nullptr ? text : "(none)");
  require(code == expected, "the code is the documented one");
  require(text != nullptr, "there is a text");
}

void use_without_context() {
  // A context belongs to a thread. This thread has never set a device.
  void* memory = nullptr;
  show("a thread without aclrtSetDevice", aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST),
       ACL_ERROR_RT_CONTEXT_NULL);
}

}  // namespace

int main() {
  constexpr size_t kBytes = 4096;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  char* device = nullptr;
  char* pinned = nullptr;
  check(aclrtMalloc(reinterpret_cast<void**>(&device), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMallocHost(reinterpret_cast<void**>(&pinned), kBytes));
  std::vector<char> pageable(kBytes);

  show("a NULL pointer", aclrtMemcpy(nullptr, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE),
       ACL_ERROR_INVALID_PARAM);
  show("a copy larger than its destination",
       aclrtMemcpyAsync(device, kBytes, pinned, kBytes + 1, ACL_MEMCPY_HOST_TO_DEVICE, stream),
       ACL_ERROR_RT_PARAM_INVALID);
  show("an asynchronous copy from host to host",
       aclrtMemcpyAsync(pinned, kBytes, pageable.data(), kBytes, ACL_MEMCPY_HOST_TO_HOST, stream),
       ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  std::thread(use_without_context).join();

  // Queued work is checked when it runs: the call succeeds, the synchronisation returns the
  // failure.
  check(aclrtMemcpyAsync(device + kBytes / 2, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                         stream));
  show("a queued copy beyond the end of an allocation", aclrtSynchronizeStream(stream),
       ACL_ERROR_RT_TS_ERROR);
  check(aclrtSynchronizeStream(stream));  // reported once; the stream can be used again

  // The last error of this thread: codes of the runtime, 107000 and above. Success does not clear
  // it.
  const aclError last = aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  require(last == ACL_ERROR_RT_TS_ERROR, "the last error is that of the synchronisation");
  require(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_SUCCESS, "reading it clears it");
  std::printf("last error of this thread was %d\n", last);

  check(aclrtFree(device));
  show("freed twice", aclrtFree(device), ACL_ERROR_RT_PARAM_INVALID);

  check(aclrtFreeHost(pinned));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
