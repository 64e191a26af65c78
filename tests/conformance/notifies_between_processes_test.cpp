// SPDX-License-Identifier: Apache-2.0
// Notifies that one process waits for and others record.
#include "support/sharing.h"
#include "support/streams.h"

namespace conformance::virtual_memory::sharing::notifies_between_processes_test {
namespace {

using streams::Mark;
using streams::Notify;
using streams::Stream;

constexpr aclError kTimedOut = 507046;

using NotifiesBetweenProcesses = WithSharing;

// A process with a stream "s" that has imported the notify as "n".
struct Importer : ReadyPeer {
  explicit Importer(const Bytes& key) {
    EXPECT_PEER_OK(send("create_stream", "s"));
    EXPECT_PEER_OK(send("import_notify", "n", key, 2));
  }
};

TEST_F(NotifiesBetweenProcesses, ARecordThereEndsAWaitHere) {
  const Stream stream;
  const Notify notify;
  Importer peer(notify_key(notify));
  Mark mark;
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(mark.queue(stream));
  EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 10));
  EXPECT_FALSE(mark.is_reached_yet());
  EXPECT_PEER_OK(peer.send("record_notify", "n", "s"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(mark.is_reached());
}

// Nobody in the recording process waits for its stream.
TEST_F(NotifiesBetweenProcesses, ARecordNeedsNoHelpOfItsProcess) {
  const Stream stream;
  const Notify notify;
  Importer peer(notify_key(notify));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_PEER_OK(peer.send("record_notify", "n", "s"));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(NotifiesBetweenProcesses, ASignalIsKeptUntilOneWaitConsumesIt) {
  const Stream stream;
  const Notify notify;
  Importer peer(notify_key(notify));
  EXPECT_PEER_OK(peer.send("record_notify", "n", "s"));
  EXPECT_PEER_OK(peer.send("record_notify", "n", "s"));  // not counted
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(NotifiesBetweenProcesses, ARecordComesWhenItsStreamGetsThere) {
  const Stream stream;
  const Notify notify;
  Importer peer(notify_key(notify));
  EXPECT_PEER_OK(peer.send("gate", "g", "s"));
  EXPECT_PEER_OK(peer.send("record_notify", "n", "s"));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 10));
  EXPECT_PEER_OK(peer.send("open_gate", "g"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// Two notifies, one per direction: the bytes go back and forth in order.
TEST_F(NotifiesBetweenProcesses, OrderTheBytesOfTwoProcesses) {
  const Stream stream;
  const Notify ours;
  Importer peer(notify_key(ours));
  ASSERT_PEER_OK(peer.send("create_notify", "theirs"));
  const Bytes key = peer.send("notify_key", "theirs", 2).bytes;
  aclrtNotify theirs = nullptr;
  ASSERT_OK(aclrtNotifyImportByKey(&theirs, text_of(key), 2));
  DeviceBuffer device(kGranule);
  PinnedBuffer pinned(kGranule);
  ASSERT_PEER_OK(peer.send("import_key", "a", export_key(device.get(), kGranule), 1));
  ASSERT_PEER_OK(peer.send("allocate", "p", kGranule));
  for (uint8_t round = 1; round <= 10; ++round) {
    pinned.fill(pattern(kGranule, round));
    EXPECT_OK(aclrtMemcpyAsync(device.get(), kGranule, pinned.get(), kGranule,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_OK(aclrtRecordNotify(theirs, stream));
    EXPECT_OK(aclrtWaitAndResetNotify(ours, stream, 0));
    EXPECT_OK(aclrtMemsetAsync(device.get(), kGranule, 0, kGranule, stream));
    EXPECT_PEER_OK(peer.send("wait_notify", "theirs", "s"));
    EXPECT_PEER_OK(
        peer.send("copy_async", "p", 0, "a", 0, kGranule, ACL_MEMCPY_DEVICE_TO_DEVICE, "s"));
    EXPECT_PEER_OK(peer.send("record_notify", "n", "s"));
    EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
    EXPECT_PEER_HOLDS(peer.send("holds", "p", 0, kGranule, round));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  EXPECT_OK(aclrtDestroyNotify(theirs));
}

TEST_F(NotifiesBetweenProcesses, SeveralProcessesRecordOne) {
  const Stream stream;
  const Notify notify;
  const Bytes key = notify_key(notify);
  Importer first(key);
  Importer second(key);
  for (Importer* const peer : {&first, &second, &first}) {
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
    EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 1));
    EXPECT_PEER_OK(peer->send("record_notify", "n", "s"));
    EXPECT_PEER_OK(peer->send("synchronize_stream", "s"));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
}

// ---- processes that end ----

TEST_F(NotifiesBetweenProcesses, ASignalOutlivesItsProcess) {
  for (const bool is_killed : {false, true}) {
    const Stream stream;
    const Notify notify;
    {
      Importer peer(notify_key(notify));
      EXPECT_PEER_OK(peer.send("record_notify", "n", "s"));
      EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
      if (is_killed) peer.kill();
    }
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
}

// The importer is killed before its stream comes to the record: no signal, and others can give it.
TEST_F(NotifiesBetweenProcesses, AKilledImporterLeavesTheNotifyUsable) {
  const Stream stream;
  const Notify notify;
  const Bytes key = notify_key(notify);
  Importer killed(key);
  Importer other(key);
  EXPECT_PEER_OK(killed.send("gate", "g", "s"));
  EXPECT_PEER_OK(killed.send("record_notify", "n", "s"));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  killed.kill();
  EXPECT_FAILS_WITH(kTimedOut, aclrtSynchronizeStreamWithTimeout(stream, 10));
  EXPECT_PEER_OK(other.send("record_notify", "n", "s"));
  EXPECT_PEER_OK(other.send("synchronize_stream", "s"));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// The creator ends: a record finds nobody. The calls return, and the stream goes on.
TEST_F(NotifiesBetweenProcesses, RecordsForACreatorThatIsGoneReturn) {
  for (const bool is_killed : {false, true}) {
    const Stream stream;
    Mark mark;
    aclrtNotify notify = nullptr;
    {
      ReadyPeer creator;
      ASSERT_PEER_OK(creator.send("create_notify", "n"));
      const Bytes key = creator.send("notify_key", "n", 2).bytes;
      ASSERT_OK(aclrtNotifyImportByKey(&notify, text_of(key), 0));
      if (is_killed) creator.kill();
    }
    aclrtRecordNotify(notify, stream);  // its code is not part of the contract
    aclrtSynchronizeStream(stream);
    clear_errors();
    EXPECT_OK(mark.queue(stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(mark.is_reached());
    EXPECT_OK(aclrtDestroyNotify(notify));
  }
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::notifies_between_processes_test
