// SPDX-License-Identifier: Apache-2.0
// aclrtIpcMemImportByKey: device memory of another process, at an address of this one.
#include "support/checks_with_context.h"
#include "support/copies.h"
#include "support/sharing.h"

namespace conformance::virtual_memory::sharing::aclrtIpcMemImportByKey_test {
namespace {

using AclrtIpcMemImportByKey = WithSharing;

// Where an address is that belongs to no memory.
constexpr std::pair<int, uint32_t> kNoPlace = {ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0};

struct Arguments {
  Bytes key;  // none: NULL
  bool has_output = true;
  uint64_t flags = 0;
  bool has_context = true;
};

aclError import_it(const Arguments& a) {
  void* address = untouched();
  const aclError code = aclrtIpcMemImportByKey(a.has_output ? &address : nullptr,
                                               a.key.empty() ? nullptr : text_of(a.key), a.flags);
  EXPECT_EQ(untouched(), address);
  return code;
}

Bytes key_of(const char* text) {
  Bytes key(text, text + std::strlen(text));
  key.resize(kKeySize);
  return key;
}

// A key that does not end.
Bytes endless_key() {
  return Bytes(2 * kKeySize, 'a');
}

TEST_F(AclrtIpcMemImportByKey, ChecksItsArgumentsInOrder) {
  const DeviceBuffer device(kGranule);
  const Bytes known = export_key(device.get(), kGranule);
  const Bytes closed = export_key(device.get(), kGranule);
  const Bytes not_for_us = export_key(device.get(), kGranule, kListed);
  ASSERT_OK(aclrtIpcMemClose(text_of(closed)));
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"devPtr NULL", [](Arguments& a) { a.has_output = false; }, kBadArgument, "EH0008"},
      {"key NULL", [](Arguments& a) { a.key.clear(); }, kBadArgument, "EH0008"},
      {"flags", [](Arguments& a) { a.flags = 2; }, kBadValue},
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
      {"key empty", [](Arguments& a) { a.key = key_of(""); }, kBadValue},
      {"key endless", [](Arguments& a) { a.key = endless_key(); }, kBadValue},
      {"key unknown", [](Arguments& a) { a.key = key_of("anything"); }, kRefused, "EE1017"},
      {"key closed", [=](Arguments& a) { a.key = closed; }, kRefused, "EE1017"},
      {"not listed", [=](Arguments& a) { a.key = not_for_us; }, kRefused, "EE1017"},
  };
  expect_checked_with_context<Arguments>("aclrtIpcMemImportByKey", {known}, import_it, checks);
}

// Texts of all kinds: never a crash, always one of the codes.
TEST_F(AclrtIpcMemImportByKey, SurvivesEveryWrongCharacter) {
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule);
  const size_t length = std::strlen(text_of(key));
  ReadyPeer peer;
  for (size_t i = 0; i < length; ++i) {
    for (const int bits : {0x01, 0x02, 0x40, 0x80}) {
      const Bytes wrong = turned_over(key, i, bits);
      EXPECT_ANSWER(kRefused, peer.send("import_key", "w", wrong, 0)) << "character " << i;
      EXPECT_ANSWER(kRefused, peer.send("close_key", wrong)) << "character " << i;
    }
    Bytes cut = key;
    cut[i] = 0;
    EXPECT_ANSWER(i == 0 ? kBadValue : kRefused, peer.send("import_key", "w", cut, 0)) << i;
  }
  Bytes longer = key;
  longer.resize(2 * kKeySize);
  std::memset(longer.data() + length, '0', kKeySize);
  EXPECT_NE(ACL_SUCCESS, peer.send("import_key", "w", longer, 0).code);
  EXPECT_PEER_OK(peer.send("import_key", "a", key, 0));
}

TEST_F(AclrtIpcMemImportByKey, SharesTheBytes) {
  DeviceBuffer device(2 * kGranule);
  device.write(pattern(2 * kGranule, 1));
  const Bytes key = export_key(device.get(), 2 * kGranule);
  ReadyPeer peer;
  for (const uint64_t flags : {0, 1}) {
    ASSERT_PEER_OK(peer.send("import_key", "a", key, flags));
    EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 2 * kGranule, 1 + flags));
    EXPECT_PEER_OK(peer.send("write", "a", 0, 2 * kGranule, 2 + flags));
    EXPECT_TRUE(holds(device.get(), 2 * kGranule, static_cast<uint8_t>(2 + flags)));
    EXPECT_PEER_OK(peer.send("close_key", key));
  }
}

