// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceGetByPCIBusId: the device at an address on the PCI bus.
#include "support/devices.h"

#include <cctype>
#include <string>

namespace conformance::aclrtDeviceGetByPCIBusId_test {
namespace {

TEST(AclrtDeviceGetByPCIBusId, FindsEveryDevice) {
  for (int32_t device = 0; device < static_cast<int32_t>(device_count()); ++device) {
    char text[13] = {};
    EXPECT_OK(aclrtDeviceGetPCIBusId(device, text, sizeof text));
    int32_t found = -1;
    EXPECT_OK(aclrtDeviceGetByPCIBusId(text, &found));
    EXPECT_EQ(device, found);
    for (char& letter : text)
      letter = static_cast<char>(std::toupper(letter));
    found = -1;
    EXPECT_OK(aclrtDeviceGetByPCIBusId(text, &found));
    EXPECT_EQ(device, found);
  }
}

FERRY_PROCESS_TEST(AclrtDeviceGetByPCIBusIdProcess, FindsVisibleDevicesOnly, "FERRY_DEVICES=cpu:3",
                   "ASCEND_RT_VISIBLE_DEVICES=2") {
  int32_t found = 99;
  EXPECT_OK(aclrtDeviceGetByPCIBusId("0000:fe:02.0", &found));
  EXPECT_EQ(0, found);
  found = 99;
  EXPECT_FAILS_WITH(107001, aclrtDeviceGetByPCIBusId("0000:fe:01.0", &found));
  EXPECT_EQ(99, found);
}

TEST(AclrtDeviceGetByPCIBusId, RefusesOtherForms) {
  int32_t found = 99;
  const std::string long_text(100000, '0');
  for (const char* text :
       {"", "0000:fe:00", "0000:fe:00.", "000:fe:00.0", "0000:fe:00.00", "0000-fe:00.0",
        "0000:fe:00:0", "0000:fg:00.0", " 000:fe:00.0", "fe:00.0", long_text.c_str()}) {
    EXPECT_FAILS(107000, "EE1003", aclrtDeviceGetByPCIBusId(text, &found));
  }
  EXPECT_FAILS_WITH(107001, aclrtDeviceGetByPCIBusId("ffff:ff:ff.7", &found));
  EXPECT_FAILS(100000, "EH0008", aclrtDeviceGetByPCIBusId(nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtDeviceGetByPCIBusId(nullptr, &found));
  EXPECT_FAILS(100000, "EH0008", aclrtDeviceGetByPCIBusId("", nullptr));
  EXPECT_EQ(99, found);
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtDeviceGetByPCIBusId_test
