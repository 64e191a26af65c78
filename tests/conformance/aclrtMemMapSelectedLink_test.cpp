// SPDX-License-Identifier: Apache-2.0
// aclrtMemMapSelectedLink: aliases of mappings, on A3 products only.
#include "support/argument_checks.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory::aclrtMemMapSelectedLink_test {
namespace {

struct Arguments {
  void* dst;
  size_t size;
  void* src;
  uint32_t link;
};

aclError map(const Arguments& a) {
  return aclrtMemMapSelectedLink(a.dst, a.size, a.src, a.link);
}

std::vector<ArgumentCheck<Arguments>> first_checks() {
  return {{"dst NULL", [](Arguments& a) { a.dst = nullptr; }, kBadArgument, "EH0008"},
          {"src NULL", [](Arguments& a) { a.src = nullptr; }, kBadArgument, "EH0008"},
          {"size 0", [](Arguments& a) { a.size = 0; }, kBadArgument},
          {"linkIdx", [](Arguments& a) { a.link = 2; }, kBadArgument}};
}

FERRY_PROCESS_TEST(AclrtMemMapSelectedLinkProcess, ChecksItsArgumentsInOrder,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  Region region(2);
  const Reservation target(2 * kGranule);
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back(
      {"src not a mapping", [&](Arguments& a) { a.src = region.at(4096); }, kBadValue});
  checks.push_back({"dst inside", [&](Arguments& a) { a.dst = target.at(kGranule); }, kBadValue});
  checks.push_back({"dst of another size", [](Arguments& a) { a.size = kGranule; }, kBadValue});
  checks.push_back({"dst not reserved", [&](Arguments& a) { a.dst = &region; }, kBadValue});
  checks.push_back({"dst mapped", [&](Arguments& a) { a.dst = region.at(); }, kBadValue});
  expect_checked_in_order<Arguments>("aclrtMemMapSelectedLink",
                                     {target.at(), 2 * kGranule, region.at(), 0}, map, checks);
}

FERRY_PROCESS_TEST(AclrtMemMapSelectedLinkProcess, IsNotSupportedOnA2, "FERRY_SOC=Ascend910B1") {
  ASSERT_OK(aclrtSetDevice(0));
  Region region(1);
  const Reservation target(kGranule);
  std::vector<ArgumentCheck<Arguments>> checks = first_checks();
  checks.push_back({"product", [](Arguments&) {}, kNotSupported});
  checks.push_back({"src not a mapping", [](Arguments& a) { a.src = &a; }, kNotSupported});
  expect_checked_in_order<Arguments>("aclrtMemMapSelectedLink",
                                     {target.at(), kGranule, region.at(), 0}, map, checks);
}

FERRY_PROCESS_TEST(AclrtMemMapSelectedLinkProcess, MakesAnAliasOfEveryMapping,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  Region region(3);
  region.fill(5);
  for (const uint32_t link : {ACL_RT_MEM_LINK_IDX_0, ACL_RT_MEM_LINK_IDX_1}) {
    const Reservation target(3 * kGranule);
    ASSERT_OK(aclrtMemMapSelectedLink(target.at(), 3 * kGranule, region.at(), link));
    EXPECT_TRUE(holds(target.at(), 3 * kGranule, 5));
    EXPECT_OK(copy_to_device(target.at(kGranule - 32), pattern(64, 6)));
    EXPECT_TRUE(holds(region.at(kGranule - 32), 64, 6));
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_OK(aclrtMemRetainAllocationHandle(target.at(kGranule), &handle));
    EXPECT_EQ(region.handle(1), handle);
    EXPECT_OK(aclrtFreePhysical(handle));
    EXPECT_FAILS_WITH(kBadValue, aclrtReleaseMemAddress(target.at()));
    for (size_t i = 0; i < 3; ++i)
      EXPECT_OK(aclrtUnmapMem(target.at(i * kGranule)));
    region.fill(5);
  }
}

// The aliases hold the memory by themselves.
FERRY_PROCESS_TEST(AclrtMemMapSelectedLinkProcess, OutlivesItsSource, "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  const Reservation target(2 * kGranule);
  {
    Region region(2);
    region.fill(5);
    ASSERT_OK(aclrtMemMapSelectedLink(target.at(), 2 * kGranule, region.at(), 0));
  }
  EXPECT_TRUE(holds(target.at(), 2 * kGranule, 5));
  for (size_t i = 0; i < 2; ++i)
    EXPECT_OK(aclrtUnmapMem(target.at(i * kGranule)));
}

FERRY_PROCESS_TEST(AclrtMemMapSelectedLinkProcess, RefusesASourceWithAHole,
                   "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  Region region(3);
  region.unmap(1);
  const Reservation target(3 * kGranule);
  EXPECT_FAILS_WITH(kBadValue, aclrtMemMapSelectedLink(target.at(), 3 * kGranule, region.at(), 0));
  EXPECT_FAILS(kRefused, "EE1017", aclrtUnmapMem(target.at()));
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemMapSelectedLink_test
