// SPDX-License-Identifier: Apache-2.0
// aclrtMemMapSetLink: advice without effect, on A3 products only.
#include "support/argument_checks.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtMemMapSetLink_test {
namespace {

constexpr aclError kLinkNotSupported = 207021;

struct Arguments {
  aclrtDrvMemHandle handle;
  int link;
};

aclError set_link(const Arguments& a) {
  return aclrtMemMapSetLink(a.handle, static_cast<aclrtMemLinkType>(a.link));
}

std::vector<ArgumentCheck<Arguments>> first_checks() {
  return {{"handle NULL", [](Arguments& a) { a.handle = nullptr; }, kBadArgument, "EH0008"},
          {"link 4", [](Arguments& a) { a.link = 4; }, kBadValue},
          {"link negative", [](Arguments& a) { a.link = -1; }, kBadValue}};
}

FERRY_PROCESS_TEST(AclrtMemMapSetLinkProcess, TakesTheLinksOfA3, "FERRY_SOC=Ascend910_9391") {
  const Physical memory;
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back({"link 2", [](Arguments& a) { a.link = 2; }, kLinkNotSupported});
  checks.push_back({"link 3", [](Arguments& a) { a.link = 3; }, kLinkNotSupported});
  expect_checked_in_order<Arguments>("aclrtMemMapSetLink", {memory, 0}, set_link, checks);
  EXPECT_OK(aclrtMemMapSetLink(memory, ACL_RT_MEM_ACCESS_LINK_SIO));
  EXPECT_OK(aclrtMemMapSetLink(memory, ACL_RT_MEM_ACCESS_LINK_HCCS));
}

FERRY_PROCESS_TEST(AclrtMemMapSetLinkProcess, IsNotSupportedOnA2, "FERRY_SOC=Ascend910B1") {
  const Physical memory;
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  for (const int link : {0, 1, 2, 3})
    checks.push_back({"product", [=](Arguments& a) { a.link = link; }, kNotSupported});
  expect_checked_in_order<Arguments>("aclrtMemMapSetLink", {memory, 0}, set_link, checks);
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemMapSetLink_test
