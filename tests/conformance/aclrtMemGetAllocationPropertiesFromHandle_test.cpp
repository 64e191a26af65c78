// SPDX-License-Identifier: Apache-2.0
// aclrtMemGetAllocationPropertiesFromHandle: how physical memory was allocated.
#include "support/argument_checks.h"
#include "support/needs.h"
#include "support/physical_kinds.h"

#include <cstring>

namespace conformance::virtual_memory::aclrtMemGetAllocationPropertiesFromHandle_test {
namespace {

using AclrtMemGetAllocationPropertiesFromHandle = WithDevice;

// What a call for the handle writes; every byte of it is written or was 0x5a before.
aclrtPhysicalMemProp properties_of(aclrtDrvMemHandle handle) {
  aclrtPhysicalMemProp prop;
  std::memset(&prop, 0x5a, sizeof prop);
  EXPECT_OK(aclrtMemGetAllocationPropertiesFromHandle(handle, &prop));
  return prop;
}

TEST_F(AclrtMemGetAllocationPropertiesFromHandle, RefusesNull) {
  const Physical memory;
  aclrtPhysicalMemProp prop = {};
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtMemGetAllocationPropertiesFromHandle(nullptr, &prop));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtMemGetAllocationPropertiesFromHandle(memory, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008",
               aclrtMemGetAllocationPropertiesFromHandle(dead_handle(), nullptr));
  expect_last_error_of(kBadArgument);
}

TEST_F(AclrtMemGetAllocationPropertiesFromHandle, RefusesADeadHandleAndWhatIsNone) {
  const DeviceBuffer device(64);
  int variable = 0;
  for (void* handle :
       {dead_handle(), device.get(), static_cast<void*>(&variable), reinterpret_cast<void*>(1)}) {
    aclrtPhysicalMemProp prop;
    std::memset(&prop, 0x5a, sizeof prop);
    const aclrtPhysicalMemProp before = prop;
    clear_errors();
    EXPECT_FAILS_WITH(kBadValue, aclrtMemGetAllocationPropertiesFromHandle(handle, &prop));
    expect_last_error_of(kBadValue);
    EXPECT_EQ(0, std::memcmp(&before, &prop, sizeof prop));
  }
}

void expect_properties(aclError PhysicalKind::*code) {
  ASSERT_OK(aclrtSetDevice(0));
  for (const PhysicalKind& kind : physical_kinds()) {
    if (kind.*code != ACL_SUCCESS) continue;
    SCOPED_TRACE(text_of(kind));
    const Physical memory(kGranule, prop_of(kind));
    const aclrtPhysicalMemProp prop = properties_of(memory);
    EXPECT_EQ(ACL_MEM_HANDLE_TYPE_NONE, prop.handleType);
    EXPECT_EQ(ACL_MEM_ALLOCATION_TYPE_PINNED, prop.allocationType);
    EXPECT_EQ(kind.normalised, int{prop.memAttr});
    EXPECT_EQ(kind.location, int{prop.location.type});
    EXPECT_EQ(0u, prop.location.id);
    EXPECT_EQ(0u, prop.reserve);
  }
}

FERRY_PROCESS_TEST(AclrtMemGetAllocationPropertiesFromHandleProcess, NormalisesTheKindsOfA2,
                   "FERRY_MEMORY=2G", "FERRY_SOC=Ascend910B1") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  expect_properties(&PhysicalKind::a2);
}

FERRY_PROCESS_TEST(AclrtMemGetAllocationPropertiesFromHandleProcess, NormalisesTheKindsOfA3,
                   "FERRY_MEMORY=2G", "FERRY_SOC=Ascend910_9391") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  expect_properties(&PhysicalKind::a3);
}

TEST_F(AclrtMemGetAllocationPropertiesFromHandle, TellsTheLocationAsItWasGiven) {
  const Physical any(kGranule, prop_of(location(kOnNode, UINT32_MAX)));
  EXPECT_EQ(UINT32_MAX, properties_of(any).location.id);
  EXPECT_EQ(kOnNode, int{properties_of(any).location.type});
}

FERRY_PROCESS_TEST(AclrtMemGetAllocationPropertiesFromHandleProcess, TellsTheDevice,
                   "FERRY_DEVICES=cpu:3", "ASCEND_RT_VISIBLE_DEVICES=2,1") {
  for (const uint32_t id : {1u, 0u}) {
    const Physical memory(kGranule, prop_of(on_device(id)));
    EXPECT_EQ(id, properties_of(memory).location.id);
  }
}

TEST_F(AclrtMemGetAllocationPropertiesFromHandle, NeedsNoContext) {
  const Physical memory;
  on_new_thread([&] { EXPECT_EQ(0u, properties_of(memory).location.id); });
}

}  // namespace
}  // namespace conformance::virtual_memory::aclrtMemGetAllocationPropertiesFromHandle_test
