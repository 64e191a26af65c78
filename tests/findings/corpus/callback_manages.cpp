// SPDX-License-Identifier: Apache-2.0
// rule: callback-call
// A callback makes, aborts and destroys streams, events, notifies and contexts.
#include "corpus.h"

#include <atomic>
#include <thread>

using namespace corpus;

namespace {

std::atomic<bool> is_done{false};

void manage_streams() {
  aclrtStream streams[3] = {};
  aclrtCreateStream(&streams[0]);
  aclrtCreateStreamWithConfig(&streams[1], 0, ACL_STREAM_FAST_LAUNCH);
  aclrtCreateStreamV2(&streams[2], nullptr);
  aclrtStreamAbort(streams[0]);
  aclrtDestroyStream(streams[0]);
  aclrtDestroyStreamForce(streams[1]);
  if (streams[2] != nullptr) aclrtDestroyStream(streams[2]);
}

void manage_events() {
  aclrtEvent events[3] = {};
  aclrtCreateEvent(&events[0]);
  aclrtCreateEventWithFlag(&events[1], ACL_EVENT_SYNC);
  aclrtCreateEventExWithFlag(&events[2], ACL_EVENT_SYNC);
  for (aclrtEvent event : events)
    aclrtDestroyEvent(event);
  aclrtNotify notify = nullptr;
  aclrtCreateNotify(&notify, 0);
  aclrtDestroyNotify(notify);
}

void manage(void*) {
  manage_streams();
  manage_events();
  aclrtContext before = nullptr;
  aclrtContext context = nullptr;
  aclrtGetCurrentContext(&before);
  aclrtCreateContext(&context, 0);
  aclrtDestroyContext(context);
  aclrtSetCurrentContext(before);
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
  need(aclrtLaunchCallback(manage, nullptr, ACL_CALLBACK_BLOCK, stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtUnSubscribeReport(id, stream));
  is_done = true;
  server.join();
  return 0;
}
