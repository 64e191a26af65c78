// SPDX-License-Identifier: Apache-2.0
// aclrtIpcMemSetImportPid: which processes may import a key.
#include "support/checks_with_context.h"
#include "support/sharing.h"

namespace conformance::virtual_memory::sharing::aclrtIpcMemSetImportPid_test {
namespace {

using AclrtIpcMemSetImportPid = WithSharing;

struct Arguments {
  Bytes key;  // none: NULL
  bool has_pids = true;
  size_t count = 1;
  bool has_context = true;
};

aclError set_pids(const Arguments& a) {
  std::vector<int32_t> pids(64, 1);
  return aclrtIpcMemSetImportPid(a.key.empty() ? nullptr : text_of(a.key),
                                 a.has_pids ? pids.data() : nullptr, a.count);
}

aclError list(const Bytes& key, std::vector<int32_t> pids) {
  return aclrtIpcMemSetImportPid(text_of(key), pids.data(), pids.size());
}

TEST_F(AclrtIpcMemSetImportPid, ChecksItsArgumentsInOrder) {
  const DeviceBuffer device(kGranule);
  const Bytes known = export_key(device.get(), kGranule, kListed);
  const Bytes without_list = export_key(device.get(), kGranule, kEverybody);
  const Bytes closed = export_key(device.get(), kGranule, kListed);
  ASSERT_OK(aclrtIpcMemClose(text_of(closed)));
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("allocate", "p", kGranule));
  const Bytes foreign = peer.send("export_key", "p", 0, kGranule, kListed).bytes;
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"key NULL", [](Arguments& a) { a.key.clear(); }, kBadArgument, "EH0008"},
      {"pid NULL", [](Arguments& a) { a.has_pids = false; }, kBadArgument, "EH0008"},
      {"num 0", [](Arguments& a) { a.count = 0; }, kBadValue},
      {"num negative", [](Arguments& a) { a.count = 0x80000000; }, kBadValue},
      {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"},
      {"num 32", [](Arguments& a) { a.count = 32; }, kBadValue},
      {"without a list", [=](Arguments& a) { a.key = without_list; }, kNoPermission},
      {"unknown", [=](Arguments& a) { a.key = closed; }, kRefused, "EE1017"},
      {"of another process", [=](Arguments& a) { a.key = foreign; }, kRefused, "EE1017"},
  };
  expect_checked_with_context<Arguments>("aclrtIpcMemSetImportPid", {known}, set_pids, checks);
}

TEST_F(AclrtIpcMemSetImportPid, DecidesWhoMayImport) {
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule, kListed);
  ReadyPeer listed;
  ReadyPeer other;
  EXPECT_ANSWER(kRefused, listed.send("import_key", "a", key, 0)) << "the list is empty";
  EXPECT_OK(list(key, {listed.pid()}));
  EXPECT_PEER_OK(listed.send("import_key", "a", key, 0));
  EXPECT_ANSWER(kRefused, other.send("import_key", "a", key, 0));
  EXPECT_OK(list(key, {listed.pid(), other.pid(), other.pid()}));
  EXPECT_PEER_OK(other.send("import_key", "a", key, 0));
}

TEST_F(AclrtIpcMemSetImportPid, IsForOneKey) {
  const DeviceBuffer device(kGranule);
  const Bytes first = export_key(device.get(), kGranule, kListed);
  const Bytes second = export_key(device.get(), kGranule, kListed);
  ReadyPeer peer;
  EXPECT_OK(list(first, {peer.pid()}));
  EXPECT_ANSWER(kRefused, peer.send("import_key", "a", second, 0));
  EXPECT_PEER_OK(peer.send("import_key", "a", first, 0));
}

TEST_F(AclrtIpcMemSetImportPid, Takes31PerCallAndMoreByFurtherCalls) {
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule, kListed);
  ReadyPeer peer;
  std::vector<int32_t> pids(31, 1);
  for (int call = 0; call < 4; ++call)
    EXPECT_OK(list(key, pids));
  pids.back() = peer.pid();
  EXPECT_OK(list(key, pids));
  EXPECT_PEER_OK(peer.send("import_key", "a", key, 0));
}

// A process lists itself to import its own key.
TEST_F(AclrtIpcMemSetImportPid, HoldsForTheExporterToo) {
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule, kListed);
  void* address = nullptr;
  EXPECT_FAILS(kRefused, "EE1017", aclrtIpcMemImportByKey(&address, text_of(key), 0));
  EXPECT_OK(list(key, {getpid()}));
  EXPECT_OK(aclrtIpcMemImportByKey(&address, text_of(key), 0));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  EXPECT_OK(aclrtIpcMemClose(text_of(key)));
}

TEST_F(AclrtIpcMemSetImportPid, IsForTheExporterAlone) {
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule, kListed);
  ReadyPeer peer;
  EXPECT_ANSWER(kRefused, peer.send("set_key_pid", key, peer.pid()));
  EXPECT_ANSWER(kRefused, peer.send("import_key", "a", key, 0));
  EXPECT_OK(list(key, {peer.pid()}));
  EXPECT_PEER_OK(peer.send("import_key", "a", key, 0));
  EXPECT_ANSWER(kRefused, peer.send("set_key_pid", key, peer.pid()));
}

TEST_F(AclrtIpcMemSetImportPid, DoesNotKnowTextsThatAreNoKeys) {
  for (const char* const text : {"", "x", "not a key at all"}) {
    int32_t pid = 1;
    EXPECT_NE(ACL_SUCCESS, aclrtIpcMemSetImportPid(text, &pid, 1)) << text;
  }
  clear_errors();
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtIpcMemSetImportPid_test
