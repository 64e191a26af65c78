// SPDX-License-Identifier: Apache-2.0
// Memory of another process over the fabric: every form of copy, both directions, and what the
// contract says of handles.
#include "fabric/fabric.h"

namespace conformance::fabric {
namespace {

// Two processes that share memory of the first over the fabric.
class FabricMemory : public Fabric {
 protected:
  void SetUp() override {
    Fabric::SetUp();
    if (IsSkipped()) return;
    owner_ = std::make_unique<Peer>(environment(secret_));
    visitor_ = std::make_unique<Peer>(environment(secret_));
    EXPECT_PEER_OK(owner_->send("set_device", 0));
    free_ = free_bytes_of(*owner_);
    handle_ = lend(*owner_);
    borrow(*visitor_, handle_);
    EXPECT_PEER_OK(visitor_->send("create_stream", "stream"));
    EXPECT_PEER_OK(visitor_->send("allocate_host", "host", kBytes));
    EXPECT_PEER_OK(visitor_->send("allocate", "device", kBytes));
  }
  void TearDown() override {
    if (visitor_ == nullptr) return;
    give_back(*visitor_);
    take_back(*owner_);
    EXPECT_TRUE(becomes_true([&] { return free_bytes_of(*owner_) == free_; }))
        << "memory is not given back";
  }
  void synchronize() { EXPECT_PEER_OK(visitor_->send("synchronize_stream", "stream")); }

  std::unique_ptr<Peer> owner_;
  std::unique_ptr<Peer> visitor_;
  Bytes handle_;
  uint64_t free_ = 0;
};

// 1 byte, a packed block, more than UCX sends at once, several requests, odd offsets.
constexpr uint64_t kSizes[] = {1, 4096, 100'001, (uint64_t{5} << 20) + 3};
constexpr uint64_t kOffset = 12'345;

TEST_F(FabricMemory, PageableMemoryIsCopiedBothWays) {
  for (const uint64_t size : kSizes) {
    EXPECT_PEER_OK(visitor_->send("write", "far", kOffset, size, size));
    EXPECT_PEER_HOLDS(owner_->send("holds", "at", kOffset, size, size));
    EXPECT_PEER_OK(owner_->send("write", "at", kOffset, size, size + 1));
    EXPECT_PEER_HOLDS(visitor_->send("holds", "far", kOffset, size, size + 1));
  }
}

TEST_F(FabricMemory, PinnedMemoryIsCopiedByAStream) {
  for (const uint64_t size : kSizes) {
    EXPECT_PEER_OK(visitor_->send("write_plainly", "host", 0, size, size));
    EXPECT_PEER_OK(visitor_->send("copy_async", "far", kOffset, "host", 0, size,
                                  ACL_MEMCPY_HOST_TO_DEVICE, "stream"));
    synchronize();
    EXPECT_PEER_HOLDS(owner_->send("holds", "at", kOffset, size, size));
    EXPECT_PEER_OK(owner_->send("write", "at", kOffset, size, size + 1));
    EXPECT_PEER_OK(visitor_->send("copy_async", "host", 7, "far", kOffset, size,
                                  ACL_MEMCPY_DEVICE_TO_HOST, "stream"));
    synchronize();
    EXPECT_PEER_HOLDS(visitor_->send("holds_plainly", "host", 7, size, size + 1));
  }
}

// Local and remote work of one stream run in their order.
TEST_F(FabricMemory, AStreamKeepsItsOrder) {
  EXPECT_PEER_OK(visitor_->send("gate", "gate", "stream"));
  EXPECT_PEER_OK(visitor_->send("write_plainly", "host", 0, kBytes, 1));
  EXPECT_PEER_OK(visitor_->send("copy_async", "device", 0, "host", 0, kBytes,
                                ACL_MEMCPY_HOST_TO_DEVICE, "stream"));
  EXPECT_PEER_OK(visitor_->send("copy_async", "far", 0, "device", 0, kBytes,
                                ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_PEER_OK(visitor_->send("copy_async", "host", 0, "far", 0, kBytes,
                                ACL_MEMCPY_DEVICE_TO_HOST, "stream"));
  EXPECT_PEER_OK(visitor_->send("write_plainly", "host", 0, kBytes, 2));
  EXPECT_PEER_OK(visitor_->send("open_gate", "gate"));
  synchronize();
  EXPECT_PEER_HOLDS(owner_->send("holds", "at", 0, kBytes, 2));
  EXPECT_PEER_HOLDS(visitor_->send("holds_plainly", "host", 0, kBytes, 2));
}

TEST_F(FabricMemory, RowsAreCopied) {
  constexpr uint64_t kWidth = 1000;
  constexpr uint64_t kPitch = 4096;
  EXPECT_PEER_OK(visitor_->send("write_plainly", "host", 0, kWidth * 64, 3));
  EXPECT_PEER_OK(visitor_->send("copy_rows", "far", 0, kPitch, "host", 0, kWidth, kWidth, 64,
                                ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_PEER_OK(visitor_->send("copy_rows_async", "host", kPage, kWidth, "far", 0, kPitch, kWidth,
                                64, ACL_MEMCPY_DEVICE_TO_HOST, "stream"));
  synchronize();
  EXPECT_PEER_HOLDS(visitor_->send("holds_plainly", "host", kPage, kWidth * 64, 3));
  // The first row, and where the second begins.
  const Answer row = owner_->send("read", "at", kPitch, 8);
  const Answer source = visitor_->send("read", "far", kPitch, 8);
  EXPECT_EQ(source.bytes, row.bytes);
}

TEST_F(FabricMemory, BatchesOfSmallBlocksArriveWhole) {
  constexpr uint64_t kCount = 1000;
  constexpr uint64_t kBlock = 1024;
  EXPECT_PEER_OK(visitor_->send("write_plainly", "host", 0, kCount * kBlock, 4));
  EXPECT_PEER_OK(visitor_->send("copy_batch", "far", 64, "host", 0, 1, kCount, kBlock, 4096));
  EXPECT_PEER_OK(visitor_->send("copy_batch_async", "host", kPage, "far", 64, 0, kCount, kBlock,
                                4096, "stream"));
  synchronize();
  EXPECT_PEER_HOLDS(visitor_->send("holds_plainly", "host", kPage, kCount * kBlock, 4));
}

TEST_F(FabricMemory, DescribedCopiesFindMemoryOfOtherHosts) {
  EXPECT_PEER_OK(visitor_->send("write", "device", 0, 5000, 5));
  EXPECT_PEER_OK(visitor_->send("allocate", "descriptor", 4096));
  EXPECT_PEER_OK(
      visitor_->send("copy_described", "far", 8, "device", 0, 5000, "descriptor", "stream"));
  synchronize();
  EXPECT_PEER_HOLDS(owner_->send("holds", "at", 8, 5000, 5));
}

TEST_F(FabricMemory, MemoryIsFilledWhereItLies) {
  EXPECT_PEER_OK(visitor_->send("set", "far", 100, 1000, 0x5a));
  EXPECT_EQ(Bytes(4, 0x5a), owner_->send("read", "at", 1096, 4).bytes);
}

TEST_F(FabricMemory, ValuesAreWrittenAndCannotBeAwaited) {
  EXPECT_PEER_OK(visitor_->send("write_value", "far", 16, 77, "stream"));
  synchronize();
  EXPECT_EQ(77u, owner_->send("read", "at", 16, 8).number());
  EXPECT_ANSWER(kNotSupportedHere, visitor_->send("await_value", "far", 16, 77, "stream"));
}

TEST_F(FabricMemory, BytesPassFromOneOwnerToAnother) {
  Peer third(environment(secret_));
  const Bytes other = lend(third);
  EXPECT_PEER_OK(visitor_->send("import_v2", "second", other, kFabricType));
  EXPECT_PEER_OK(visitor_->send("reserve", "far2", kBytes));
  EXPECT_PEER_OK(visitor_->send("map", "far2", 0, kBytes, "second"));
  EXPECT_PEER_OK(owner_->send("write", "at", 0, kBytes, 6));
  EXPECT_PEER_OK(visitor_->send("copy_async", "far2", 0, "far", 0, kBytes,
                                ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  synchronize();
  EXPECT_PEER_HOLDS(third.send("holds", "at", 0, kBytes, 6));
  EXPECT_PEER_OK(visitor_->send("unmap", "far2", 0));
  EXPECT_PEER_OK(visitor_->send("free_physical", "second"));
  EXPECT_PEER_OK(visitor_->send("release", "far2"));
}

TEST_F(FabricMemory, ItLooksLikeMemoryOfTheDevice) {
  const Answer told = visitor_->send("attributes", "far", 5);
  EXPECT_PEER_OK(told);
  EXPECT_EQ(static_cast<uint64_t>(ACL_MEM_LOCATION_TYPE_DEVICE), told.number(0));
  EXPECT_ANSWER(
      kParam, visitor_->send("copy", "far", kBytes - 10, "host", 0, 20, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_ANSWER(kDriver, visitor_->send("export_v2", "import", 1, kFabricType));
  const Answer again = visitor_->send("import_v2", "again", handle_, kFabricType);
  EXPECT_PEER_OK(again);
  EXPECT_PEER_OK(visitor_->send("free_physical", "again"));
}

TEST_F(FabricMemory, AnUnmappedRangeFailsWhenTheTaskRuns) {
  EXPECT_PEER_OK(visitor_->send("gate", "gate", "stream"));
  EXPECT_PEER_OK(visitor_->send("copy_async", "far", 0, "host", 0, kBytes,
                                ACL_MEMCPY_HOST_TO_DEVICE, "stream"));
  EXPECT_PEER_OK(visitor_->send("unmap", "far", 0));
  EXPECT_PEER_OK(visitor_->send("open_gate", "gate"));
  EXPECT_ANSWER(kTaskFailed, visitor_->send("synchronize_stream", "stream"));
  EXPECT_PEER_OK(visitor_->send("map", "far", 0, kBytes, "import"));
}

// Copies cross from one memory into the next, and a packed block may, too.
TEST_F(FabricMemory, CopiesCrossTheSeamsOfAReservation) {
  Peer third(environment(secret_));
  const Bytes other = lend(third);
  EXPECT_PEER_OK(visitor_->send("import_v2", "second", other, kFabricType));
  EXPECT_PEER_OK(visitor_->send("reserve", "both", 2 * kBytes));
  EXPECT_PEER_OK(visitor_->send("map", "both", 0, kBytes, "import"));
  EXPECT_PEER_OK(visitor_->send("map", "both", kBytes, kBytes, "second"));
  EXPECT_PEER_OK(visitor_->send("write", "both", kBytes - 1000, 2000, 8));
  EXPECT_PEER_HOLDS(visitor_->send("holds", "both", kBytes - 1000, 2000, 8));
  EXPECT_PEER_HOLDS(owner_->send("holds", "at", kBytes - 1000, 1000, 8));
  EXPECT_PEER_OK(visitor_->send("unmap", "both", 0));
  EXPECT_PEER_OK(visitor_->send("unmap", "both", kBytes));
  EXPECT_PEER_OK(visitor_->send("free_physical", "second"));
  EXPECT_PEER_OK(visitor_->send("release", "both"));
}

// ---- who may ----

class FabricAccess : public Fabric {};

TEST_F(FabricAccess, OnlyListedProcessesImport) {
  Peer owner(environment(secret_));
  Peer visitor(environment(secret_));
  const Bytes handle = lend(owner, kPage, 0);
  EXPECT_PEER_OK(visitor.send("set_device", 0));
  EXPECT_ANSWER(kDriver, visitor.send("import_v2", "import", handle, kFabricType));
  EXPECT_PEER_OK(owner.send("set_pid_v2", handle, kFabricType, visitor.pid()));
  borrow(visitor, handle, kPage);
  give_back(visitor);
  take_back(owner);
  EXPECT_ANSWER(kUnknownHandle, visitor.send("import_v2", "import", handle, kFabricType));
}

TEST_F(FabricAccess, ForeignHandlesNeedTheFabric) {
  Peer owner(environment(secret_));
  Peer visitor({"FERRY_MEMORY=1G", "FERRY_DEVICES=cpu"});
  Bytes handle = lend(owner, kPage);
  constexpr size_t kHost = 32;  // where the identity of the host begins
  handle[kHost] ^= 1;
  EXPECT_PEER_OK(visitor.send("set_device", 0));
  EXPECT_ANSWER(kNotSupportedHere, visitor.send("import_v2", "import", handle, kFabricType));
  take_back(owner);
}

TEST_F(FabricAccess, NotifiesAreSignalledFromOtherHosts) {
  Peer owner(environment(secret_));
  Peer visitor(environment(secret_));
  for (Peer* const peer : {&owner, &visitor}) {
    EXPECT_PEER_OK(peer->send("set_device", 0));
    EXPECT_PEER_OK(peer->send("create_stream", "stream"));
  }
  EXPECT_PEER_OK(owner.send("create_notify", "notify"));
  const Answer key = owner.send("notify_key", "notify", 2);
  EXPECT_PEER_OK(key);
  EXPECT_PEER_OK(visitor.send("import_notify", "notify", key.bytes, 0));
  for (int round = 0; round < 20; ++round) {
    EXPECT_PEER_OK(owner.send("wait_notify", "notify", "stream"));
    EXPECT_PEER_OK(visitor.send("record_notify", "notify", "stream"));
    EXPECT_PEER_OK(visitor.send("synchronize_stream", "stream"));
    EXPECT_PEER_OK(owner.send("synchronize_stream", "stream"));
  }
  EXPECT_PEER_OK(visitor.send("destroy_notify", "notify"));
  EXPECT_PEER_OK(owner.send("destroy_notify", "notify"));
}

TEST_F(FabricAccess, SecretsMustBeEqualAndUnreadableByOthers) {
  Peer owner(environment(secret_));
  const Bytes handle = lend(owner, kPage);
  const SecretFile other("another secret that is long enough");
  Peer visitor(environment(other));
  EXPECT_PEER_OK(visitor.send("set_device", 0));
  EXPECT_ANSWER(kDriver, visitor.send("import_v2", "import", handle, kFabricType));
  ASSERT_EQ(0, chmod(other.path().c_str(), 0640));
  Peer careless(environment(other));
  EXPECT_ANSWER(507033, careless.send("set_device", 0));
  take_back(owner);
}

}  // namespace
}  // namespace conformance::fabric
