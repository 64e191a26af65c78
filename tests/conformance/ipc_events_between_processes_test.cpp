// SPDX-License-Identifier: Apache-2.0
// Events that several processes record and wait for: the newest record of any of them counts.
#include "support/sharing.h"
#include "support/streams.h"

namespace conformance::virtual_memory::sharing::ipc_events_between_processes_test {
namespace {

using streams::Event;
using streams::Mark;
using streams::Stream;

constexpr aclError kTimedOut = 507047;
constexpr aclError kStreamTimedOut = 507046;

// Device 0, and a stream of this process.
class IpcEventsBetweenProcesses : public WithSharing {
 protected:
  static Bytes handle_of(aclrtEvent event) {
    aclrtIpcEventHandle handle = {};
    EXPECT_OK(aclrtIpcGetEventHandle(event, &handle));
    Bytes bytes(sizeof handle);
    std::memcpy(bytes.data(), &handle, sizeof handle);
    return bytes;
  }
  static aclrtEvent open(const Bytes& bytes) {
    aclrtIpcEventHandle handle = {};
    std::memcpy(&handle, bytes.data(), sizeof handle);
    aclrtEvent event = nullptr;
    EXPECT_OK(aclrtIpcOpenEventHandle(handle, &event));
    return event;
  }
  // A process with a stream "s" that has opened the event as "e".
  struct Opener : ReadyPeer {
    explicit Opener(const Bytes& handle) {
      EXPECT_PEER_OK(send("create_stream", "s"));
      EXPECT_PEER_OK(send("open_event", "e", handle));
    }
  };
  static aclrtEventRecordedStatus status_of(aclrtEvent event) {
    aclrtEventRecordedStatus status = {};
    EXPECT_OK(aclrtQueryEventStatus(event, &status));
    return status;
  }
  static constexpr uint64_t kComplete = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  static constexpr uint64_t kNotReady = ACL_EVENT_RECORDED_STATUS_NOT_READY;
};

TEST_F(IpcEventsBetweenProcesses, ARecordHereIsWaitedForThere) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  Gate gate(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_EQ(kNotReady, peer.send("query_event", "e").number());
  EXPECT_ANSWER(kTimedOut, peer.send("synchronize_event_for", "e", 10));
  EXPECT_PEER_OK(peer.send("wait_event", "s", "e"));
  EXPECT_ANSWER(kStreamTimedOut, peer.send("synchronize_stream_for", "s", 10));
  peer.post("synchronize_event", "e");
  EXPECT_FALSE(peer.has_answered());
  gate.open();
  EXPECT_PEER_OK(peer.answer());
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_EQ(kComplete, peer.send("query_event", "e").number());
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(IpcEventsBetweenProcesses, ARecordThereIsWaitedForHere) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  Mark mark;
  EXPECT_PEER_OK(peer.send("gate", "g", "s"));
  EXPECT_PEER_OK(peer.send("record", "e", "s"));
  EXPECT_EQ(kNotReady, static_cast<uint64_t>(status_of(event)));
  EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeEventWithTimeout(event, 10));
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(mark.queue(stream));
  EXPECT_FAILS_WITH(kStreamTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 10));
  EXPECT_FALSE(mark.is_reached_yet());
  EXPECT_PEER_OK(peer.send("open_gate", "g"));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_EQ(kComplete, static_cast<uint64_t>(status_of(event)));
}

