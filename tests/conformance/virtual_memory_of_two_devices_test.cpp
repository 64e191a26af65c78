// SPDX-License-Identifier: Apache-2.0
// Virtual memory of several devices: each reservation has one, and all copy calls work between
// them.
#include "support/range_forms.h"

namespace conformance::virtual_memory::virtual_memory_of_two_devices_test {
namespace {

constexpr size_t kStart = kGranule - 1000;
constexpr size_t kCount = 2000;

// A3 products copy between devices without peer access.
FERRY_PROCESS_TEST(VirtualMemoryOfTwoDevicesProcess, IsCopiedBetweenThemByEveryCall,
                   "FERRY_DEVICES=cpu:2", "FERRY_SOC=Ascend910_9391") {
  copies::TwoDevices devices(64);
  Region first(2, prop_of(on_device(0)));
  Region second(2, prop_of(on_device(1)));
  for (const int32_t current : {0, 1}) {
    devices.use(current);
    const aclrtStream stream = devices.stream(current);
    for (const DeviceCopyForm& form : kDeviceCopyForms) {
      const bool is_described = std::string(form.name).find("With") != std::string::npos;
      if (is_described) continue;  // inside one device only
      SCOPED_TRACE(form.name);
      const Descriptions descriptions;
      first.fill(1);
      second.fill(2);
      EXPECT_OK(form.copy(second.at(kStart), first.at(kStart), kCount, descriptions, stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_TRUE(bytes_at(first.at(kStart), kCount) == bytes_at(second.at(kStart), kCount));
      first.fill(3);
      EXPECT_OK(form.copy(first.at(kStart), second.at(kStart), kCount, descriptions, stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_TRUE(bytes_at(first.at(kStart), kCount) == bytes_at(second.at(kStart), kCount));
    }
  }
  devices.use(0);
}

FERRY_PROCESS_TEST(VirtualMemoryOfTwoDevicesProcess, IsCopiedWithPeerAccessOnA2,
                   "FERRY_DEVICES=cpu:2", "FERRY_SOC=Ascend910B1") {
  copies::TwoDevices devices(64);
  Region first(2, prop_of(on_device(0)));
  Region second(2, prop_of(on_device(1)));
  first.fill(1);
  second.fill(2);
  EXPECT_FAILS_WITH(kBadValue, aclrtMemcpy(second.at(kStart), kCount, first.at(kStart), kCount,
                                           ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(aclrtMemcpy(second.at(kStart), kCount, first.at(kStart), kCount,
                        ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_TRUE(bytes_at(first.at(kStart), kCount) == bytes_at(second.at(kStart), kCount));
}

// A batch names the device of each side.
FERRY_PROCESS_TEST(VirtualMemoryOfTwoDevicesProcess, IsNamedByTheAttributesOfABatch,
                   "FERRY_DEVICES=cpu:2") {
  copies::TwoDevices devices(64);
  Region second(2, prop_of(on_device(1)));
  PinnedBuffer host(kCount);
  host.fill(pattern(kCount, 3));
  void* dst = second.at(kStart);
  void* src = host.get();
  size_t size = kCount;
  size_t first = 0;
  for (const uint32_t device : {0u, 1u}) {
    aclrtMemcpyBatchAttr attr = {};
    attr.dstLoc = on_device(device);
    attr.srcLoc = on_host();
    size_t fail_index = 77;
    const aclError code =
        aclrtMemcpyBatch(&dst, &size, &src, &size, 1, &attr, &first, 1, &fail_index);
    EXPECT_EQ(device == 1 ? ACL_SUCCESS : kBadValue, code) << recent_text();
    EXPECT_EQ(device == 1 ? SIZE_MAX : 0, fail_index);
  }
  devices.use(1);
  EXPECT_TRUE(holds(second.at(kStart), kCount, 3));
  devices.use(0);
}

// Neither handles nor mappings look at the current device.
FERRY_PROCESS_TEST(VirtualMemoryOfTwoDevicesProcess, DoesNotDependOnTheCurrentDevice,
                   "FERRY_DEVICES=cpu:2") {
  copies::TwoDevices devices(64);
  for (const int32_t current : {0, 1}) {
    devices.use(current);
    Region first(1, prop_of(on_device(0)));
    Region second(1, prop_of(on_device(1)));
    for (const auto& [region, id] : {std::pair{&first, 0u}, std::pair{&second, 1u}}) {
      aclrtPtrAttributes attributes = {};
      EXPECT_OK(aclrtPointerGetAttributes(region->at(), &attributes));
      EXPECT_EQ(id, attributes.location.id);
    }
  }
  devices.use(0);
}

}  // namespace
}  // namespace conformance::virtual_memory::virtual_memory_of_two_devices_test