TEST_F(AclrtIpcMemImportByKey, CountsRepeatedImports) {
  DeviceBuffer device(kGranule);
  device.write(pattern(kGranule, 1));
  const Bytes key = export_key(device.get(), kGranule);
  ReadyPeer peer;
  const Answer first = peer.send("import_key", "a", key, 0);
  const Answer second = peer.send("import_key", "b", key, 0);
  ASSERT_PEER_OK(first);
  ASSERT_PEER_OK(second);
  EXPECT_EQ(first.number(), second.number());
  EXPECT_PEER_OK(peer.send("close_key", key));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
  EXPECT_PEER_OK(peer.send("close_key", key));
  EXPECT_EQ(uint64_t{ACL_MEM_LOCATION_TYPE_UNREGISTERED}, peer.send("attributes", "a", 0).number());
  EXPECT_ANSWER(kRefused, peer.send("close_key", key));
}

TEST_F(AclrtIpcMemImportByKey, AnImportedAddressIsNotTheImportersMemory) {
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule);
  ReadyPeer peer;
  const uint64_t before = peer.free_memory();
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  EXPECT_EQ(before, peer.free_memory());
  const Answer attributes = peer.send("attributes", "a", 100);
  EXPECT_EQ(uint64_t{ACL_MEM_LOCATION_TYPE_DEVICE}, attributes.number(0));
  EXPECT_EQ(0u, attributes.number(1));
  EXPECT_ANSWER(kBadValue, peer.send("free", "a"));
  EXPECT_PEER_OK(peer.send("write", "a", 0, 64, 1));
  EXPECT_PEER_OK(peer.send("close_key", key));
  EXPECT_EQ(before, peer.free_memory());
  // Some programs free the closed address and ignore the answer.
  EXPECT_ANSWER(kBadValue, peer.send("free", "a"));
}

TEST_F(AclrtIpcMemImportByKey, DoesNotFindTheMemoryOfAFreedBlock) {
  Bytes key;
  {
    const DeviceBuffer device(kGranule);
    key = export_key(device.get(), kGranule);
  }
  ReadyPeer peer;
  EXPECT_ANSWER(kRefused, peer.send("import_key", "a", key, 0));
}

// ---- the exporter itself ----

TEST_F(AclrtIpcMemImportByKey, TheExporterGetsASecondAddress) {
  DeviceBuffer device(kGranule);
  device.write(pattern(kGranule, 1));
  const size_t before = free_bytes();
  const Bytes key = export_key(device.get(), kGranule);
  void* address = nullptr;
  void* again = nullptr;
  ASSERT_OK(aclrtIpcMemImportByKey(&address, text_of(key), 0));
  ASSERT_OK(aclrtIpcMemImportByKey(&again, text_of(key), 1));
  EXPECT_EQ(address, again);
  EXPECT_NE(device.get(), address);
  EXPECT_EQ(before, free_bytes());
  EXPECT_EQ(std::pair(1, 0u), place_of(address));
  EXPECT_TRUE(holds(address, kGranule, 1));
  EXPECT_OK(copy_to_device(address, pattern(kGranule, 2)));
  EXPECT_TRUE(pattern(kGranule, 2) == device.read());
  EXPECT_FAILS_WITH(kBadValue, aclrtFree(address));
  // Two imports, then the export itself.
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  EXPECT_TRUE(holds(address, kGranule, 2));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  EXPECT_EQ(kNoPlace, place_of(address));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  EXPECT_FAILS(kRefused, "EE1017", aclrtIpcMemClose(text_of(key)));
  EXPECT_TRUE(pattern(kGranule, 2) == device.read());
}

TEST_F(AclrtIpcMemImportByKey, TheExportersSecondAddressOutlivesTheBlock) {
  const size_t before = free_bytes();
  void* address = nullptr;
  Bytes key;
  {
    DeviceBuffer device(kGranule);
    device.write(pattern(kGranule, 1));
    key = export_key(device.get(), kGranule);
    ASSERT_OK(aclrtIpcMemImportByKey(&address, text_of(key), 0));
  }
  EXPECT_TRUE(holds(address, kGranule, 1));
  EXPECT_GT(before, free_bytes());
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  EXPECT_TRUE(comes_to_have_free(before));
}

// ---- two devices ----

FERRY_PROCESS_TEST(AclrtIpcMemImportByKeyProcess, EachDeviceHasItsOwnAddress, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B1") {
  copies::TwoDevices devices(kGranule);
  DeviceBuffer& device = devices.buffer(0);
  device.write(pattern(kGranule, 1));
  const Bytes key = export_key(device.get(), kGranule);
  void* addresses[2] = {};
  for (const int32_t id : {0, 1}) {
    devices.use(id);
    ASSERT_OK(aclrtIpcMemImportByKey(&addresses[id], text_of(key), 1));
    EXPECT_EQ(std::pair(1, static_cast<uint32_t>(id)), place_of(addresses[id]));
    EXPECT_TRUE(holds(addresses[id], kGranule, 1));
  }
  EXPECT_NE(addresses[0], addresses[1]);
  // The flag has enabled peer access, which the product needs.
  EXPECT_OK(aclrtMemcpy(devices.buffer(1).get(), kGranule, addresses[1], kGranule,
                        ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_TRUE(holds(devices.buffer(1).get(), kGranule, 1));
  EXPECT_OK(copy_to_device(addresses[1], pattern(kGranule, 2)));
  EXPECT_TRUE(holds(addresses[0], kGranule, 2));
  // Oldest first.
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  EXPECT_TRUE(holds(addresses[1], kGranule, 2));
  EXPECT_EQ(kNoPlace, place_of(addresses[0]));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  devices.use(0);
}

// Without the flag, copies between the devices need peer access. A later import may ask for it.
FERRY_PROCESS_TEST(AclrtIpcMemImportByKeyProcess, TheFlagEnablesPeerAccess, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B1") {
  copies::TwoDevices devices(kGranule);
  const Bytes key = export_key(devices.buffer(0).get(), kGranule);
  devices.use(1);
  void* address = nullptr;
  ASSERT_OK(aclrtIpcMemImportByKey(&address, text_of(key), 0));
  EXPECT_FAILS_WITH(kBadValue, aclrtMemcpy(devices.buffer(1).get(), kGranule, address, kGranule,
                                           ACL_MEMCPY_DEVICE_TO_DEVICE));
  ASSERT_OK(aclrtIpcMemImportByKey(&address, text_of(key), 1));
  EXPECT_OK(aclrtMemcpy(devices.buffer(1).get(), kGranule, address, kGranule,
                        ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_TRUE(holds(devices.buffer(1).get(), kGranule, 1));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  devices.use(0);
}

FERRY_PROCESS_TEST(AclrtIpcMemImportByKeyProcess, AnotherDeviceOfAnotherProcessHasNoLimits,
                   "FERRY_DEVICES=cpu:2", "FERRY_SOC=Ascend910B1") {
  copies::TwoDevices devices(kGranule);
  DeviceBuffer& device = devices.buffer(0);
  device.write(pattern(kGranule, 1));
  const Bytes key = export_key(device.get(), kGranule);
  Peer peer;
  ASSERT_PEER_OK(peer.send("set_device", 1));
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 1));
  ASSERT_PEER_OK(peer.send("allocate", "p", kGranule));
  EXPECT_EQ(1u, peer.send("attributes", "a", 0).number(1));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
  EXPECT_PEER_OK(peer.send("copy", "p", 0, "a", 0, kGranule, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_PEER_HOLDS(peer.send("holds", "p", 0, kGranule, 1));
  EXPECT_PEER_OK(peer.send("write", "p", 0, kGranule, 2));
  ASSERT_PEER_OK(peer.send("create_stream", "s"));
  EXPECT_PEER_OK(peer.send("copy_async", "a", 0, "p", 0, kGranule, ACL_MEMCPY_DEFAULT, "s"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_TRUE(pattern(kGranule, 2) == device.read());
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtIpcMemImportByKey_test