// Nobody in the recording process waits: its work runs all the same.
TEST_F(IpcEventsBetweenProcesses, ARecordNeedsNoHelpOfItsProcess) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  EXPECT_PEER_OK(peer.send("record", "e", "s"));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  const Stream stream;
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_PEER_OK(peer.send("wait_event", "s", "e"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
}

// Bytes written before the record are there after the wait.
TEST_F(IpcEventsBetweenProcesses, OrderTheBytesOfTwoProcesses) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  DeviceBuffer device(kGranule);
  PinnedBuffer pinned(kGranule);
  ASSERT_PEER_OK(peer.send("import_key", "a", export_key(device.get(), kGranule), 1));
  ASSERT_PEER_OK(peer.send("allocate", "p", kGranule));
  for (uint8_t round = 1; round <= 10; ++round) {
    pinned.fill(pattern(kGranule, round));
    EXPECT_OK(aclrtMemcpyAsync(device.get(), kGranule, pinned.get(), kGranule,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_OK(aclrtRecordEvent(event, stream));
    EXPECT_PEER_OK(peer.send("wait_event", "s", "e"));
    EXPECT_PEER_OK(
        peer.send("copy_async", "p", 0, "a", 0, kGranule, ACL_MEMCPY_DEVICE_TO_DEVICE, "s"));
    EXPECT_PEER_OK(peer.send("record", "e", "s"));
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    EXPECT_OK(aclrtMemsetAsync(device.get(), kGranule, 0, kGranule, stream));
    EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
    EXPECT_PEER_HOLDS(peer.send("holds", "p", 0, kGranule, round));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
}

TEST_F(IpcEventsBetweenProcesses, NeverRecordedMeansComplete) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  EXPECT_EQ(kComplete, static_cast<uint64_t>(status_of(event)));
  EXPECT_EQ(kComplete, peer.send("query_event", "e").number());
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 1));
  EXPECT_PEER_OK(peer.send("synchronize_event", "e"));
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_PEER_OK(peer.send("wait_event", "s", "e"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
}

// A wait is for the newest record of any process before the call; later ones do not matter.
TEST_F(IpcEventsBetweenProcesses, TheNewestRecordCounts) {
  const Stream stream;
  const Stream waiting;
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  Mark mark;
  Gate gate(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));  // does not complete before the end
  EXPECT_PEER_OK(peer.send("record", "e", "s"));
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));  // for the peer's record
  EXPECT_OK(mark.queue(waiting));
  EXPECT_OK(aclrtSynchronizeStream(waiting));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_EQ(kComplete, static_cast<uint64_t>(status_of(event)));
  // The other way round: the peer's wait was for a record that is complete; a new one is pending.
  EXPECT_PEER_OK(peer.send("wait_event", "s", "e"));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_EQ(kNotReady, peer.send("query_event", "e").number());
  gate.open();
  EXPECT_PEER_OK(peer.send("synchronize_event", "e"));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// An old record that completes does not complete the newest.
TEST_F(IpcEventsBetweenProcesses, AnOlderRecordDoesNotEndTheWait) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  EXPECT_PEER_OK(peer.send("gate", "g", "s"));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_PEER_OK(peer.send("record", "e", "s"));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(kNotReady, static_cast<uint64_t>(status_of(event)));
  EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeEventWithTimeout(event, 10));
  EXPECT_PEER_OK(peer.send("open_gate", "g"));
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST_F(IpcEventsBetweenProcesses, ThreeProcessesShareOne) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const Bytes handle = handle_of(event);
  Opener first(handle);
  Opener second(handle);
  EXPECT_PEER_OK(first.send("gate", "g", "s"));
  EXPECT_PEER_OK(first.send("record", "e", "s"));
  second.post("synchronize_event", "e");
  EXPECT_FALSE(second.has_answered());
  EXPECT_PEER_OK(first.send("open_gate", "g"));
  EXPECT_PEER_OK(second.answer());
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST_F(IpcEventsBetweenProcesses, ManyRecordsInFlight) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  Gate gate(stream);
  for (int i = 0; i < 1000; ++i)
    EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_PEER_OK(peer.send("wait_event", "s", "e"));
  EXPECT_ANSWER(kStreamTimedOut, peer.send("synchronize_stream_for", "s", 10));
  gate.open();
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// ---- lifetimes ----

TEST_F(IpcEventsBetweenProcesses, EachSideDestroysItsOwn) {
  const Stream stream;
  Event event = Event::ex(ACL_EVENT_IPC);
  const Bytes handle = handle_of(event);
  Opener first(handle);
  Opener second(handle);
  EXPECT_PEER_OK(first.send("destroy_event", "e"));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_PEER_OK(second.send("synchronize_event", "e"));
  EXPECT_OK(aclrtDestroyEvent(event.release()));
  EXPECT_PEER_OK(second.send("record", "e", "s"));
  EXPECT_PEER_OK(second.send("synchronize_event", "e"));
  EXPECT_EQ(kComplete, second.send("query_event", "e").number());
  EXPECT_PEER_OK(second.send("destroy_event", "e"));
  EXPECT_ANSWER(kBadHandle, second.send("open_event", "e", handle));
}

TEST_F(IpcEventsBetweenProcesses, TheOthersGoOnWhenTheCreatorEnds) {
  for (const bool is_killed : {false, true}) {
    SCOPED_TRACE(is_killed ? "killed" : "ended");
    Bytes handle;
    aclrtEvent event = nullptr;
    const Stream stream;
    ReadyPeer other;
    {
      ReadyPeer creator;
      ASSERT_PEER_OK(creator.send("create_event", "e", ACL_EVENT_IPC));
      handle = creator.send("event_handle", "e").bytes;
      event = open(handle);
      ASSERT_PEER_OK(other.send("open_event", "e", handle));
      if (is_killed) creator.kill();
    }
    ReadyPeer late;
    EXPECT_ANSWER(kBadHandle, late.send("open_event", "e", handle));
    Gate gate(stream);
    EXPECT_OK(aclrtRecordEvent(event, stream));
    EXPECT_ANSWER(kTimedOut, other.send("synchronize_event_for", "e", 10));
    gate.open();
    EXPECT_PEER_OK(other.send("synchronize_event", "e"));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_OK(aclrtDestroyEvent(event));
  }
}

// A process is killed while its record is pending: every wait for it ends with a code.
TEST_F(IpcEventsBetweenProcesses, WaitsForAKilledProcessEnd) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  const Bytes handle = handle_of(event);
  Opener killed(handle);
  Opener waiter(handle);
  Opener host_waiter(handle);
  ASSERT_PEER_OK(killed.send("gate", "g", "s"));
  ASSERT_PEER_OK(killed.send("record", "e", "s"));
  ASSERT_PEER_OK(waiter.send("wait_event", "s", "e"));
  waiter.post("synchronize_stream", "s");
  host_waiter.post("synchronize_event", "e");
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  killed.kill();
  EXPECT_NE(ACL_SUCCESS, waiter.answer().code);
  EXPECT_NE(ACL_SUCCESS, host_waiter.answer().code);
  EXPECT_NE(ACL_SUCCESS, aclrtSynchronizeStream(stream));
  EXPECT_NE(std::string(), recent_text());
  EXPECT_NE(ACL_SUCCESS, aclrtSynchronizeEvent(event));
  clear_errors();
  // A new record starts over, for all that are left.
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_PEER_OK(waiter.send("synchronize_event", "e"));
  EXPECT_PEER_OK(waiter.send("wait_event", "s", "e"));
  EXPECT_PEER_OK(waiter.send("synchronize_stream", "s"));
  EXPECT_PEER_OK(host_waiter.send("record", "e", "s"));
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

// A record that is complete stays complete when its process is killed.
TEST_F(IpcEventsBetweenProcesses, ACompleteRecordOutlivesItsProcess) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  Opener peer(handle_of(event));
  EXPECT_PEER_OK(peer.send("record", "e", "s"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  peer.kill();
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(kComplete, static_cast<uint64_t>(status_of(event)));
}

// A process that waits is killed: the record it waited for does not suffer.
TEST_F(IpcEventsBetweenProcesses, AKilledWaiterDisturbsNobody) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  const Bytes handle = handle_of(event);
  Opener killed(handle);
  Opener other(handle);
  Gate gate(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  killed.post("synchronize_event", "e");
  other.post("synchronize_event", "e");
  killed.kill();
  gate.open();
  EXPECT_PEER_OK(other.answer());
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

// Bytes of a handle that are wrong: 107017 or another code of the call, never a crash.
TEST_F(IpcEventsBetweenProcesses, EveryWrongByteOfAHandleIsRefused) {
  const Event event = Event::ex(ACL_EVENT_IPC);
  const Bytes handle = handle_of(event);
  ReadyPeer peer;
  for (size_t i = 0; i < handle.size(); ++i) {
    for (const int bits : {0x01, 0x80, 0xff}) {
      const Answer answer = peer.send("open_event", "w", turned_over(handle, i, bits));
      EXPECT_TRUE(answer.code == kBadHandle || (answer.code == ACL_SUCCESS && handle[i] == 0))
          << "byte " << i << ": " << answer.code << " " << answer.text;
      if (answer.code == ACL_SUCCESS) {
        EXPECT_PEER_OK(peer.send("destroy_event", "w"));
      }
    }
  }
  EXPECT_PEER_OK(peer.send("open_event", "e", handle));
}

// The creating process can open its own event.
TEST_F(IpcEventsBetweenProcesses, TheCreatorMayOpenItsOwn) {
  const Stream stream;
  const Event event = Event::ex(ACL_EVENT_IPC);
  const aclrtEvent second = open(handle_of(event));
  ASSERT_NE(nullptr, second);
  Gate gate(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_EQ(kNotReady, static_cast<uint64_t>(status_of(second)));
  gate.open();
  EXPECT_OK(aclrtSynchronizeEvent(second));
  EXPECT_OK(aclrtDestroyEvent(second));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::ipc_events_between_processes_test
