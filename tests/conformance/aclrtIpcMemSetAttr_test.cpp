// SPDX-License-Identifier: Apache-2.0
// aclrtIpcMemSetAttr: by which link the memory of a key is accessed, on A3 products only. It has no
// effect.
#include "support/checks_with_context.h"
#include "support/sharing.h"

namespace conformance::virtual_memory::sharing::aclrtIpcMemSetAttr_test {
namespace {

struct Arguments {
  Bytes key;  // none: NULL
  int type = ACL_RT_IPC_MEM_ATTR_ACCESS_LINK;
  uint64_t attr = 0;
  bool has_context = true;
};

aclError set_attr(const Arguments& a) {
  return aclrtIpcMemSetAttr(a.key.empty() ? nullptr : text_of(a.key),
                            static_cast<aclrtIpcMemAttrType>(a.type), a.attr);
}

std::vector<ArgumentCheck<Arguments>> first_checks() {
  return {{"key NULL", [](Arguments& a) { a.key.clear(); }, kBadValue},
          {"type", [](Arguments& a) { a.type = 1; }, kBadValue},
          {"attr", [](Arguments& a) { a.attr = 4; }, kBadValue},
          {"no context", [](Arguments& a) { a.has_context = false; }, kNoContext, "EE1018"}};
}

FERRY_PROCESS_TEST(AclrtIpcMemSetAttrProcess, ChecksItsArgumentsInOrder,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule);
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back({"one port", [](Arguments& a) { a.attr = 2; }, kLinkNotSupported});
  checks.push_back({"several ports", [](Arguments& a) { a.attr = 3; }, kLinkNotSupported});
  expect_checked_with_context<Arguments>("aclrtIpcMemSetAttr", {key}, set_attr, checks);
  EXPECT_EQ(kBadValue, set_attr({key, 0, UINT64_MAX}));
  EXPECT_EQ(kBadValue, set_attr({key, -1, 0}));
}

FERRY_PROCESS_TEST(AclrtIpcMemSetAttrProcess, IsNotSupportedOnA2, "FERRY_SOC=Ascend910B1") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  const DeviceBuffer device(kGranule);
  const Bytes key = export_key(device.get(), kGranule);
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back({"product", [](Arguments&) {}, kNotSupported});
  checks.push_back({"one port", [](Arguments& a) { a.attr = 2; }, kNotSupported});
  expect_checked_with_context<Arguments>("aclrtIpcMemSetAttr", {key}, set_attr, checks);
}

// At any time: before the import, and afterwards.
FERRY_PROCESS_TEST(AclrtIpcMemSetAttrProcess, ChangesNothing, "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  NEEDS_SHARING();
  NEEDS_A_PEER();
  DeviceBuffer device(kGranule);
  device.write(pattern(kGranule, 1));
  const Bytes key = export_key(device.get(), kGranule);
  EXPECT_OK(set_attr({key, 0, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO}));
  ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("import_key", "a", key, 0));
  EXPECT_OK(set_attr({key, 0, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS}));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kGranule, 1));
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::aclrtIpcMemSetAttr_test
