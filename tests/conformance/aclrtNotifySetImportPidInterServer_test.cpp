// SPDX-License-Identifier: Apache-2.0
// aclrtNotifySetImportPidInterServer: processes of several servers that may import a notify, on A3
// products only. There is one server: processes of others are refused.
#include "support/argument_checks.h"
#include "support/server_pids.h"
#include "support/streams.h"

namespace conformance::virtual_memory::sharing::aclrtNotifySetImportPidInterServer_test {
namespace {

using streams::Notify;

struct Arguments {
  aclrtNotify notify;
  std::vector<aclrtServerPid> entries;  // none: NULL
  size_t count = 1;
};

aclError set_pids(const Arguments& a) {
  std::vector<aclrtServerPid> entries = a.entries;
  return aclrtNotifySetImportPidInterServer(a.notify, entries.empty() ? nullptr : entries.data(),
                                            a.count);
}

std::vector<ArgumentCheck<Arguments>> first_checks() {
  const auto entry = [](Arguments& a, const auto& change) {
    if (!a.entries.empty()) change(a.entries[0]);
  };
  return {
      {"notify NULL", [](Arguments& a) { a.notify = nullptr; }, kBadValue},
      {"serverPids NULL", [](Arguments& a) { a.entries.clear(); }, kBadValue},
      {"num 0", [](Arguments& a) { a.count = 0; }, kBadValue},
      {"pid NULL", [=](Arguments& a) { entry(a, [](aclrtServerPid& e) { e.pid = nullptr; }); },
       kBadValue},
      {"no pid", [=](Arguments& a) { entry(a, [](aclrtServerPid& e) { e.num = 0; }); }, kBadValue},
      {"two pids", [=](Arguments& a) { entry(a, [](aclrtServerPid& e) { e.num = 2; }); },
       kBadValue}};
}

FERRY_PROCESS_TEST(AclrtNotifySetImportPidInterServerProcess, ChecksItsArgumentsInOrder,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  const Notify notify;
  notify_key(notify, 0);
  OnServer own(getpid());
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back(
      {"another server", [](Arguments& a) { a.entries[0].sdid = kForeignSdid; }, kNotSupported});
  expect_checked_in_order<Arguments>("aclrtNotifySetImportPidInterServer", {notify, {own.entry}},
                                     set_pids, checks);
  const Notify without_list;
  notify_key(without_list, 2);
  EXPECT_EQ(kNoPermission, set_pids({without_list, {own.entry}}));
}

FERRY_PROCESS_TEST(AclrtNotifySetImportPidInterServerProcess, IsNotSupportedOnA2,
                   "FERRY_SOC=Ascend910B1") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  const Notify notify;
  notify_key(notify, 0);
  OnServer own(getpid());
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back({"product", [](Arguments&) {}, kNotSupported});
  expect_checked_in_order<Arguments>("aclrtNotifySetImportPidInterServer", {notify, {own.entry}},
                                     set_pids, checks);
}

FERRY_PROCESS_TEST(AclrtNotifySetImportPidInterServerProcess, ListsProcessesOfThisServer,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  NEEDS_A_PEER();
  const Notify notify;
  const Bytes key = notify_key(notify, 0);
  ReadyPeer first;
  ReadyPeer second;
  ReadyPeer other;
  OnServer one(first.pid());
  OnServer two(second.pid());
  EXPECT_OK(set_pids({notify, {one.entry, two.entry}, 2}));
  EXPECT_PEER_OK(first.send("import_notify", "n", key, 0));
  EXPECT_PEER_OK(second.send("import_notify", "n", key, 0));
  OnServer foreign(other.pid(), kForeignSdid);
  EXPECT_EQ(kNotSupported, set_pids({notify, {foreign.entry}}));
  EXPECT_ANSWER(kRefused, other.send("import_notify", "n", key, 0));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtNotifySetImportPidInterServer_test
