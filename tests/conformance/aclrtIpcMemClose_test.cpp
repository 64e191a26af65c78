// SPDX-License-Identifier: Apache-2.0
// aclrtIpcMemClose: the end of an import or of an export.
#include "support/checks_with_context.h"
#include "support/sharing.h"

namespace conformance::virtual_memory::sharing::aclrtIpcMemClose_test {
namespace {

using AclrtIpcMemClose = WithSharing;

struct Arguments {
  Bytes key;  // none: NULL
  bool has_context = true;
};

aclError close_key(const Arguments& a) {
  return aclrtIpcMemClose(a.key.empty() ? nullptr : text_of(a.key));
}

TEST_F(AclrtIpcMemClose, ChecksItsArgumentsInOrder) {
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule);
  const Bytes closed = export_key(device.get(), kGranule);
  ASSERT_OK(close_key({closed}));
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("allocate", "p", kGranule));
  const Bytes foreign = peer.send("export_key", "p", 0, kGranule, kEverybody).bytes;
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"key NULL", [](Arguments& a) { a.key.clear(); }, kBadArgument, "EH0008"},
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
      {"closed", [=](Arguments& a) { a.key = closed; }, kRefused, "EE1017"},
      {"of another process", [=](Arguments& a) { a.key = foreign; }, kRefused, "EE1017"},
      {"no key", [](Arguments& a) { a.key = Bytes(kKeySize, 0); }, kRefused, "EE1017"},
      {"endless", [](Arguments& a) { a.key = Bytes(2 * kKeySize, 'a'); }, kRefused, "EE1017"},
  };
  expect_checked_with_context<Arguments>("aclrtIpcMemClose", {key}, close_key, checks);
}

TEST_F(AclrtIpcMemClose, OfAnExportLeavesTheBlock) {
  DeviceBuffer device(kGranule);
  device.write(pattern(kGranule, 1));
  const size_t before = free_bytes();
  const Bytes key = export_key(device.get(), kGranule);
  EXPECT_OK(close_key({key}));
  EXPECT_EQ(before, free_bytes());
  EXPECT_TRUE(pattern(kGranule, 1) == device.read());
  EXPECT_FAILS(kRefused, "EE1017", aclrtIpcMemClose(text_of(key)));
  ReadyPeer peer;
  EXPECT_ANSWER(kRefused, peer.send("import_key", "a", key, 0));
  // The block can be exported again.
  const Bytes again = export_key(device.get(), kGranule);
  EXPECT_PEER_OK(peer.send("import_key", "a", again, 0));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
}

TEST_F(AclrtIpcMemClose, OfTheExportLeavesImportersTheirBytes) {
  DeviceBuffer device(kGranule);
  device.write(pattern(kGranule, 1));
  const Bytes key = export_key(device.get(), kGranule);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  EXPECT_OK(close_key({key}));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
  EXPECT_PEER_OK(peer.send("write", "a", 0, kGranule, 2));
  EXPECT_TRUE(pattern(kGranule, 2) == device.read());
  EXPECT_PEER_OK(peer.send("close_key", key));
  EXPECT_ANSWER(kRefused, peer.send("import_key", "a", key, 0));
}

TEST_F(AclrtIpcMemClose, OfAnImportEndsTheAddressOnly) {
  DeviceBuffer device(kGranule);
  device.write(pattern(kGranule, 1));
  const Bytes key = export_key(device.get(), kGranule);
  ReadyPeer peer;
  ReadyPeer other;
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  ASSERT_PEER_OK(other.send("import_key", "a", key, 0));
  EXPECT_PEER_OK(peer.send("close_key", key));
  EXPECT_EQ(uint64_t{ACL_MEM_LOCATION_TYPE_UNREGISTERED}, peer.send("attributes", "a", 0).number());
  EXPECT_ANSWER(kRefused, peer.send("close_key", key));
  EXPECT_PEER_HOLDS(other.send("holds", "a", 0, kGranule, 1));
  EXPECT_PEER_OK(peer.send("import_key", "a", key, 0));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
}

// The exporter frees first: its keys die, and importers keep the bytes.
TEST_F(AclrtIpcMemClose, IsNotNeededBeforeTheBlockIsFreed) {
  const size_t before = free_bytes();
  Bytes key;
  ReadyPeer peer;
  {
    DeviceBuffer device(kGranule);
    device.write(pattern(kGranule, 1));
    key = export_key(device.get(), kGranule);
    ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  }
  EXPECT_FAILS(kRefused, "EE1017", aclrtIpcMemClose(text_of(key)));
  EXPECT_GT(before, free_bytes()) << "the importer still has the memory";
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
  ReadyPeer late;
  EXPECT_ANSWER(kRefused, late.send("import_key", "a", key, 0));
  EXPECT_PEER_OK(peer.send("close_key", key));
  EXPECT_TRUE(comes_to_have_free(before));
}

// A close does not wait for queued work, which then fails.
TEST_F(AclrtIpcMemClose, DoesNotWaitForQueuedWork) {
  DeviceBuffer device(kGranule);
  device.write(pattern(kGranule, 1));
  const Bytes key = export_key(device.get(), kGranule);
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  ASSERT_PEER_OK(peer.send("create_stream", "s"));
  ASSERT_PEER_OK(peer.send("allocate", "p", kGranule));
  ASSERT_PEER_OK(peer.send("write", "p", 0, kGranule, 2));
  ASSERT_PEER_OK(peer.send("gate", "g", "s"));
  ASSERT_PEER_OK(
      peer.send("copy_async", "a", 0, "p", 0, kGranule, ACL_MEMCPY_DEVICE_TO_DEVICE, "s"));
  EXPECT_PEER_OK(peer.send("close_key", key));
  EXPECT_PEER_OK(peer.send("open_gate", "g"));
  EXPECT_ANSWER(kTaskFailed, peer.send("synchronize_stream", "s"));
  EXPECT_TRUE(pattern(kGranule, 1) == device.read());
  peer.kill();  // under the checker it would end with its findings
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtIpcMemClose_test
