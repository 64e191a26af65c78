// SPDX-License-Identifier: Apache-2.0
// aclrtNotifyGetExportKey: a text with which other processes find a notify.
#include "support/argument_checks.h"
#include "support/sharing.h"
#include "support/streams.h"

namespace conformance::virtual_memory::sharing::aclrtNotifyGetExportKey_test {
namespace {

using streams::Notify;

using AclrtNotifyGetExportKey = WithSharing;

struct Arguments {
  aclrtNotify notify;
  bool has_key = true;
  size_t length = kKeySize;
  uint64_t flags = 0;
};

aclError export_it(const Arguments& a) {
  char key[kKeySize] = {};
  const aclError code =
      aclrtNotifyGetExportKey(a.notify, a.has_key ? key : nullptr, a.length, a.flags);
  EXPECT_STREQ("", key);
  return code;
}

aclrtNotify dead_notify() {
  Notify notify;
  const aclrtNotify handle = notify.release();
  EXPECT_OK(aclrtDestroyNotify(handle));
  return handle;
}

TEST_F(AclrtNotifyGetExportKey, ChecksItsArgumentsInOrder) {
  const Notify notify;
  const Notify exported;
  notify_key(exported);
  const aclrtNotify dead = dead_notify();
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"notify NULL", [](Arguments& a) { a.notify = nullptr; }, kBadArgument, "EH0008"},
      {"key NULL", [](Arguments& a) { a.has_key = false; }, kBadArgument, "EH0008"},
      {"dead", [=](Arguments& a) { a.notify = dead; }, kBadHandle, "EE1017"},
      {"len 0", [](Arguments& a) { a.length = 0; }, kBadValue},
      {"flags", [](Arguments& a) { a.flags = 1; }, kBadValue},
      {"exported before", [&](Arguments& a) { a.notify = exported; }, kInternal},
      {"len 64", [](Arguments& a) { a.length = 64; }, kBadValue},
  };
  expect_checked_in_order<Arguments>("aclrtNotifyGetExportKey", {notify}, export_it, checks);
}

TEST_F(AclrtNotifyGetExportKey, RefusesFlagsItDoesNotKnow) {
  const Notify notify;
  for (const uint64_t flags : {uint64_t{1}, uint64_t{3}, uint64_t{4}, UINT64_MAX})
    EXPECT_EQ(kBadValue, export_it({.notify = notify, .flags = flags})) << flags;
  clear_errors();
  notify_key(notify, 0);
}

TEST_F(AclrtNotifyGetExportKey, WritesATextOfAtMost65Bytes) {
  const Notify notify;
  char key[100];
  std::memset(key, 0x5a, sizeof key);
  EXPECT_OK(aclrtNotifyGetExportKey(notify, key, sizeof key, 0));
  const size_t length = strnlen(key, kKeySize);
  EXPECT_LT(length, kKeySize);
  EXPECT_GT(length, 0u);
  for (size_t i = kKeySize; i < sizeof key; ++i)
    EXPECT_EQ(0x5a, key[i]) << i;
}

TEST_F(AclrtNotifyGetExportKey, DoesNotTakeAnImportedNotify) {
  const Notify notify;
  const Bytes key = notify_key(notify);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_notify", "n", key, 0));
  EXPECT_ANSWER(kInternal, peer.send("notify_key", "n", 0));
}

// The notify works as before in its own process.
TEST_F(AclrtNotifyGetExportKey, LeavesTheNotifyAsItIs) {
  const streams::Stream stream;
  const Notify notify;
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  notify_key(notify);
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtNotifyGetExportKey_test
