// SPDX-License-Identifier: Apache-2.0
// aclrtMemSetPidToShareableHandle: which processes may import exported physical memory.
#include "support/shareable_pids.h"

namespace conformance::virtual_memory::sharing::aclrtMemSetPidToShareableHandle_test {
namespace {

using AclrtMemSetPidToShareableHandle = WithSharing;

constexpr PidForm kForm = {"aclrtMemSetPidToShareableHandle", 0};

struct Arguments {
  uint64_t handle;
  std::vector<int32_t> pids = {1};
  bool has_pids = true;
  size_t count = 1;
};

TEST_F(AclrtMemSetPidToShareableHandle, ChecksItsArgumentsInOrder) {
  const Physical listed;
  const Physical open;
  const uint64_t known = as_number(export_v1(listed, kListed));
  const uint64_t without_list = as_number(export_v1(open, kEverybody));
  const uint64_t unknown = as_number(unknown_handle(kForm));
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("allocate_physical", "h", kGranule, 1, 0, 4));
  const uint64_t foreign = as_number(peer.send("export_v1", "h", kListed).bytes);
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"pid NULL", [](Arguments& a) { a.has_pids = false; }, kBadArgument, "EH0008"},
      {"no pids", [](Arguments& a) { a.count = 0; }, kBadArgument},
      {"too many pids", [](Arguments& a) { a.count = 65536, a.pids.resize(65536, 1); }, kBadValue},
      {"unknown", [=](Arguments& a) { a.handle = unknown; }, kBadHandle},
      {"of another process", [=](Arguments& a) { a.handle = foreign; }, kRefused, "EE1017"},
      {"only zeros", [](Arguments& a) { a.pids.assign(a.pids.size(), 0); }, kRefused, "EE1017"},
      {"without a list", [=](Arguments& a) { a.handle = without_list; }, kNoPermission},
  };
  expect_checked_in_order<Arguments>(
      kForm.name, {known},
      [](const Arguments& a) {
        auto* const pids = const_cast<int32_t*>(a.pids.data());  // NOLINT: the function takes it so
        return aclrtMemSetPidToShareableHandle(a.handle, a.has_pids ? pids : nullptr, a.count);
      },
      checks);
}

TEST_F(AclrtMemSetPidToShareableHandle, DecidesWhoMayImport) {
  expect_lists_decide(kForm);
}

TEST_F(AclrtMemSetPidToShareableHandle, TakesLongLists) {
  expect_long_lists_work(kForm);
}

TEST_F(AclrtMemSetPidToShareableHandle, IsForTheExporterAlone) {
  expect_others_may_not_list(kForm);
}

TEST_F(AclrtMemSetPidToShareableHandle, TakesTheNumbersOfTheApi) {
  expect_pids_are_those_of_the_api(kForm);
}

TEST_F(AclrtMemSetPidToShareableHandle, NeedsNoContext) {
  const Physical physical;
  const Bytes handle = export_v1(physical, kListed);
  on_new_thread([&] { EXPECT_OK(list_pids(kForm, handle, {1})); });
}

TEST_F(AclrtMemSetPidToShareableHandle, DoesNotKnowAHandleWhoseMemoryIsFreed) {
  EXPECT_EQ(kBadHandle, list_pids(kForm, unknown_handle(kForm), {1}));
  clear_errors();
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtMemSetPidToShareableHandle_test
