// SPDX-License-Identifier: Apache-2.0
// aclrtMemImportFromShareableHandleV2: physical memory of another process, by a number or by the
// bytes of a FABRIC handle, for the current device.
#include "support/checks_with_context.h"
#include "support/copies.h"
#include "support/sharing.h"

#include <set>

namespace conformance::virtual_memory::sharing::aclrtMemImportFromShareableHandleV2_test {
namespace {

using AclrtMemImportFromShareableHandleV2 = WithSharing;

struct Arguments {
  Bytes bytes;  // none: NULL
  int type = kFabricType;
  uint64_t flags = 0;
  bool has_handle = true;
  bool has_context = true;
};

aclError import_it(const Arguments& arguments) {
  Arguments a = arguments;
  const bool has_bytes = !a.bytes.empty();
  a.bytes.resize(kFabricSize);
  aclrtDrvMemHandle handle = untouched();
  const aclError code = aclrtMemImportFromShareableHandleV2(
      has_bytes ? a.bytes.data() : nullptr, static_cast<aclrtMemSharedHandleType>(a.type), a.flags,
      a.has_handle ? &handle : nullptr);
  EXPECT_EQ(untouched(), handle);
  return code;
}

TEST_F(AclrtMemImportFromShareableHandleV2, ChecksItsArgumentsInOrder) {
  ReadyPeer peer;
  for (const int type : {kFabricType, kDefaultType}) {
    SCOPED_TRACE(type);
    ASSERT_PEER_OK(peer.send("allocate_physical", "h", kGranule, 1, 0, 4));
    const Bytes value = peer.send("export_v2", "h", kEverybody, type).bytes;
    ASSERT_PEER_OK(peer.send("allocate_physical", "g", kGranule, 1, 0, 4));
    const Bytes not_for_us = peer.send("export_v2", "g", kListed, type).bytes;
    const Physical own;
    const Bytes own_value = export_v2(own, type);
    Bytes unknown;
    {
      const Physical freed;
      unknown = export_v2(freed, type);
    }
    const std::vector<ArgumentCheck<Arguments>> checks = {
        {"bytes NULL", [](Arguments& a) { a.bytes.clear(); }, kBadArgument, "EH0008"},
        {"handle NULL", [](Arguments& a) { a.has_handle = false; }, kBadArgument, "EH0008"},
        {"flags", [](Arguments& a) { a.flags = 1; }, kBadArgument},
        {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
        {"shareType", [](Arguments& a) { a.type = 3; }, kBadValue},
        {"unknown", [=](Arguments& a) { a.bytes = unknown; }, kBadHandle},
        {"not listed", [=](Arguments& a) { a.bytes = not_for_us; }, kRefused, "EE1017"},
        {"own", [=](Arguments& a) { a.bytes = own_value; }, kRefused, "EE1017"},
    };
    expect_checked_with_context<Arguments>("aclrtMemImportFromShareableHandleV2", {value, type},
                                           import_it, checks);
  }
}

// Bytes that are no FABRIC handle.
TEST_F(AclrtMemImportFromShareableHandleV2, TellsFabricHandlesFromOtherBytes) {
  const Physical physical;
  Bytes number = export_v2(physical, kDefaultType);
  number.resize(kFabricSize);
  EXPECT_EQ(kBadValue, import_it({number}));
  EXPECT_EQ(kBadValue, import_it({Bytes(kFabricSize, 0)}));
  EXPECT_EQ(kBadValue, import_it({Bytes(kFabricSize, 0xff)}));
  EXPECT_EQ(kBadValue, import_it({pattern(kFabricSize, 9)}));
  // As a number the front of a FABRIC handle is unknown.
  const Physical other;
  EXPECT_EQ(kBadHandle, import_it({export_v2(other), kDefaultType}));
  clear_errors();
}

// Whatever byte is wrong, the import fails with one of its codes. A byte that is 0 may be unused.
TEST_F(AclrtMemImportFromShareableHandleV2, SurvivesEveryWrongByte) {
  const Physical physical;
  const Bytes handle = export_v2(physical);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_v2", "h", handle, kFabricType));
  ASSERT_PEER_OK(peer.send("free_physical", "h"));
  std::set<aclError> codes;
  for (size_t i = 0; i < handle.size(); ++i) {
    for (const int bits : {0x01, 0x80, 0xff}) {
      const Bytes wrong = turned_over(handle, i, bits);
      const Answer answer = peer.send("import_v2", "w", wrong, kFabricType);
      codes.insert(answer.code);
      const bool is_refused =
          answer.code == kBadValue || answer.code == kBadHandle || answer.code == kNotSupported;
      EXPECT_TRUE(is_refused || (answer.code == ACL_SUCCESS && handle[i] == 0))
          << "byte " << i << ": " << answer.code << " " << answer.text;
      if (answer.code == ACL_SUCCESS) {
        EXPECT_PEER_OK(peer.send("free_physical", "w"));
      }
    }
  }
  EXPECT_TRUE(codes.contains(kBadValue)) << "its type";
  EXPECT_TRUE(codes.contains(kNotSupported)) << "the identity of the host";
  EXPECT_PEER_OK(peer.send("import_v2", "h", handle, kFabricType));
}

TEST_F(AclrtMemImportFromShareableHandleV2, CountsRepeatedImportsOfBothVersions) {
  const Physical physical;
  const Bytes handle = export_v2(physical, kDefaultType);
  ReadyPeer peer;
  const Answer first = peer.send("import_v2", "h", handle, kDefaultType);
  const Answer second = peer.send("import_v1", "h", handle, 0);
  ASSERT_PEER_OK(first);
  ASSERT_PEER_OK(second);
  EXPECT_EQ(first.number(), second.number());
  EXPECT_PEER_OK(peer.send("free_physical", "h"));
  EXPECT_PEER_OK(peer.send("free_physical", "h"));
  EXPECT_ANSWER(kBadValue, peer.send("free_physical", "h"));
}

TEST_F(AclrtMemImportFromShareableHandleV2, SharesOnePhysicalMemory) {
  for (const int type : {kDefaultType, kFabricType}) {
    const Offered offered;
    EXPECT_OK(copy_to_device(offered.at(), pattern(kGranule, 1)));
    const Bytes handle = export_v2(offered.handle(), type);
    ReadyPeer peer;
    EXPECT_PEER_OK(peer.send("import_v2", "h", handle, type));
    EXPECT_PEER_OK(peer.send("reserve", "a", kGranule));
    EXPECT_PEER_OK(peer.send("map", "a", 0, kGranule, "h"));
    EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
    EXPECT_PEER_OK(peer.send("write", "a", 0, kGranule, 2));
    EXPECT_TRUE(holds(offered.at(), kGranule, 2));
  }
}

// A process that only received the bytes, whoever started it and when.
TEST_F(AclrtMemImportFromShareableHandleV2, WorksBetweenTwoOtherProcesses) {
  ReadyPeer first;
  ReadyPeer second;
  ASSERT_PEER_OK(first.send("allocate_physical", "h", kGranule, 1, 0, 4));
  ASSERT_PEER_OK(first.send("reserve", "a", kGranule));
  ASSERT_PEER_OK(first.send("map", "a", 0, kGranule, "h"));
  ASSERT_PEER_OK(first.send("write", "a", 0, kGranule, 3));
  const Bytes handle = first.send("export_v2", "h", kEverybody, kFabricType).bytes;
  second.import_and_map(handle);
  EXPECT_PEER_HOLDS(second.send("holds", "a", 0, kGranule, 3));
  // This process imports it as well.
  Bytes bytes = handle;
  aclrtDrvMemHandle imported = nullptr;
  ASSERT_OK(aclrtMemImportFromShareableHandleV2(bytes.data(), ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0,
                                                &imported));
  {
    const Reservation reservation(kGranule);
    const Mapping mapping(reservation.at(), kGranule, imported);
    EXPECT_TRUE(holds(reservation.at(), kGranule, 3));
    EXPECT_OK(copy_to_device(reservation.at(), pattern(kGranule, 4)));
    EXPECT_PEER_HOLDS(first.send("holds", "a", 0, kGranule, 4));
    EXPECT_PEER_HOLDS(second.send("holds", "a", 0, kGranule, 4));
  }
  EXPECT_OK(aclrtFreePhysical(imported));
}

FERRY_PROCESS_TEST(AclrtMemImportFromShareableHandleV2Process, ImportsForTheCurrentDevice,
                   "FERRY_DEVICES=cpu:2") {
  copies::TwoDevices devices(64);
  const Offered offered;
  EXPECT_OK(copy_to_device(offered.at(), pattern(kGranule, 1)));
  Bytes handle = export_v2(offered.handle());
  EXPECT_EQ(kRefused, import_it({handle})) << "its own device";
  devices.use(1);
  aclrtDrvMemHandle imported = nullptr;
  ASSERT_OK(aclrtMemImportFromShareableHandleV2(handle.data(), ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0,
                                                &imported));
  {
    const Reservation reservation(kGranule);
    const Mapping mapping(reservation.at(), kGranule, imported);
    EXPECT_EQ(std::pair(1, 1u), place_of(reservation.at()));
    EXPECT_TRUE(holds(reservation.at(), kGranule, 1));
  }
  EXPECT_OK(aclrtFreePhysical(imported));
  devices.use(0);
}

// 65 imports of one handle, and 65 handles: nothing is left when all are given back.
TEST_F(AclrtMemImportFromShareableHandleV2, LeavesNothingBehind) {
  const size_t before = free_bytes();
  ReadyPeer peer;
  for (int round = 0; round < 65; ++round) {
    const Offered offered;
    const Bytes handle = export_v2(offered.handle());
    peer.import_and_map(handle);
    EXPECT_PEER_OK(peer.send("write", "a", 0, 64, round));
    EXPECT_TRUE(holds(offered.at(), 64, static_cast<uint8_t>(round)));
    peer.unmap_and_free();
  }
  EXPECT_TRUE(comes_to_have_free(before));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtMemImportFromShareableHandleV2_test
