// SPDX-License-Identifier: Apache-2.0
// aclrtMemExportToShareableHandle: a number with which other processes find physical memory.
#include "support/argument_checks.h"
#include "support/sharing.h"

#include <set>

namespace conformance::virtual_memory::sharing::aclrtMemExportToShareableHandle_test {
namespace {

using AclrtMemExportToShareableHandle = WithSharing;

struct Arguments {
  aclrtDrvMemHandle handle;
  aclrtMemHandleType type = ACL_MEM_HANDLE_TYPE_NONE;
  uint64_t flags = 0;
  bool has_output = true;
};

aclError export_it(const Arguments& a) {
  uint64_t value = 77;
  const aclError code =
      aclrtMemExportToShareableHandle(a.handle, a.type, a.flags, a.has_output ? &value : nullptr);
  EXPECT_EQ(77u, value);
  return code;
}

TEST_F(AclrtMemExportToShareableHandle, ChecksItsArgumentsInOrder) {
  const Physical physical;
  const Physical exported;
  export_v1(exported);
  const aclrtDrvMemHandle dead = dead_handle();
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"handle NULL", [](Arguments& a) { a.handle = nullptr; }, kBadArgument, "EH0008"},
      {"handleType", [](Arguments& a) { a.type = ACL_MEM_HANDLE_TYPE_POSIX; }, kBadArgument},
      {"output NULL", [](Arguments& a) { a.has_output = false; }, kBadArgument, "EH0008"},
      {"flags", [](Arguments& a) { a.flags = 2; }, kBadValue},
      {"dead", [=](Arguments& a) { a.handle = dead; }, kBadValue},
      {"exported before", [&](Arguments& a) { a.handle = exported; }, kRefused, "EE1017"},
  };
  expect_checked_in_order<Arguments>("aclrtMemExportToShareableHandle", {physical}, export_it,
                                     checks);
}

TEST_F(AclrtMemExportToShareableHandle, RefusesFlagsItDoesNotKnow) {
  const Physical physical;
  for (const uint64_t flags : {uint64_t{2}, uint64_t{3}, uint64_t{1} << 32, UINT64_MAX})
    EXPECT_EQ(kBadValue, export_it({.handle = physical, .flags = flags})) << flags;
  clear_errors();
}

TEST_F(AclrtMemExportToShareableHandle, ExportsAHandleOnce) {
  for (const bool first_is_v1 : {true, false}) {
    const Physical physical;
    first_is_v1 ? export_v1(physical) : export_v2(physical, kDefaultType);
    EXPECT_EQ(kRefused, export_it({physical}));
    Bytes bytes(kFabricSize);
    for (const int type : {kDefaultType, kFabricType}) {
      EXPECT_FAILS(kRefused, "EE1017",
                   aclrtMemExportToShareableHandleV2(
                       physical, 0, static_cast<aclrtMemSharedHandleType>(type), bytes.data()));
    }
  }
}

TEST_F(AclrtMemExportToShareableHandle, TakesDeviceAndHostMemoryMappedOrNot) {
  ReadyPeer peer;
  for (const aclrtMemLocation where : {on_device(), on_host(), location(4, 0)}) {
    for (const bool is_mapped : {false, true}) {
      SCOPED_TRACE(std::to_string(where.type) + (is_mapped ? " mapped" : " not mapped"));
      const Physical physical(kGranule, prop_of(where));
      const Reservation reservation(kGranule);
      Bytes handle;
      if (!is_mapped) handle = export_v1(physical);
      const Mapping mapping(reservation.at(), kGranule, physical);
      EXPECT_OK(copy_to_device(reservation.at(), pattern(kGranule, 4)));
      if (is_mapped) handle = export_v1(physical);
      EXPECT_TRUE(holds(reservation.at(), kGranule, 4)) << "the export changed the bytes";
      peer.import_and_map(handle);
      EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 4));
      peer.unmap_and_free();
    }
  }
}

TEST_F(AclrtMemExportToShareableHandle, NeedsNoContext) {
  const Physical physical;
  on_new_thread([&] { export_v1(physical); });
}

TEST_F(AclrtMemExportToShareableHandle, GivesEveryHandleItsOwnNumber) {
  std::set<uint64_t> numbers;
  std::vector<Physical> handles;
  for (int i = 0; i < 20; ++i) {
    handles.emplace_back();
    numbers.insert(as_number(export_v1(handles.back())));
  }
  EXPECT_EQ(20u, numbers.size());
}

// The export holds nothing: the memory returns with the handle.
TEST_F(AclrtMemExportToShareableHandle, HoldsNoReference) {
  const size_t before = free_bytes();
  Bytes handle;
  {
    const Physical physical;
    handle = export_v1(physical);
    EXPECT_EQ(before - kGranule, free_bytes());
  }
  EXPECT_EQ(before, free_bytes());
  ReadyPeer peer;
  EXPECT_ANSWER(kBadHandle, peer.send("import_v1", "h", handle, 0));
}

TEST_F(AclrtMemExportToShareableHandle, DoesNotTakeMemoryOfAnotherProcess) {
  const Physical physical;
  const Bytes handle = export_v1(physical);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_v1", "h", handle, 0));
  EXPECT_ANSWER(kRefused, peer.send("export_v1", "h", 1));
  EXPECT_ANSWER(kRefused, peer.send("export_v2", "h", 1, kFabricType));
  EXPECT_PEER_OK(peer.send("free_physical", "h"));
}

// Many exports in one process, each found by its number alone.
TEST_F(AclrtMemExportToShareableHandle, NumbersAreToldApart) {
  std::vector<std::unique_ptr<Offered>> offered;
  std::vector<Bytes> handles;
  for (uint8_t i = 0; i < 8; ++i) {
    offered.push_back(std::make_unique<Offered>());
    EXPECT_OK(copy_to_device(offered.back()->at(), pattern(64, i)));
    handles.push_back(i % 2 == 0 ? export_v1(offered.back()->handle())
                                 : export_v2(offered.back()->handle(), kDefaultType));
  }
  ReadyPeer peer;
  for (size_t i = handles.size(); i-- > 0;) {
    peer.import_and_map(handles[i]);
    EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, 64, i));
    peer.unmap_and_free();
  }
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtMemExportToShareableHandle_test
