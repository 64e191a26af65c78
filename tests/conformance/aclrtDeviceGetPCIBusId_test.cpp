// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceGetPCIBusId: the address of a device on the PCI bus.
#include "support/devices.h"

#include <algorithm>
#include <cstring>

namespace conformance::aclrtDeviceGetPCIBusId_test {
namespace {

FERRY_PROCESS_TEST(AclrtDeviceGetPCIBusIdProcess, IsMadeOfTheLogicalNumberOnACpu,
                   "FERRY_DEVICES=cpu:12", "ASCEND_RT_VISIBLE_DEVICES=0,11") {
  char text[16] = {};
  EXPECT_OK(aclrtDeviceGetPCIBusId(0, text, sizeof text));
  EXPECT_STREQ("0000:fe:00.0", text);
  EXPECT_OK(aclrtDeviceGetPCIBusId(1, text, 13));
  EXPECT_STREQ("0000:fe:0b.0", text);
}

TEST(AclrtDeviceGetPCIBusId, DiffersBetweenDevicesAndNeedsNoContext) {
  on_new_thread([] {
    std::vector<std::string> all;
    for (uint32_t device = 0; device < device_count(); ++device) {
      char text[13] = {};
      EXPECT_OK(aclrtDeviceGetPCIBusId(static_cast<int32_t>(device), text, sizeof text));
      EXPECT_EQ(12u, strnlen(text, sizeof text));
      EXPECT_EQ(all.end(), std::find(all.begin(), all.end(), text));
      all.emplace_back(text);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtDeviceGetPCIBusId, ChecksNullThenDeviceThenLength) {
  char text[13] = "untouched";
  for (const int32_t device : missing_devices()) {
    EXPECT_FAILS(100000, "EH0008", aclrtDeviceGetPCIBusId(device, nullptr, 0));
    EXPECT_FAILS_WITH(107001, aclrtDeviceGetPCIBusId(device, text, 0));
  }
  for (const int32_t length : {12, 1, 0, -1, INT32_MIN})
    EXPECT_FAILS(107000, "EE1003", aclrtDeviceGetPCIBusId(0, text, length));
  EXPECT_STREQ("untouched", text);
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtDeviceGetPCIBusId_test
