// SPDX-License-Identifier: Apache-2.0
// Memory that two processes use: every call that moves bytes, either process ending first, and what
// is counted as taken.
#include "support/range_forms.h"
#include "support/sharing.h"
#include "support/streams.h"

namespace conformance::virtual_memory::sharing::sharing_between_processes_test {
namespace {

using streams::Stream;

// How a peer gets at the memory of this process.
enum class Way { kNumber, kFabric, kKey };

const char* name_of(Way way) {
  return way == Way::kNumber ? "number" : way == Way::kFabric ? "fabric" : "key";
}

class SharingBetweenProcesses : public WithSharing, public ::testing::WithParamInterface<Way> {
 protected:
  static constexpr size_t kSize = 2 * kGranule;
  // What is written and compared: a part that crosses pages of all sizes.
  static constexpr size_t kStart = kGranule - 32768;
  static constexpr size_t kCount = 65536;

  // Memory of this process at `address`, and what another process needs for it.
  struct Own {
    explicit Own(Way way) {
      if (way == Way::kKey) {
        block = std::make_unique<DeviceBuffer>(kSize);
        address = block->at(0);
        handle = export_key(address, kSize);
      } else {
        offered = std::make_unique<Offered>(kSize);
        address = offered->at();
        handle = way == Way::kNumber ? export_v1(offered->handle()) : export_v2(offered->handle());
      }
    }
    std::unique_ptr<DeviceBuffer> block;
    std::unique_ptr<Offered> offered;
    char* address = nullptr;
    Bytes handle;
  };

  // The memory as "a" of the peer.
  static void open_in(ReadyPeer& peer, const Bytes& handle) {
    if (GetParam() == Way::kKey) {
      EXPECT_PEER_OK(peer.send("import_key", "a", handle, 1));
    } else {
      peer.import_and_map(handle, "h", "a", kSize);
    }
  }
  static void close_in(ReadyPeer& peer, const Bytes& handle) {
    if (GetParam() == Way::kKey) {
      EXPECT_PEER_OK(peer.send("close_key", handle));
    } else {
      peer.unmap_and_free();
    }
  }
  // The same memory in a peer, as its "a"; returns what another process needs for it.
  static Bytes offer_in(ReadyPeer& exporter) {
    if (GetParam() == Way::kKey) {
      EXPECT_PEER_OK(exporter.send("allocate", "a", kSize));
      return exporter.send("export_key", "a", 0, kSize, 1).bytes;
    }
    EXPECT_PEER_OK(exporter.send("allocate_physical", "h", kSize, 1, 0, 4));
    EXPECT_PEER_OK(exporter.send("reserve", "a", kSize));
    EXPECT_PEER_OK(exporter.send("map", "a", 0, kSize, "h"));
    if (GetParam() == Way::kNumber) return exporter.send("export_v1", "h", 1).bytes;
    return exporter.send("export_v2", "h", 1, kFabricType).bytes;
  }
  // What a peer is told that comes when the memory is gone.
  static aclError is_gone() { return GetParam() == Way::kKey ? kRefused : kBadHandle; }
  static Answer try_to_open_in(Peer& peer, const Bytes& handle) {
    if (GetParam() == Way::kKey) return peer.send("import_key", "late", handle, 1);
    if (GetParam() == Way::kNumber) return peer.send("import_v1", "late", handle, 0);
    return peer.send("import_v2", "late", handle, kFabricType);
  }
};

INSTANTIATE_TEST_SUITE_P(Ways, SharingBetweenProcesses,
                         ::testing::Values(Way::kNumber, Way::kFabric, Way::kKey),
                         [](const auto& way) { return name_of(way.param); });

// ---- bytes ----

// Every call that writes, here; the other process reads.
TEST_P(SharingBetweenProcesses, EveryCallThatWritesIsSeen) {
  const Own own(GetParam());
  ReadyPeer peer;
  open_in(peer, own.handle);
  const Stream stream;
  PinnedBuffer pinned(kCount);
  uint8_t seed = 1;
  for (const CopyForm& form : kCopyForms) {
    SCOPED_TRACE(form.name);
    ++seed;
    pinned.fill(pattern(kCount, seed));
    EXPECT_OK(form.copy(own.address + kStart, pinned.get(), kCount, true, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_PEER_HOLDS(peer.send("holds", "a", kStart, kCount, seed));
  }
  for (const SetForm& form : kSetForms) {
    SCOPED_TRACE(form.name);
    EXPECT_OK(aclrtMemset(own.address, kCount, seed, kCount));
    EXPECT_OK(form.set(own.address + 4096, 8192, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(Bytes(8192, 0x2b), peer.send("read", "a", 4096, 8192).bytes);
    EXPECT_EQ(Bytes(64, seed), peer.send("read", "a", 4096 + 8192, 64).bytes);
  }
  DeviceBuffer other(kCount);
  for (const DeviceCopyForm& form : kDeviceCopyForms) {
    SCOPED_TRACE(form.name);
    ++seed;
    const Descriptions descriptions;
    other.write(pattern(kCount, seed));
    EXPECT_OK(form.copy(own.address + kStart, other.get(), kCount, descriptions, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_PEER_HOLDS(peer.send("holds", "a", kStart, kCount, seed));
  }
  close_in(peer, own.handle);
}

// Every call that reads, here; the other process writes.
TEST_P(SharingBetweenProcesses, EveryCallThatReadsSeesTheOthersBytes) {
  const Own own(GetParam());
  ReadyPeer peer;
  open_in(peer, own.handle);
  const Stream stream;
  PinnedBuffer pinned(kCount);
  uint8_t seed = 1;
  for (const CopyForm& form : kCopyForms) {
    SCOPED_TRACE(form.name);
    EXPECT_PEER_OK(peer.send("write", "a", kStart, kCount, ++seed));
    EXPECT_OK(form.copy(pinned.get(), own.address + kStart, kCount, false, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(pattern(kCount, seed) == pinned.copy());
  }
  DeviceBuffer other(kCount);
  for (const DeviceCopyForm& form : kDeviceCopyForms) {
    SCOPED_TRACE(form.name);
    const Descriptions descriptions;
    EXPECT_PEER_OK(peer.send("write", "a", kStart, kCount, ++seed));
    EXPECT_OK(form.copy(other.get(), own.address + kStart, kCount, descriptions, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(pattern(kCount, seed) == other.read());
  }
  EXPECT_PEER_OK(peer.send("set", "a", kStart, kCount, 0x77));
  EXPECT_TRUE(Bytes(kCount, 0x77) == bytes_at(own.address + kStart, kCount));
}

// The same calls on memory of another process.
TEST_P(SharingBetweenProcesses, ImportedMemoryTakesEveryCall) {
  ReadyPeer exporter;
  Bytes handle = offer_in(exporter);
  const bool is_key = GetParam() == Way::kKey;
  const Reservation reservation(kSize);
  aclrtDrvMemHandle imported = nullptr;
  void* address = reservation.at();
  if (is_key) {
    ASSERT_OK(aclrtIpcMemImportByKey(&address, text_of(handle), 1));
  } else if (GetParam() == Way::kNumber) {
    ASSERT_OK(aclrtMemImportFromShareableHandle(as_number(handle), 0, &imported));
  } else {
    ASSERT_OK(aclrtMemImportFromShareableHandleV2(handle.data(), ACL_MEM_SHARE_HANDLE_TYPE_FABRIC,
                                                  0, &imported));
  }
  if (!is_key) {
    ASSERT_OK(aclrtMapMem(address, kSize, 0, imported, 0));
  }
  const Stream stream;
  PinnedBuffer pinned(kCount);
  uint8_t seed = 1;
  for (const CopyForm& form : kCopyForms) {
    SCOPED_TRACE(form.name);
    pinned.fill(pattern(kCount, ++seed));
    EXPECT_OK(form.copy(static_cast<char*>(address) + kStart, pinned.get(), kCount, true, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_PEER_HOLDS(exporter.send("holds", "a", kStart, kCount, seed));
    EXPECT_PEER_OK(exporter.send("write", "a", kStart, kCount, ++seed));
    EXPECT_OK(form.copy(pinned.get(), static_cast<char*>(address) + kStart, kCount, false, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(pattern(kCount, seed) == pinned.copy());
  }
  for (const SetForm& form : kSetForms) {
    SCOPED_TRACE(form.name);
    EXPECT_OK(form.set(static_cast<char*>(address) + kStart, kCount, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(Bytes(kCount, 0x2b) == exporter.send("read", "a", kStart, kCount).bytes);
    EXPECT_PEER_OK(exporter.send("set", "a", kStart, kCount, 1));
  }
  if (is_key) {
    EXPECT_OK(aclrtIpcMemClose(text_of(handle)));
  } else {
    EXPECT_OK(aclrtUnmapMem(address));
    EXPECT_OK(aclrtFreePhysical(imported));
  }
}

// Several processes, all of which write their part.
TEST_P(SharingBetweenProcesses, SeveralProcessesHoldOneMemory) {
  const Own own(GetParam());
  ReadyPeer peers[3];
  for (ReadyPeer& peer : peers)
    open_in(peer, own.handle);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_PEER_OK(peers[i].send("write", "a", i * 4096, 4096, i));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(holds(own.address + i * 4096, 4096, static_cast<uint8_t>(i)));
    for (ReadyPeer& peer : peers)
      EXPECT_PEER_HOLDS(peer.send("holds", "a", i * 4096, 4096, i));
  }
}

// ---- lifetimes ----

TEST_P(SharingBetweenProcesses, TheExporterMayFreeFirst) {
  const size_t before = free_bytes();
  ReadyPeer first;
  ReadyPeer second;
  Bytes handle;
  {
    const Own own(GetParam());
    EXPECT_OK(copy_to_device(own.address + kStart, pattern(kCount, 3)));
    handle = own.handle;
    open_in(first, handle);
    open_in(second, handle);
  }
  EXPECT_GE(before - kSize, free_bytes()) << "counted until the last importer has let go";
  ReadyPeer late;
  EXPECT_ANSWER(is_gone(), try_to_open_in(late, handle));
  EXPECT_PEER_HOLDS(first.send("holds", "a", kStart, kCount, 3));
  EXPECT_PEER_OK(first.send("write", "a", kStart, kCount, 4));
  close_in(first, handle);
  EXPECT_PEER_HOLDS(second.send("holds", "a", kStart, kCount, 4));
  EXPECT_GE(before - kSize, free_bytes());
  close_in(second, handle);
  EXPECT_TRUE(comes_to_have_free(before));
}

TEST_P(SharingBetweenProcesses, TheMemoryReturnsWhenTheImporterEnds) {
  for (const bool is_killed : {false, true}) {
    const size_t before = free_bytes();
    {
      ReadyPeer peer;
      {
        const Own own(GetParam());
        open_in(peer, own.handle);
      }
      EXPECT_GE(before - kSize, free_bytes());
      if (is_killed) peer.kill();
    }
    EXPECT_TRUE(comes_to_have_free(before)) << (is_killed ? "killed" : "ended");
  }
}

// An importer that is gone does not disturb the exporter or other importers.
TEST_P(SharingBetweenProcesses, AnImporterMayEndFirst) {
  const Own own(GetParam());
  EXPECT_OK(copy_to_device(own.address + kStart, pattern(kCount, 3)));
  ReadyPeer staying;
  open_in(staying, own.handle);
  for (const bool is_killed : {false, true}) {
    ReadyPeer peer;
    open_in(peer, own.handle);
    EXPECT_PEER_OK(peer.send("write", "a", 0, 64, is_killed ? 5 : 4));
    if (is_killed) peer.kill();
  }
  EXPECT_TRUE(holds(own.address, 64, 5));
  EXPECT_PEER_HOLDS(staying.send("holds", "a", 0, 64, 5));
  EXPECT_OK(copy_to_device(own.address, pattern(64, 6)));
  EXPECT_PEER_HOLDS(staying.send("holds", "a", 0, 64, 6));
  // The handle still opens.
  ReadyPeer late;
  open_in(late, own.handle);
  EXPECT_PEER_HOLDS(late.send("holds", "a", 0, 64, 6));
}

TEST_P(SharingBetweenProcesses, TheExporterMayEndFirst) {
  for (const bool is_killed : {false, true}) {
    SCOPED_TRACE(is_killed ? "killed" : "ended");
    ReadyPeer first;
    ReadyPeer second;
    Bytes handle;
    {
      ReadyPeer exporter;
      handle = offer_in(exporter);
      ASSERT_PEER_OK(exporter.send("write", "a", kStart, kCount, 7));
      open_in(first, handle);
      open_in(second, handle);
      if (is_killed) exporter.kill();
    }
    EXPECT_PEER_HOLDS(first.send("holds", "a", kStart, kCount, 7));
    EXPECT_PEER_OK(first.send("write", "a", kStart, kCount, 8));
    EXPECT_PEER_HOLDS(second.send("holds", "a", kStart, kCount, 8));
    ReadyPeer late;
    EXPECT_ANSWER(is_gone(), try_to_open_in(late, handle));
    close_in(first, handle);
    EXPECT_PEER_HOLDS(second.send("holds", "a", kStart, kCount, 8));
    close_in(second, handle);
  }
}

// Work of the importer that is queued when the exporter is killed.
TEST_P(SharingBetweenProcesses, QueuedWorkOutlivesTheExporter) {
  ReadyPeer exporter;
  ReadyPeer importer;
  const Bytes handle = offer_in(exporter);
  ASSERT_PEER_OK(exporter.send("write", "a", kStart, kCount, 9));
  open_in(importer, handle);
  ASSERT_PEER_OK(importer.send("create_stream", "s"));
  ASSERT_PEER_OK(importer.send("allocate", "p", kCount));
  ASSERT_PEER_OK(importer.send("gate", "g", "s"));
  ASSERT_PEER_OK(
      importer.send("copy_async", "p", 0, "a", kStart, kCount, ACL_MEMCPY_DEVICE_TO_DEVICE, "s"));
  exporter.kill();
  EXPECT_PEER_OK(importer.send("open_gate", "g"));
  EXPECT_PEER_OK(importer.send("synchronize_stream", "s"));
  EXPECT_PEER_HOLDS(importer.send("holds", "p", 0, kCount, 9));
  close_in(importer, handle);
}

// Addresses and contents stay when memory that has been used becomes shared.
TEST_P(SharingBetweenProcesses, TheOwnAddressStaysInUse) {
  const Own own(GetParam());
  const Stream stream;
  PinnedBuffer pinned(kCount);
  ReadyPeer peer;
  for (uint8_t round = 1; round <= 4; ++round) {
    pinned.fill(pattern(kCount, round));
    EXPECT_OK(aclrtMemcpyAsync(own.address + kStart, kCount, pinned.get(), kCount,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream));
    if (round == 2) open_in(peer, own.handle);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(holds(own.address + kStart, kCount, round));
  }
  EXPECT_PEER_HOLDS(peer.send("holds", "a", kStart, kCount, 4));
}

// The importer opens, uses and closes while the exporter does the same for others.
TEST_P(SharingBetweenProcesses, ManyRoundsLeaveNothing) {
  const size_t before = free_bytes();
  ReadyPeer peer;
  const uint64_t theirs = peer.free_memory();
  for (uint8_t round = 0; round < 40; ++round) {
    const Own own(GetParam());
    open_in(peer, own.handle);
    EXPECT_PEER_OK(peer.send("write", "a", 0, 64, round));
    EXPECT_TRUE(holds(own.address, 64, round));
    close_in(peer, own.handle);
  }
  EXPECT_TRUE(comes_to_have_free(before));
  EXPECT_EQ(theirs, peer.free_memory());
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::sharing_between_processes_test
