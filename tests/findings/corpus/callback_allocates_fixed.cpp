// SPDX-License-Identifier: Apache-2.0
// rule: none
// A callback only records what has to be done.
#include "corpus.h"

#include <atomic>
#include <thread>

using namespace corpus;

namespace {

std::atomic<bool> is_done{false};

void grow(void*) {
  use(1);
}

void serve() {
  need(aclrtSetDevice(0));
  while (!is_done)
    aclrtProcessReport(10);
  need(aclrtResetDevice(0));
}

}  // namespace

int main() {
  Device device;
  Stream stream;
  std::thread server(serve);
  const auto id = static_cast<uint64_t>(server.native_handle());
  need(aclrtSubscribeReport(id, stream));
  need(aclrtLaunchCallback(grow, nullptr, ACL_CALLBACK_BLOCK, stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtUnSubscribeReport(id, stream));
  is_done = true;
  server.join();
  return 0;
}
