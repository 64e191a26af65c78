// SPDX-License-Identifier: Apache-2.0
// aclrtMemImportFromShareableHandle: physical memory of another process, by its number.
#include "support/checks_with_context.h"
#include "support/copies.h"
#include "support/devices.h"
#include "support/sharing.h"

namespace conformance::virtual_memory::sharing::aclrtMemImportFromShareableHandle_test {
namespace {

using AclrtMemImportFromShareableHandle = WithSharing;

struct Arguments {
  uint64_t value;
  int32_t device = 0;
  bool has_handle = true;
  bool has_context = true;
};

aclError import_it(const Arguments& a) {
  aclrtDrvMemHandle handle = untouched();
  const aclError code =
      aclrtMemImportFromShareableHandle(a.value, a.device, a.has_handle ? &handle : nullptr);
  EXPECT_EQ(untouched(), handle);
  return code;
}

TEST_F(AclrtMemImportFromShareableHandle, ChecksItsArgumentsInOrder) {
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("allocate_physical", "h", kGranule, 1, 0, 4));
  const uint64_t value = as_number(peer.send("export_v1", "h", kEverybody).bytes);
  ASSERT_PEER_OK(peer.send("allocate_physical", "g", kGranule, 1, 0, 4));
  const uint64_t not_for_us = as_number(peer.send("export_v1", "g", kListed).bytes);
  const Physical own;
  const uint64_t own_value = as_number(export_v1(own));
  uint64_t unknown = 0;
  {
    const Physical freed;
    unknown = as_number(export_v1(freed));
  }
  const auto missing = static_cast<int32_t>(device_count());
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"handle NULL", [](Arguments& a) { a.has_handle = false; }, kBadArgument, "EH0008"},
      {"device", [=](Arguments& a) { a.device = missing; }, kNoDevice},
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
      {"unknown", [=](Arguments& a) { a.value = unknown; }, kBadHandle},
      {"not listed", [=](Arguments& a) { a.value = not_for_us; }, kRefused, "EE1017"},
      {"own", [=](Arguments& a) { a.value = own_value; }, kRefused, "EE1017"},
  };
  expect_checked_with_context<Arguments>("aclrtMemImportFromShareableHandle", {value}, import_it,
                                         checks);
}

TEST_F(AclrtMemImportFromShareableHandle, RefusesDevicesThatThereAreNot) {
  for (const int32_t device : missing_devices())
    EXPECT_EQ(kNoDevice, import_it({.value = 1, .device = device})) << device;
  clear_errors();
}

TEST_F(AclrtMemImportFromShareableHandle, DoesNotKnowOtherNumbers) {
  const Physical physical;
  const uint64_t value = as_number(export_v1(physical));
  for (const uint64_t other : {uint64_t{0}, uint64_t{1}, UINT64_MAX, value + 1, value - 1})
    EXPECT_EQ(kBadHandle, import_it({other})) << other;
  for (int bit = 0; bit < 64; ++bit)
    EXPECT_EQ(kBadHandle, import_it({value ^ uint64_t{1} << bit})) << "bit " << bit;
  clear_errors();
}

// The same bytes, both ways.
TEST_F(AclrtMemImportFromShareableHandle, SharesOnePhysicalMemory) {
  const Offered offered(2 * kGranule);
  EXPECT_OK(copy_to_device(offered.at(), pattern(2 * kGranule, 1)));
  ReadyPeer peer;
  peer.import_and_map(export_v1(offered.handle()), "h", "a", 2 * kGranule);
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 2 * kGranule, 1));
  EXPECT_PEER_OK(peer.send("write", "a", 0, 2 * kGranule, 2));
  EXPECT_TRUE(holds(offered.at(), 2 * kGranule, 2));
  EXPECT_OK(copy_to_device(offered.at(kGranule - 100), pattern(200, 3)));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", kGranule - 100, 200, 3));
}

TEST_F(AclrtMemImportFromShareableHandle, CountsRepeatedImports) {
  const Physical physical;
  const Bytes handle = export_v1(physical);
  ReadyPeer peer;
  const Answer first = peer.send("import_v1", "h", handle, 0);
  const Answer second = peer.send("import_v1", "h", handle, 0);
  ASSERT_PEER_OK(first);
  ASSERT_PEER_OK(second);
  EXPECT_EQ(first.number(), second.number());
  EXPECT_PEER_OK(peer.send("free_physical", "h"));
  EXPECT_PEER_OK(peer.send("reserve", "a", kGranule));
  EXPECT_PEER_OK(peer.send("map", "a", 0, kGranule, "h"));
  EXPECT_PEER_OK(peer.send("free_physical", "h"));
  EXPECT_ANSWER(kBadValue, peer.send("free_physical", "h"));
  EXPECT_PEER_OK(peer.send("unmap", "a", 0));
  EXPECT_ANSWER(kBadValue, peer.send("map", "a", 0, kGranule, "h"));
  // When all is given back, it can be imported anew.
  EXPECT_PEER_OK(peer.send("import_v1", "h", handle, 0));
  EXPECT_PEER_OK(peer.send("free_physical", "h"));
}

TEST_F(AclrtMemImportFromShareableHandle, DoesNotCountTheMemoryAgain) {
  const Physical physical(8 * kGranule);
  ReadyPeer peer;
  const uint64_t before = peer.free_memory();
  peer.import_and_map(export_v1(physical), "h", "a", 8 * kGranule);
  EXPECT_EQ(before, peer.free_memory());
  peer.unmap_and_free();
  EXPECT_EQ(before, peer.free_memory());
}

TEST_F(AclrtMemImportFromShareableHandle, TellsTheExportersLocation) {
  for (const aclrtMemLocation where : {on_device(), on_host()}) {
    const Physical physical(kGranule, prop_of(where));
    ReadyPeer peer;
    peer.import_and_map(export_v1(physical));
    const Answer properties = peer.send("properties", "h");
    EXPECT_PEER_OK(properties);
    EXPECT_EQ(static_cast<uint64_t>(where.type), properties.number(0));
    EXPECT_EQ(0u, properties.number(1));
    const Answer attributes = peer.send("attributes", "a", 100);
    EXPECT_EQ(static_cast<uint64_t>(where.type), attributes.number(0));
    EXPECT_EQ(0u, attributes.number(1));
  }
}

// Host memory is read and written by pointer on both sides.
TEST_F(AclrtMemImportFromShareableHandle, HostMemoryIsUsedByPointer) {
  const Offered offered(kGranule, prop_of(on_host()));
  std::memcpy(offered.at(), pattern(kGranule, 4).data(), kGranule);
  ReadyPeer peer;
  peer.import_and_map(export_v1(offered.handle()));
  EXPECT_PEER_HOLDS(peer.send("holds_plainly", "a", 0, kGranule, 4));
  EXPECT_PEER_OK(peer.send("write_plainly", "a", 0, kGranule, 5));
  EXPECT_EQ(0, std::memcmp(offered.at(), pattern(kGranule, 5).data(), kGranule));
}

TEST_F(AclrtMemImportFromShareableHandle, IsNotFreedLikeOtherMemory) {
  const Physical physical;
  ReadyPeer peer;
  peer.import_and_map(export_v1(physical));
  EXPECT_ANSWER(kBadValue, peer.send("free", "a"));
  EXPECT_PEER_OK(peer.send("write", "a", 0, 64, 1));
}

TEST_F(AclrtMemImportFromShareableHandle, OutlivesTheExportersHandle) {
  const size_t before = free_bytes();
  Bytes handle;
  ReadyPeer peer;
  {
    const Offered offered;
    EXPECT_OK(copy_to_device(offered.at(), pattern(kGranule, 6)));
    handle = export_v1(offered.handle());
    ASSERT_PEER_OK(peer.send("import_v1", "h", handle, 0));
  }
  EXPECT_EQ(before - kGranule, free_bytes()) << "the memory is still in use";
  ReadyPeer late;
  EXPECT_ANSWER(kBadHandle, late.send("import_v1", "h", handle, 0));
  EXPECT_PEER_OK(peer.send("reserve", "a", kGranule));
  EXPECT_PEER_OK(peer.send("map", "a", 0, kGranule, "h"));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 6));
  peer.unmap_and_free();
  EXPECT_TRUE(comes_to_have_free(before));
}

// The mapping alone holds the memory.
TEST_F(AclrtMemImportFromShareableHandle, AMappingOfTheImporterHoldsTheMemory) {
  const size_t before = free_bytes();
  ReadyPeer peer;
  {
    const Offered offered;
    EXPECT_OK(copy_to_device(offered.at(), pattern(kGranule, 7)));
    peer.import_and_map(export_v1(offered.handle()));
  }
  EXPECT_PEER_OK(peer.send("free_physical", "h"));
  EXPECT_EQ(before - kGranule, free_bytes());
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 7));
  EXPECT_PEER_OK(peer.send("unmap", "a", 0));
  EXPECT_TRUE(comes_to_have_free(before));
}

// ---- one process ----

FERRY_PROCESS_TEST(AclrtMemImportFromShareableHandleProcess, WorksOnAnotherDeviceOfTheProcess,
                   "FERRY_DEVICES=cpu:2", "FERRY_SOC=Ascend910B1") {
  copies::TwoDevices devices(64);
  const Offered offered;
  EXPECT_OK(copy_to_device(offered.at(), pattern(kGranule, 1)));
  const uint64_t value = as_number(export_v1(offered.handle()));
  EXPECT_EQ(kRefused, import_it({value})) << "its own device";
  clear_errors();
  aclrtDrvMemHandle handle = nullptr;
  aclrtDrvMemHandle again = nullptr;
  ASSERT_OK(aclrtMemImportFromShareableHandle(value, 1, &handle));
  ASSERT_OK(aclrtMemImportFromShareableHandle(value, 1, &again));
  EXPECT_EQ(handle, again);
  EXPECT_NE(offered.handle(), handle);
  EXPECT_OK(aclrtFreePhysical(again));
  devices.use(1);
  const size_t before = free_bytes();
  const Reservation reservation(kGranule);
  {
    const Mapping mapping(reservation.at(), kGranule, handle);
    EXPECT_EQ(before, free_bytes());
    EXPECT_EQ(std::pair(1, 1u), place_of(reservation.at()));
    EXPECT_TRUE(holds(reservation.at(), kGranule, 1));
    // Peer access is enabled by the import: the product needs it for such a copy.
    EXPECT_OK(aclrtMemcpy(devices.buffer(1).get(), 64, reservation.at(), 64,
                          ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_EQ(pattern(kGranule, 1)[63], devices.buffer(1).read()[63]);
    EXPECT_OK(copy_to_device(reservation.at(), pattern(kGranule, 2)));
    devices.use(0);
    EXPECT_TRUE(holds(offered.at(), kGranule, 2));
  }
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_EQ(kBadValue, aclrtFreePhysical(handle));
  EXPECT_OK(copy_to_device(offered.at(), pattern(64, 3)));
  devices.use(0);
}

FERRY_PROCESS_TEST(AclrtMemImportFromShareableHandleProcess, ADeviceOfTheImporterIsItsPlace,
                   "FERRY_DEVICES=cpu:2") {
  copies::TwoDevices devices(64);
  const Offered offered(kGranule, prop_of(on_device(1)));
  const Bytes handle = export_v1(offered.handle());
  EXPECT_OK(copy_to_device(offered.at(), pattern(kGranule, 1)));
  ReadyPeer peer;
  for (const uint64_t device : {0u, 1u}) {
    EXPECT_PEER_OK(peer.send("import_v1", "h", handle, device));
    EXPECT_PEER_OK(peer.send("reserve", "a", kGranule));
    EXPECT_PEER_OK(peer.send("map", "a", 0, kGranule, "h"));
    EXPECT_EQ(device, peer.send("attributes", "a", 0).number(1));
    EXPECT_EQ(1u, peer.send("properties", "h").number(1)) << "the exporter's device";
    EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
    peer.unmap_and_free();
  }
}

// A reservation has one device: that of the import, not that of the exporter.
FERRY_PROCESS_TEST(AclrtMemImportFromShareableHandleProcess, FixesItsReservationToItsDevice,
                   "FERRY_DEVICES=cpu:2") {
  copies::TwoDevices devices(64);
  const Physical physical;
  const Bytes handle = export_v1(physical);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_v1", "h", handle, 1));
  EXPECT_PEER_OK(peer.send("allocate_physical", "own0", kGranule, 1, 0, 4));
  EXPECT_PEER_OK(peer.send("allocate_physical", "own1", kGranule, 1, 1, 4));
  EXPECT_PEER_OK(peer.send("reserve", "a", 2 * kGranule));
  EXPECT_PEER_OK(peer.send("map", "a", 0, kGranule, "h"));
  EXPECT_ANSWER(kRefused, peer.send("map", "a", kGranule, kGranule, "own0"));
  EXPECT_PEER_OK(peer.send("map", "a", kGranule, kGranule, "own1"));
  EXPECT_PEER_OK(peer.send("write", "a", kGranule - 100, 200, 8));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", kGranule - 100, 200, 8));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtMemImportFromShareableHandle_test
