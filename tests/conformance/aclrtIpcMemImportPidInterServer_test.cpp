// SPDX-License-Identifier: Apache-2.0
// aclrtIpcMemImportPidInterServer: processes of several servers that may import a key, on A3
// products only. There is one server: processes of others are refused.
#include "support/checks_with_context.h"
#include "support/server_pids.h"

namespace conformance::virtual_memory::sharing::aclrtIpcMemImportPidInterServer_test {
namespace {

struct Arguments {
  Bytes key;
  std::vector<aclrtServerPid> entries;  // none: NULL
  size_t count = 1;
  bool has_context = true;
};

aclError set_pids(const Arguments& a) {
  std::vector<aclrtServerPid> entries = a.entries;
  return aclrtIpcMemImportPidInterServer(a.key.empty() ? nullptr : text_of(a.key),
                                         entries.empty() ? nullptr : entries.data(), a.count);
}

std::vector<ArgumentCheck<Arguments>> first_checks() {
  return {{"key NULL", [](Arguments& a) { a.key.clear(); }, kBadValue},
          {"serverPids NULL", [](Arguments& a) { a.entries.clear(); }, kBadValue},
          {"num 0", [](Arguments& a) { a.count = 0; }, kBadValue},
          {"pid NULL",
           [](Arguments& a) {
             if (!a.entries.empty()) a.entries[0].pid = nullptr;
           },
           kBadValue}};
}

FERRY_PROCESS_TEST(AclrtIpcMemImportPidInterServerProcess, ChecksItsArgumentsInOrder,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule, kListed);
  const Bytes without_list = export_key(device.get(), kGranule, kEverybody);
  OnServer own(getpid());
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back(
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"});
  checks.push_back(
      {"another server", [](Arguments& a) { a.entries[0].sdid = kForeignSdid; }, kNotSupported});
  expect_checked_with_context<Arguments>("aclrtIpcMemImportPidInterServer", {key, {own.entry}},
                                         set_pids, checks);
  EXPECT_EQ(kNoPermission, set_pids({without_list, {own.entry}}));
}

FERRY_PROCESS_TEST(AclrtIpcMemImportPidInterServerProcess, IsNotSupportedOnA2,
                   "FERRY_SOC=Ascend910B1") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule, kListed);
  OnServer own(getpid());
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back({"product", [](Arguments&) {}, kNotSupported});
  expect_checked_with_context<Arguments>("aclrtIpcMemImportPidInterServer", {key, {own.entry}},
                                         set_pids, checks);
}

FERRY_PROCESS_TEST(AclrtIpcMemImportPidInterServerProcess, ListsProcessesOfThisServer,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  NEEDS_A_PEER();
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule, kListed);
  ReadyPeer first;
  ReadyPeer second;
  ReadyPeer third;
  OnServer foreign(third.pid(), kForeignSdid);
  EXPECT_EQ(kNotSupported, set_pids({key, {foreign.entry}}));
  int32_t several[] = {first.pid(), second.pid()};
  const aclrtServerPid entry = {own_sdid(), several, 2};
  EXPECT_OK(set_pids({key, {entry}}));
  EXPECT_PEER_OK(first.send("import_key", "a", key, 0));
  EXPECT_PEER_OK(second.send("import_key", "a", key, 0));
  EXPECT_ANSWER(kRefused, third.send("import_key", "a", key, 0));
  // One entry of another server: none of them counts.
  OnServer own(third.pid());
  EXPECT_EQ(kNotSupported, set_pids({key, {own.entry, foreign.entry}, 2}));
  EXPECT_ANSWER(kRefused, third.send("import_key", "a", key, 0));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtIpcMemImportPidInterServer_test
