// SPDX-License-Identifier: Apache-2.0
// Events that processes of several hosts record and wait for: the contract of events between
// processes holds, and a host that is lost leaves nobody waiting.
#include "fabric/fabric.h"

#include <chrono>

namespace conformance::fabric {
namespace {

constexpr uint32_t kIpc = 0x40;
constexpr aclError kEventTimedOut = 507047;
constexpr aclError kStreamTimedOut = 507046;
constexpr aclError kAborted = 107023;
constexpr uint64_t kComplete = 1;
constexpr uint64_t kNotReady = 0;

// Three processes: one has created the event, all have it as "e", and a stream "s".
class FabricEvents : public Fabric {
 protected:
  void SetUp() override {
    Fabric::SetUp();
    if (IsSkipped()) return;
    for (std::unique_ptr<Peer>* peer : {&creator_, &first_, &second_}) {
      *peer = std::make_unique<Peer>(environment(secret_));
      EXPECT_PEER_OK((*peer)->send("set_device", 0));
      EXPECT_PEER_OK((*peer)->send("create_stream", "s"));
    }
    EXPECT_PEER_OK(creator_->send("create_event", "e", kIpc));
    const Answer handle = creator_->send("event_handle", "e");
    EXPECT_PEER_OK(handle);
    handle_ = handle.bytes;
    EXPECT_PEER_OK(first_->send("open_event", "e", handle_));
    EXPECT_PEER_OK(second_->send("open_event", "e", handle_));
  }
  // Nothing but a record that is not reached yet lets the waiter wait.
  static void expect_order(Peer& recorder, Peer& waiter) {
    EXPECT_PEER_OK(recorder.send("gate", "g", "s"));
    EXPECT_PEER_OK(recorder.send("record", "e", "s"));
    EXPECT_EQ(kNotReady, waiter.send("query_event", "e").number());
    EXPECT_ANSWER(kEventTimedOut, waiter.send("synchronize_event_for", "e", 10));
    EXPECT_PEER_OK(waiter.send("wait_event", "s", "e"));
    EXPECT_ANSWER(kStreamTimedOut, waiter.send("synchronize_stream_for", "s", 10));
    EXPECT_PEER_OK(recorder.send("open_gate", "g"));
    EXPECT_PEER_OK(waiter.send("synchronize_stream", "s"));
    EXPECT_PEER_OK(waiter.send("synchronize_event", "e"));
    EXPECT_EQ(kComplete, waiter.send("query_event", "e").number());
    EXPECT_PEER_OK(recorder.send("synchronize_stream", "s"));
  }

  std::unique_ptr<Peer> creator_;
  std::unique_ptr<Peer> first_;
  std::unique_ptr<Peer> second_;
  Bytes handle_;
};

TEST_F(FabricEvents, ARecordOfTheCreatorIsWaitedForThere) {
  expect_order(*creator_, *first_);
}

TEST_F(FabricEvents, ARecordOfAnotherHostIsWaitedForByTheCreator) {
  expect_order(*first_, *creator_);
}

TEST_F(FabricEvents, ARecordOfOneHostIsWaitedForOnAThird) {
  expect_order(*first_, *second_);
  expect_order(*second_, *first_);
}

TEST_F(FabricEvents, WithoutARecordNobodyWaits) {
  EXPECT_EQ(kComplete, first_->send("query_event", "e").number());
  EXPECT_PEER_OK(first_->send("synchronize_event", "e"));
  EXPECT_PEER_OK(first_->send("wait_event", "s", "e"));
  EXPECT_PEER_OK(first_->send("synchronize_stream", "s"));
}

// A wait is for the record that was the newest when it was called.
TEST_F(FabricEvents, TheNewestRecordOfAnyHostCounts) {
  EXPECT_PEER_OK(creator_->send("gate", "g", "s"));
  EXPECT_PEER_OK(creator_->send("record", "e", "s"));
  EXPECT_PEER_OK(first_->send("record", "e", "s"));
  EXPECT_PEER_OK(first_->send("synchronize_stream", "s"));
  EXPECT_PEER_OK(second_->send("synchronize_event", "e")) << "the newest is done";
  EXPECT_PEER_OK(creator_->send("record", "e", "s"));
  EXPECT_EQ(kNotReady, first_->send("query_event", "e").number());
  EXPECT_PEER_OK(second_->send("wait_event", "s", "e"));
  EXPECT_PEER_OK(creator_->send("open_gate", "g"));
  EXPECT_PEER_OK(second_->send("synchronize_stream", "s"));
}

TEST_F(FabricEvents, ARecordWithItsOwnWaitIsInOrder) {
  for (int round = 0; round < 50; ++round) {
    EXPECT_PEER_OK(first_->send("record", "e", "s"));
    EXPECT_PEER_OK(second_->send("wait_event", "s", "e"));
    EXPECT_PEER_OK(second_->send("record", "e", "s"));
    EXPECT_PEER_OK(first_->send("wait_event", "s", "e"));
  }
  EXPECT_PEER_OK(first_->send("synchronize_stream", "s"));
  EXPECT_PEER_OK(second_->send("synchronize_stream", "s"));
}

// Bytes that were copied before the record are there behind the wait.
TEST_F(FabricEvents, CopiesBeforeARecordHaveArrived) {
  borrow(*first_, lend(*creator_));
  EXPECT_PEER_OK(first_->send("allocate", "device", kBytes));
  EXPECT_PEER_OK(creator_->send("allocate", "device", kBytes));
  for (uint64_t seed = 1; seed < 6; ++seed) {
    EXPECT_PEER_OK(first_->send("write", "device", 0, kBytes, seed));
    EXPECT_PEER_OK(first_->send("copy_async", "far", 0, "device", 0, kBytes,
                                ACL_MEMCPY_DEVICE_TO_DEVICE, "s"));
    EXPECT_PEER_OK(first_->send("record", "e", "s"));
    EXPECT_PEER_OK(creator_->send("wait_event", "s", "e"));
    EXPECT_PEER_OK(creator_->send("copy_async", "device", 0, "at", 0, kBytes,
                                  ACL_MEMCPY_DEVICE_TO_DEVICE, "s"));
    EXPECT_PEER_OK(creator_->send("synchronize_stream", "s"));
    EXPECT_PEER_HOLDS(creator_->send("holds", "device", 0, kBytes, seed));
  }
  EXPECT_PEER_OK(first_->send("synchronize_stream", "s"));
  give_back(*first_);
}

// ---- processes that end ----

TEST_F(FabricEvents, RecordsOfADeadVisitorAreAbandoned) {
  EXPECT_PEER_OK(first_->send("gate", "g", "s"));
  EXPECT_PEER_OK(first_->send("record", "e", "s"));
  EXPECT_PEER_OK(second_->send("wait_event", "s", "e"));
  EXPECT_PEER_OK(creator_->send("wait_event", "s", "e"));
  first_->kill();
  EXPECT_ANSWER(kAborted, second_->send("synchronize_stream", "s"));
  EXPECT_ANSWER(kAborted, creator_->send("synchronize_stream", "s"));
  EXPECT_PEER_OK(second_->send("record", "e", "s")) << "the event goes on";
  EXPECT_PEER_OK(creator_->send("synchronize_event", "e"));
}

TEST_F(FabricEvents, ADeadCreatorLeavesNobodyWaiting) {
  EXPECT_PEER_OK(creator_->send("gate", "g", "s"));
  EXPECT_PEER_OK(creator_->send("record", "e", "s"));
  EXPECT_PEER_OK(first_->send("wait_event", "s", "e"));
  second_->post("synchronize_event", "e");
  creator_->kill();
  EXPECT_ANSWER(kLost, first_->send("synchronize_stream", "s"));
  EXPECT_ANSWER(kLost, second_->answer());
  EXPECT_ANSWER(kLost, first_->send("record", "e", "s"));
  EXPECT_ANSWER(kLost, first_->send("query_event", "e"));
  EXPECT_ANSWER(kLost, first_->send("wait_event", "s", "e"));
  EXPECT_PEER_OK(first_->send("destroy_event", "e"));
  EXPECT_ANSWER(kDriver, first_->send("open_event", "again", handle_));
}

TEST_F(FabricEvents, AStoppedCreatorIsLostInTime) {
  creator_->stop();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_ANSWER(kLost, first_->send("record", "e", "s"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << "no hang";
  creator_->resume();
  EXPECT_PEER_OK(creator_->send("record", "e", "s"));
  EXPECT_PEER_OK(creator_->send("synchronize_event", "e"));
  EXPECT_PEER_OK(first_->send("open_event", "again", handle_));
  EXPECT_PEER_OK(first_->send("record", "again", "s"));
  EXPECT_PEER_OK(creator_->send("synchronize_event", "e"));
}

// ---- lifetime ----

// Queued waits end, and the others go on, when the creator has destroyed it.
TEST_F(FabricEvents, TheOthersGoOnWithoutTheCreatorsEvent) {
  EXPECT_PEER_OK(first_->send("gate", "g", "s"));
  EXPECT_PEER_OK(first_->send("record", "e", "s"));
  EXPECT_PEER_OK(second_->send("wait_event", "s", "e"));
  EXPECT_PEER_OK(creator_->send("destroy_event", "e"));
  EXPECT_PEER_OK(second_->send("destroy_event", "e"));
  EXPECT_ANSWER(kStreamTimedOut, second_->send("synchronize_stream_for", "s", 10));
  EXPECT_PEER_OK(first_->send("open_gate", "g"));
  EXPECT_PEER_OK(second_->send("synchronize_stream", "s"));
  EXPECT_PEER_OK(second_->send("open_event", "again", handle_)) << "another process holds it";
  EXPECT_PEER_OK(second_->send("destroy_event", "again"));
  EXPECT_PEER_OK(first_->send("destroy_event", "e"));
  EXPECT_TRUE(becomes_true([&] {
    if (second_->send("open_event", "late", handle_).code != 0) return true;
    EXPECT_PEER_OK(second_->send("destroy_event", "late")) << "it would be one more holder";
    return false;
  }));
  EXPECT_ANSWER(kUnknownHandle, second_->send("open_event", "late", handle_));
}

}  // namespace
}  // namespace conformance::fabric
