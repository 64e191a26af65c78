// SPDX-License-Identifier: Apache-2.0
// aclrtNotifySetImportPid: which processes may import a notify.
#include "support/checks_with_context.h"
#include "support/sharing.h"
#include "support/streams.h"

namespace conformance::virtual_memory::sharing::aclrtNotifySetImportPid_test {
namespace {

using streams::Notify;

using AclrtNotifySetImportPid = WithSharing;

struct Arguments {
  aclrtNotify notify;
  bool has_pids = true;
  size_t count = 1;
  bool has_context = true;
};

aclError set_pids(const Arguments& a) {
  std::vector<int32_t> pids(64, 1);
  return aclrtNotifySetImportPid(a.notify, a.has_pids ? pids.data() : nullptr, a.count);
}

aclError list(aclrtNotify notify, std::vector<int32_t> pids) {
  return aclrtNotifySetImportPid(notify, pids.data(), pids.size());
}

TEST_F(AclrtNotifySetImportPid, ChecksItsArgumentsInOrder) {
  const Notify notify;
  notify_key(notify, 0);
  const Notify without_list;
  notify_key(without_list, 2);
  const Notify not_exported;
  Notify destroyed;
  const aclrtNotify dead = destroyed.release();
  ASSERT_OK(aclrtDestroyNotify(dead));
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"notify NULL", [](Arguments& a) { a.notify = nullptr; }, kBadArgument, "EH0008"},
      {"pid NULL", [](Arguments& a) { a.has_pids = false; }, kBadArgument, "EH0008"},
      {"dead", [=](Arguments& a) { a.notify = dead; }, kBadHandle, "EE1017"},
      {"num 0", [](Arguments& a) { a.count = 0; }, kBadValue},
      {"num negative", [](Arguments& a) { a.count = 0x80000000; }, kBadValue},
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
      {"not exported", [&](Arguments& a) { a.notify = not_exported; }, kBadValue},
      {"without a list", [&](Arguments& a) { a.notify = without_list; }, kNoPermission},
  };
  expect_checked_with_context<Arguments>("aclrtNotifySetImportPid", {notify}, set_pids, checks);
}

TEST_F(AclrtNotifySetImportPid, DecidesWhoMayImport) {
  const Notify notify;
  const Bytes key = notify_key(notify, 0);
  ReadyPeer listed;
  ReadyPeer other;
  EXPECT_ANSWER(kRefused, listed.send("import_notify", "n", key, 0)) << "the list is empty";
  EXPECT_OK(list(notify, {listed.pid()}));
  EXPECT_PEER_OK(listed.send("import_notify", "n", key, 0));
  EXPECT_ANSWER(kRefused, other.send("import_notify", "n", key, 0));
  EXPECT_OK(list(notify, {other.pid(), listed.pid()}));
  EXPECT_PEER_OK(other.send("import_notify", "n", key, 0));
}

TEST_F(AclrtNotifySetImportPid, IsForTheCreatorAlone) {
  const Notify notify;
  const Bytes key = notify_key(notify, 0);
  ReadyPeer peer;
  EXPECT_OK(list(notify, {peer.pid()}));
  ASSERT_PEER_OK(peer.send("import_notify", "n", key, 0));
  EXPECT_NE(ACL_SUCCESS, peer.send("set_notify_pid", "n", 1).code);
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtNotifySetImportPid_test
