// SPDX-License-Identifier: Apache-2.0
// rule: stream-race
// places: 3
// Two streams of one capture write the same bytes; the second joins the first too late.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory shared(kBytes);
  DeviceMemory source(kBytes);
  Stream main_stream;
  Stream side;
  Event forked;
  Event joined;
  Model model(main_stream, [&] {
    need(aclrtRecordEvent(forked, main_stream));
    need(aclrtStreamWaitEvent(side, forked));
    need(aclrtMemcpyAsync(shared, kBytes, source, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, side));
    need(aclrtRecordEvent(joined, side));
    need(aclrtMemsetAsync(shared, kBytes / 2, 1, kBytes / 2, main_stream));
    need(aclrtStreamWaitEvent(main_stream, joined));
  });
  for (int run = 0; run < 3; ++run)
    need(aclmdlRIExecuteAsync(model, main_stream));
  need(aclrtSynchronizeStream(main_stream));
  return 0;
}
