// SPDX-License-Identifier: Apache-2.0
// rule: host-read-in-flight
// places: 3
// cpu: a read is seen through guarded pages
// A model copies a result and calls a host function that uses it; the program itself uses the
// result without waiting.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = kPage;

void look(void* result) {
  use(static_cast<char*>(result)[0]);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory source(kBytes);
  PinnedMemory result(kBytes);
  Stream stream;
  Model model(stream, [&] {
    need(aclrtMemcpyAsync(result, kBytes, source, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    need(aclrtLaunchHostFunc(stream, look, result));
  });
  need(aclmdlRIExecuteAsync(model, stream));
  look(result);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
