// SPDX-License-Identifier: Apache-2.0
// aclrtMemExportToShareableHandleV2: physical memory for other processes, as a number or as the 128
// bytes of a FABRIC handle.
#include "support/checks_with_context.h"
#include "support/sharing.h"

namespace conformance::virtual_memory::sharing::aclrtMemExportToShareableHandleV2_test {
namespace {

using AclrtMemExportToShareableHandleV2 = WithSharing;

struct Arguments {
  aclrtDrvMemHandle handle;
  uint64_t flags = 0;
  int type = kFabricType;
  bool has_output = true;
  bool has_context = true;
};

aclError export_it(const Arguments& a) {
  Bytes bytes(kFabricSize, 7);
  const aclError code = aclrtMemExportToShareableHandleV2(
      a.handle, a.flags, static_cast<aclrtMemSharedHandleType>(a.type),
      a.has_output ? bytes.data() : nullptr);
  EXPECT_EQ(Bytes(kFabricSize, 7), bytes);
  return code;
}

TEST_F(AclrtMemExportToShareableHandleV2, ChecksItsArgumentsInOrder) {
  const Physical physical;
  const Physical exported;
  export_v2(exported);
  const aclrtDrvMemHandle dead = dead_handle();
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"handle NULL", [](Arguments& a) { a.handle = nullptr; }, kBadArgument, "EH0008"},
      {"output NULL", [](Arguments& a) { a.has_output = false; }, kBadArgument, "EH0008"},
      {"shareType", [](Arguments& a) { a.type = 3; }, kBadValue},
      {"flags", [](Arguments& a) { a.flags = 2; }, kBadValue},
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
      {"dead", [=](Arguments& a) { a.handle = dead; }, kBadValue},
      {"exported before", [&](Arguments& a) { a.handle = exported; }, kRefused, "EE1017"},
  };
  expect_checked_with_context<Arguments>("aclrtMemExportToShareableHandleV2", {physical}, export_it,
                                         checks);
}

TEST_F(AclrtMemExportToShareableHandleV2, RefusesTypesAndFlagsItDoesNotKnow) {
  const Physical physical;
  for (const int type : {0, 3, -1, 0x7fffffff})
    EXPECT_EQ(kBadValue, export_it({.handle = physical, .type = type})) << type;
  for (const uint64_t flags : {uint64_t{2}, UINT64_MAX})
    EXPECT_EQ(kBadValue, export_it({.handle = physical, .flags = flags})) << flags;
  clear_errors();
}

TEST_F(AclrtMemExportToShareableHandleV2, NeedsAContextForFabricOnly) {
  const Physical physical;
  on_new_thread([&] { export_v2(physical, kDefaultType); });
}

// 8 bytes for a number: those behind them are not touched.
TEST_F(AclrtMemExportToShareableHandleV2, WritesANumberOrAllOf128Bytes) {
  const Physical first;
  const Physical second;
  Bytes bytes(kFabricSize + 1, 0x5a);
  EXPECT_OK(aclrtMemExportToShareableHandleV2(first, kEverybody, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT,
                                              bytes.data()));
  EXPECT_EQ(Bytes(bytes.size() - 8, 0x5a), Bytes(bytes.begin() + 8, bytes.end()));
  // Whatever was in the buffer: unused bytes are 0, so a FABRIC handle of the same process has 0 in
  // the same places.
  Bytes other(kFabricSize + 1, 0xa5);
  const Physical third;
  EXPECT_OK(aclrtMemExportToShareableHandleV2(second, kEverybody, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC,
                                              bytes.data()));
  EXPECT_OK(aclrtMemExportToShareableHandleV2(third, kEverybody, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC,
                                              other.data()));
  EXPECT_EQ(0x5a, bytes.back());
  EXPECT_EQ(0xa5, other.back());
  EXPECT_NE(Bytes(bytes.begin(), bytes.begin() + kFabricSize),
            Bytes(other.begin(), other.begin() + kFabricSize));
  for (size_t i = 0; i < kFabricSize; ++i) {
    EXPECT_FALSE(bytes[i] == 0x5a && other[i] == 0xa5) << "byte " << i << " was not written";
  }
}

TEST_F(AclrtMemExportToShareableHandleV2, BothTypesAreImportedByAnotherProcess) {
  ReadyPeer peer;
  for (const aclrtMemLocation where : {on_device(), on_host()}) {
    for (const int type : {kDefaultType, kFabricType}) {
      const Offered offered(3 * kGranule, prop_of(where));
      EXPECT_OK(copy_to_device(offered.at(), pattern(3 * kGranule, 5)));
      const Bytes handle = export_v2(offered.handle(), type);
      EXPECT_PEER_OK(peer.send("import_v2", "h", handle, type));
      EXPECT_PEER_OK(peer.send("reserve", "a", 3 * kGranule));
      EXPECT_PEER_OK(peer.send("map", "a", 0, 3 * kGranule, "h"));
      EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 3 * kGranule, 5));
      peer.unmap_and_free();
    }
  }
}

// The products differ in hardware, not here.
FERRY_PROCESS_TEST(AclrtMemExportToShareableHandleV2Process, FabricWorksOnA2,
                   "FERRY_SOC=Ascend910B1") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  NEEDS_A_PEER();
  const Offered offered;
  EXPECT_OK(copy_to_device(offered.at(), pattern(4096, 6)));
  ReadyPeer peer;
  peer.import_and_map(export_v2(offered.handle()));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 4096, 6));
}

FERRY_PROCESS_TEST(AclrtMemExportToShareableHandleV2Process, FabricWorksOnA3,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  NEEDS_A_PEER();
  const Offered offered;
  EXPECT_OK(copy_to_device(offered.at(), pattern(4096, 6)));
  ReadyPeer peer;
  peer.import_and_map(export_v2(offered.handle()));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 4096, 6));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtMemExportToShareableHandleV2_test
