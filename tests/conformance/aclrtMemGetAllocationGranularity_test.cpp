// SPDX-License-Identifier: Apache-2.0
// aclrtMemGetAllocationGranularity: the unit in which physical memory is allocated and mapped.
#include "support/argument_checks.h"
#include "support/devices.h"
#include "support/physical_kinds.h"

namespace conformance::virtual_memory::aclrtMemGetAllocationGranularity_test {
namespace {

constexpr size_t kNotWritten = 0x5a5a5a;

struct Arguments {
  aclrtPhysicalMemProp prop;
  bool has_prop = true;
  bool has_result = true;
  int option = ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM;
};

aclError ask(const Arguments& arguments) {
  Arguments a = arguments;
  size_t granularity = kNotWritten;
  const aclError code = aclrtMemGetAllocationGranularity(
      a.has_prop ? &a.prop : nullptr, static_cast<aclrtMemGranularityOptions>(a.option),
      a.has_result ? &granularity : nullptr);
  EXPECT_EQ(kNotWritten, granularity);
  return code;
}

std::vector<ArgumentCheck<Arguments>> checks() {
  const uint32_t missing = device_count();
  return {
      {"prop NULL", [](Arguments& a) { a.has_prop = false; }, kBadArgument, "EH0008"},
      {"granularity NULL", [](Arguments& a) { a.has_result = false; }, kBadArgument, "EH0008"},
      {"DDR kind on DEVICE",
       [](Arguments& a) { a.prop.location = on_device(), a.prop.memAttr = ACL_DDR_MEM_HUGE; },
       kBadArgument},
      {"memAttr", [](Arguments& a) { a.prop.memAttr = ACL_HBM_MEM_P2P_HUGE; }, kBadArgument},
      {"device out of range", [=](Arguments& a) { a.prop.location = on_device(missing); },
       kNoDevice},
      {"option", [](Arguments& a) { a.option = 2; }, kNotSupported},
      {"option UNDEF", [](Arguments& a) { a.option = ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF; },
       kNotSupported},
      {"location UNREGISTERED", [](Arguments& a) { a.prop.location = location(2); }, kBadValue},
      {"location MANAGED", [](Arguments& a) { a.prop.location = location(3); }, kBadValue},
      {"location unknown", [](Arguments& a) { a.prop.location = location(5); }, kBadValue},
      {"location negative", [](Arguments& a) { a.prop.location = location(-1); }, kBadValue},
      {"reserve", [](Arguments& a) { a.prop.reserve = 1; }, kBadValue},
  };
}

TEST(AclrtMemGetAllocationGranularity, ChecksItsArgumentsInOrder) {
  expect_checked_in_order<Arguments>("aclrtMemGetAllocationGranularity", {prop_of(on_device())},
                                     ask, checks());
}

TEST(AclrtMemGetAllocationGranularity, RefusesEveryDeviceThatThereIsNot) {
  for (const uint32_t id : missing_device_numbers()) {
    EXPECT_EQ(kNoDevice, ask({prop_of(on_device(id))})) << id;
  }
}

TEST(AclrtMemGetAllocationGranularity, FollowsLocationAndAttribute) {
  for (const PhysicalKind& kind : physical_kinds()) {
    for (const auto option :
         {ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
      SCOPED_TRACE(text_of(kind));
      aclrtPhysicalMemProp prop = prop_of(kind);
      size_t granularity = kNotWritten;
      if (kind.granularity == 0) {
        EXPECT_FAILS_WITH(kBadArgument,
                          aclrtMemGetAllocationGranularity(&prop, option, &granularity));
        EXPECT_EQ(kNotWritten, granularity);
        continue;
      }
      EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, option, &granularity));
      EXPECT_EQ(kind.granularity, granularity);
    }
  }
}

TEST(AclrtMemGetAllocationGranularity, DoesNotLookAtTheTypes) {
  aclrtPhysicalMemProp prop = prop_of(on_device());
  prop.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
  prop.allocationType = static_cast<aclrtMemAllocationType>(1);
  size_t granularity = 0;
  EXPECT_OK(
      aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
  EXPECT_EQ(kGranule, granularity);
}

FERRY_PROCESS_TEST(AclrtMemGetAllocationGranularityProcess, WorksAsTheFirstCallOfAll) {
  aclrtPhysicalMemProp prop = prop_of(on_device());
  size_t granularity = 0;
  EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
                                             &granularity));
  EXPECT_EQ(kGranule, granularity);
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemGetAllocationGranularity_test
