// SPDX-License-Identifier: Apache-2.0
// aclrtNotifyImportByKey: a notify of another process, which this one can record.
#include "support/checks_with_context.h"
#include "support/sharing.h"
#include "support/streams.h"

namespace conformance::virtual_memory::sharing::aclrtNotifyImportByKey_test {
namespace {

using streams::Notify;
using streams::Stream;

using AclrtNotifyImportByKey = WithSharing;

struct Arguments {
  Bytes key;  // none: NULL
  bool has_output = true;
  uint64_t flags = 0;
  bool has_context = true;
};

aclError import_it(const Arguments& a) {
  aclrtNotify notify = untouched();
  const aclError code = aclrtNotifyImportByKey(a.has_output ? &notify : nullptr,
                                               a.key.empty() ? nullptr : text_of(a.key), a.flags);
  EXPECT_EQ(untouched(), notify);
  return code;
}

Bytes key_of(const char* text) {
  Bytes key(text, text + std::strlen(text));
  key.resize(kKeySize);
  return key;
}

TEST_F(AclrtNotifyImportByKey, ChecksItsArgumentsInOrder) {
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("create_notify", "n"));
  const Bytes known = peer.send("notify_key", "n", 2).bytes;
  ASSERT_PEER_OK(peer.send("create_notify", "m"));
  const Bytes not_for_us = peer.send("notify_key", "m", 0).bytes;
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"notify NULL", [](Arguments& a) { a.has_output = false; }, kBadArgument, "EH0008"},
      {"key NULL", [](Arguments& a) { a.key.clear(); }, kBadArgument, "EH0008"},
      {"flags", [](Arguments& a) { a.flags = 4; }, kBadValue},
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
      {"key unknown", [](Arguments& a) { a.key = key_of("anything"); }, kRefused, "EE1017"},
      {"not listed", [=](Arguments& a) { a.key = not_for_us; }, kRefused, "EE1017"},
  };
  expect_checked_with_context<Arguments>("aclrtNotifyImportByKey", {known}, import_it, checks);
}

// Flags 0 to 3 in the low half; the high half is not looked at.
TEST_F(AclrtNotifyImportByKey, TakesItsFlags) {
  const Notify notify;
  const Bytes key = notify_key(notify);
  ReadyPeer peer;
  for (const uint64_t flags :
       {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{7} << 32, uint64_t{1} << 63}) {
    EXPECT_PEER_OK(peer.send("import_notify", "n", key, flags));
    EXPECT_PEER_OK(peer.send("destroy_notify", "n"));
  }
  for (const uint64_t flags : {uint64_t{4}, uint64_t{0xffffffff}, (uint64_t{1} << 32) + 4})
    EXPECT_ANSWER(kBadValue, peer.send("import_notify", "n", key, flags));
}

TEST_F(AclrtNotifyImportByKey, SurvivesEveryWrongCharacter) {
  const Notify notify;
  const Bytes key = notify_key(notify);
  ReadyPeer peer;
  for (size_t i = 0; i < std::strlen(text_of(key)); ++i) {
    for (const int bits : {0x01, 0x40, 0x80}) {
      const Bytes wrong = turned_over(key, i, bits);
      EXPECT_ANSWER(kRefused, peer.send("import_notify", "n", wrong, 0)) << "character " << i;
    }
  }
  EXPECT_PEER_OK(peer.send("import_notify", "n", key, 0));
}

// A key of memory is none of a notify.
TEST_F(AclrtNotifyImportByKey, DoesNotTakeKeysOfMemory) {
  const DeviceBuffer device(kGranule);
  const Notify notify;
  const Bytes of_memory = export_key(device.get(), kGranule);
  const Bytes of_notify = notify_key(notify);
  ReadyPeer peer;
  EXPECT_ANSWER(kRefused, peer.send("import_notify", "n", of_memory, 0));
  EXPECT_ANSWER(kRefused, peer.send("import_key", "a", of_notify, 0));
}

TEST_F(AclrtNotifyImportByKey, HasTheCreatorsNumber) {
  const Notify first;
  const Notify notify;
  uint32_t id = 0;
  ASSERT_OK(aclrtGetNotifyId(notify, &id));
  const Bytes key = notify_key(notify);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_notify", "n", key, 0));
  EXPECT_EQ(id, peer.send("notify_id", "n").number());
}

TEST_F(AclrtNotifyImportByKey, IsWaitedForInTheCreatingProcessOnly) {
  const Notify notify;
  const Bytes key = notify_key(notify);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_notify", "n", key, 0));
  ASSERT_PEER_OK(peer.send("create_stream", "s"));
  EXPECT_ANSWER(kNotSupported, peer.send("wait_notify", "n", "s"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
}

TEST_F(AclrtNotifyImportByKey, EachSideDestroysItsOwn) {
  const Stream stream;
  Notify notify;
  const Bytes key = notify_key(notify);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_notify", "n", key, 0));
  EXPECT_PEER_OK(peer.send("destroy_notify", "n"));
  EXPECT_ANSWER(kBadHandle, peer.send("destroy_notify", "n"));
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ASSERT_PEER_OK(peer.send("import_notify", "n", key, 0));
  EXPECT_OK(aclrtDestroyNotify(notify.release()));
  // The creator's is gone; the import is still an object of its process.
  ASSERT_PEER_OK(peer.send("create_stream", "s"));
  EXPECT_PEER_OK(peer.send("record_notify", "n", "s"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_PEER_OK(peer.send("destroy_notify", "n"));
  EXPECT_PEER_OK(peer.send("destroy_stream", "s"));
}

TEST_F(AclrtNotifyImportByKey, NeedsTheCreatingProcess) {
  Bytes key;
  {
    ReadyPeer creator;
    ASSERT_PEER_OK(creator.send("create_notify", "n"));
    key = creator.send("notify_key", "n", 2).bytes;
    aclrtNotify notify = nullptr;
    EXPECT_OK(aclrtNotifyImportByKey(&notify, text_of(key), 0));
    EXPECT_OK(aclrtDestroyNotify(notify));
  }
  EXPECT_EQ(kRefused, import_it({key}));
  clear_errors();
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtNotifyImportByKey_test
