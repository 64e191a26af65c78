// SPDX-License-Identifier: Apache-2.0
// aclrtMemSetPidToShareableHandleV2: the same for handles of both types.
#include "support/shareable_pids.h"

namespace conformance::virtual_memory::sharing::aclrtMemSetPidToShareableHandleV2_test {
namespace {

using AclrtMemSetPidToShareableHandleV2 = WithSharing;

constexpr const char* kName = "aclrtMemSetPidToShareableHandleV2";
constexpr PidForm kForms[] = {{kName, kDefaultType}, {kName, kFabricType}};

struct Arguments {
  Bytes handle;
  int type = kFabricType;
  std::vector<int32_t> pids = {1};
  bool has_pids = true;
  size_t count = 1;
};

aclError set_pids(const Arguments& arguments) {
  Arguments a = arguments;
  const bool has_handle = !a.handle.empty();
  a.handle.resize(kFabricSize);
  void* const handle = has_handle ? a.handle.data() : nullptr;
  return aclrtMemSetPidToShareableHandleV2(handle, static_cast<aclrtMemSharedHandleType>(a.type),
                                           a.has_pids ? a.pids.data() : nullptr, a.count);
}

TEST_F(AclrtMemSetPidToShareableHandleV2, ChecksItsArgumentsInOrder) {
  for (const PidForm& form : kForms) {
    SCOPED_TRACE(form.type);
    const Physical listed;
    const Physical open;
    const Bytes known = export_for(form, listed);
    const Bytes without_list = export_for(form, open, kEverybody);
    const Bytes unknown = unknown_handle(form);
    ReadyPeer peer;
    ASSERT_PEER_OK(peer.send("allocate_physical", "h", kGranule, 1, 0, 4));
    const Bytes foreign = peer.send("export_v2", "h", kListed, form.type).bytes;
    const std::vector<ArgumentCheck<Arguments>> checks = {
        {"handle NULL", [](Arguments& a) { a.handle.clear(); }, kBadArgument, "EH0008"},
        {"pid NULL", [](Arguments& a) { a.has_pids = false; }, kBadArgument, "EH0008"},
        {"no pids", [](Arguments& a) { a.count = 0; }, kBadArgument},
        {"shareType", [](Arguments& a) { a.type = 3; }, kBadValue},
        {"too many pids", [](Arguments& a) { a.count = 65536, a.pids.resize(65536, 1); },
         kBadValue},
        {"unknown", [=](Arguments& a) { a.handle = unknown; }, kBadHandle},
        {"of another process", [=](Arguments& a) { a.handle = foreign; }, kRefused, "EE1017"},
        {"only zeros", [](Arguments& a) { a.pids.assign(a.pids.size(), 0); }, kRefused, "EE1017"},
        {"without a list", [=](Arguments& a) { a.handle = without_list; }, kNoPermission},
    };
    expect_checked_in_order<Arguments>(kName, {known, form.type}, set_pids, checks);
  }
}

TEST_F(AclrtMemSetPidToShareableHandleV2, DecidesWhoMayImport) {
  for (const PidForm& form : kForms)
    expect_lists_decide(form);
}

TEST_F(AclrtMemSetPidToShareableHandleV2, TakesLongLists) {
  for (const PidForm& form : kForms)
    expect_long_lists_work(form);
}

TEST_F(AclrtMemSetPidToShareableHandleV2, IsForTheExporterAlone) {
  for (const PidForm& form : kForms)
    expect_others_may_not_list(form);
}

// A number of the first version is a handle of type DEFAULT, and the other way round.
TEST_F(AclrtMemSetPidToShareableHandleV2, KnowsNumbersOfTheFirstVersion) {
  const Physical first;
  const Physical second;
  const Bytes of_v1 = export_v1(first, kListed);
  const Bytes of_v2 = export_v2(second, kDefaultType, kListed);
  ReadyPeer peer;
  EXPECT_OK(list_pids({kName, kDefaultType}, of_v1, {peer.pid()}));
  EXPECT_OK(list_pids({kName, 0}, of_v2, {peer.pid()}));
  EXPECT_PEER_OK(peer.send("import_v2", "first", of_v1, kDefaultType));
  EXPECT_PEER_OK(peer.send("import_v1", "second", of_v2, 0));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtMemSetPidToShareableHandleV2_test
