// SPDX-License-Identifier: Apache-2.0
// aclrtIpcMemGetExportKey: a text with which other processes find device memory.
#include "support/checks_with_context.h"
#include "support/managed.h"
#include "support/sharing.h"

#include <set>

namespace conformance::virtual_memory::sharing::aclrtIpcMemGetExportKey_test {
namespace {

using AclrtIpcMemGetExportKey = WithSharing;

struct Arguments {
  void* address;
  size_t size = kGranule;
  bool has_key = true;
  size_t length = kKeySize;
  uint64_t flags = 0;
  bool has_context = true;
};

aclError export_it(const Arguments& a) {
  char key[kKeySize + 1] = {};
  const aclError code =
      aclrtIpcMemGetExportKey(a.address, a.size, a.has_key ? key : nullptr, a.length, a.flags);
  EXPECT_STREQ("", key);
  return code;
}

TEST_F(AclrtIpcMemGetExportKey, ChecksItsArgumentsInOrder) {
  const DeviceBuffer device(kGranule);
  PinnedBuffer pinned(kGranule);
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"devPtr NULL", [](Arguments& a) { a.address = nullptr; }, kBadArgument, "EH0008"},
      {"key NULL", [](Arguments& a) { a.has_key = false; }, kBadArgument, "EH0008"},
      {"size 0", [](Arguments& a) { a.size = 0; }, kBadValue},
      {"len 0", [](Arguments& a) { a.length = 0; }, kBadValue},
      {"flags", [](Arguments& a) { a.flags = 2; }, kBadValue},
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
      {"len 64", [](Arguments& a) { a.length = 64; }, kBadValue},
      {"host memory", [&](Arguments& a) { a.address = pinned.get(); }, kRefused, "EE1017"},
      {"too long", [](Arguments& a) { a.size = size_t{1} << 40; }, kRefused, "EE1017"},
  };
  expect_checked_with_context<Arguments>("aclrtIpcMemGetExportKey", {device.get()}, export_it,
                                         checks);
}

TEST_F(AclrtIpcMemGetExportKey, RefusesWhatIsNotDeviceMemory) {
  const Reservation reserved(kGranule);
  const Region host(1, prop_of(on_host()));
  std::vector<uint8_t> pageable(4096);
  PinnedBuffer pinned(4096);
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, kGranule, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  for (void* const address : {static_cast<void*>(reserved.at()), static_cast<void*>(host.at()),
                              static_cast<void*>(pageable.data()), pinned.get(), freed})
    EXPECT_EQ(kRefused, export_it({.address = address, .size = 64}));
  clear_errors();
}

TEST_F(AclrtIpcMemGetExportKey, RefusesManagedMemory) {
  void* managed = nullptr;
  if (aclrtMemAllocManaged(&managed, kGranule, ACL_RT_MEM_ATTACH_GLOBAL) != ACL_SUCCESS)
    GTEST_SKIP() << "needs managed memory";
  EXPECT_EQ(kRefused, export_it({managed}));
  EXPECT_OK(aclrtFree(managed));
  clear_errors();
}

TEST_F(AclrtIpcMemGetExportKey, RefusesRangesThatLeaveTheAllocation) {
  const DeviceBuffer device(2 * kGranule);
  EXPECT_EQ(kRefused, export_it({.address = device.get(), .size = 4 * kGranule}));
  EXPECT_EQ(kRefused, export_it({.address = device.at(kGranule), .size = 2 * kGranule}));
  EXPECT_EQ(kRefused, export_it({.address = device.get(), .size = SIZE_MAX}));
  const Region region(1);
  EXPECT_EQ(kRefused, export_it({.address = region.at(), .size = 2 * kGranule}));
  clear_errors();
}

TEST_F(AclrtIpcMemGetExportKey, RefusesAddressesInsideAPage) {
  const DeviceBuffer device(2 * kGranule);
  for (const size_t offset : {1, 64, 512, 4095})
    EXPECT_EQ(kRefused, export_it({.address = device.at(offset), .size = 64})) << offset;
  clear_errors();
}

// Small blocks too, wherever they begin, and parts of large ones.
TEST_F(AclrtIpcMemGetExportKey, TakesTheStartOfEveryBlock) {
  ReadyPeer peer;
  for (const size_t size : {size_t{1}, size_t{64}, size_t{1000}, size_t{4096}, size_t{5000000}}) {
    SCOPED_TRACE(size);
    const DeviceBuffer before(64);
    DeviceBuffer device(size);
    DeviceBuffer after(64);
    device.write(pattern(size, 3));
    after.write(pattern(64, 4));
    const Bytes key = export_key(device.get(), size);
    EXPECT_EQ(pattern(size, 3), device.read()) << "the export changed the bytes";
    ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
    EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, size, 3));
    EXPECT_PEER_OK(peer.send("write", "a", 0, size, 5));
    EXPECT_EQ(pattern(size, 5), device.read());
    EXPECT_EQ(pattern(64, 4), after.read());
    EXPECT_PEER_OK(peer.send("close_key", key));
    EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  }
}

TEST_F(AclrtIpcMemGetExportKey, TakesAPartThatBeginsOnAPage) {
  DeviceBuffer device(4 * kGranule);
  device.write(pattern(4 * kGranule, 3));
  // The block's own start need not be a multiple of 2 MiB; parts are told by their addresses.
  const auto start = reinterpret_cast<uintptr_t>(device.get());
  const size_t offset = kGranule + (kGranule - start % kGranule) % kGranule;
  const Bytes key = export_key(device.at(offset), kGranule);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  for (const size_t at : {size_t{0}, kGranule - 4096})
    EXPECT_EQ(device.read(offset + at, 4096), peer.send("read", "a", at, 4096).bytes);
  // Its size is that of the export.
  EXPECT_ANSWER(kBadValue, peer.send("read", "a", 0, kGranule + 4096));
}

TEST_F(AclrtIpcMemGetExportKey, TakesMappedAddresses) {
  Region region(2);
  region.fill(6);
  const Bytes key = export_key(region.at(kGranule), kGranule);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  EXPECT_EQ(bytes_at(region.at(kGranule), 4096), peer.send("read", "a", 0, 4096).bytes);
  EXPECT_PEER_OK(peer.send("write", "a", 0, 4096, 7));
  EXPECT_TRUE(holds(region.at(kGranule), 4096, 7));
  // The mapping stays as long as its key lives.
  EXPECT_FAILS(kRefused, "EE1017", aclrtUnmapMem(region.at(kGranule)));
  EXPECT_TRUE(holds(region.at(kGranule), 4096, 7));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  region.unmap(1);
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 4096, 7));
}

TEST_F(AclrtIpcMemGetExportKey, RefusesMappingsOfSharedHandles) {
  const Offered offered;
  const Bytes handle = export_v1(offered.handle());
  EXPECT_EQ(kRefused, export_it({offered.at()})) << "the handle is exported";
  ReadyPeer peer;
  peer.import_and_map(handle);
  EXPECT_ANSWER(kRefused, peer.send("export_key", "a", 0, kGranule, 1));
  clear_errors();
}

TEST_F(AclrtIpcMemGetExportKey, RefusesImportedMemory) {
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  EXPECT_ANSWER(kRefused, peer.send("export_key", "a", 0, kGranule, 1));
}

TEST_F(AclrtIpcMemGetExportKey, EveryCallMakesANewKey) {
  DeviceBuffer device(kGranule);
  device.write(pattern(kGranule, 2));
  std::set<Bytes> keys;
  for (int i = 0; i < 10; ++i)
    keys.insert(export_key(device.get(), kGranule));
  EXPECT_EQ(10u, keys.size());
  ReadyPeer peer;
  for (const Bytes& key : keys) {
    EXPECT_PEER_OK(peer.send("import_key", "a", key, 0));
    EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 64, 2));
  }
  // One of them closed: the others still open.
  EXPECT_OK(aclrtIpcMemClose(text_of(*keys.begin())));
  ReadyPeer late;
  for (const Bytes& key : keys) {
    EXPECT_ANSWER(key == *keys.begin() ? kRefused : ACL_SUCCESS,
                  late.send("import_key", "a", key, 0));
  }
}

TEST_F(AclrtIpcMemGetExportKey, WritesATextOfAtMost65Bytes) {
  const DeviceBuffer device(64);
  char key[100];
  std::memset(key, 0x5a, sizeof key);
  EXPECT_OK(aclrtIpcMemGetExportKey(device.get(), 64, key, sizeof key, 0));
  const size_t length = strnlen(key, kKeySize);
  EXPECT_LT(length, kKeySize);
  EXPECT_GT(length, 0u);
  for (size_t i = kKeySize; i < sizeof key; ++i)
    EXPECT_EQ(0x5a, key[i]) << i;
  for (size_t i = 0; i < length; ++i)
    EXPECT_TRUE(key[i] > ' ' && key[i] < 0x7f) << "programs carry keys as text";
}

// The export costs no device memory and survives the copies that run meanwhile.
TEST_F(AclrtIpcMemGetExportKey, LeavesAddressesContentsAndCapacityAlone) {
  DeviceBuffer device(8 * kGranule);
  device.write(pattern(8 * kGranule, 1));
  const size_t before = free_bytes();
  for (int i = 0; i < 3; ++i)
    export_key(device.get(), 8 * kGranule);
  EXPECT_EQ(before, free_bytes());
  EXPECT_TRUE(pattern(8 * kGranule, 1) == device.read());
}

TEST_F(AclrtIpcMemGetExportKey, MayComeWhileCopiesRun) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  const size_t size = 4 * kGranule;
  for (int round = 0; round < 8; ++round) {
    DeviceBuffer device(size);
    PinnedBuffer pinned(size);
    pinned.fill(pattern(size, static_cast<uint8_t>(round)));
    EXPECT_OK(aclrtMemcpyAsync(device.get(), size, pinned.get(), size, ACL_MEMCPY_HOST_TO_DEVICE,
                               stream));
    export_key(device.get(), size);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(pattern(size, static_cast<uint8_t>(round)) == device.read());
  }
  EXPECT_OK(aclrtDestroyStream(stream));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtIpcMemGetExportKey_test
