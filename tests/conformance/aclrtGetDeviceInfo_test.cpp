// SPDX-License-Identifier: Apache-2.0
// aclrtGetDeviceInfo: properties of a device.
#include "support/devices.h"

namespace conformance::aclrtGetDeviceInfo_test {
namespace {

constexpr aclrtDevAttr kAll[] = {
    ACL_DEV_ATTR_AICPU_CORE_NUM,
    ACL_DEV_ATTR_AICORE_CORE_NUM,
    ACL_DEV_ATTR_CUBE_CORE_NUM,
    ACL_DEV_ATTR_VECTOR_CORE_NUM,
    ACL_DEV_ATTR_WARP_SIZE,
    ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE,
    ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE,
    ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE,
    ACL_DEV_ATTR_MAX_GRID_DIM_X,
    ACL_DEV_ATTR_MAX_GRID_DIM_Y,
    ACL_DEV_ATTR_MAX_GRID_DIM_Z,
    ACL_DEV_ATTR_MAX_BLOCK_PER_GRID,
    ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK,
    ACL_DEV_ATTR_MAX_BLOCK_DIM_X,
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Y,
    ACL_DEV_ATTR_MAX_BLOCK_DIM_Z,
    ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE,
    ACL_DEV_ATTR_L2_CACHE_SIZE,
    ACL_DEV_ATTR_SMP_ID,
    ACL_DEV_ATTR_PHY_CHIP_ID,
    ACL_DEV_ATTR_SUPER_POD_DEVICE_ID,
    ACL_DEV_ATTR_SUPER_POD_SERVER_ID,
    ACL_DEV_ATTR_SUPER_POD_ID,
    ACL_DEV_ATTR_CUST_OP_PRIVILEGE,
    ACL_DEV_ATTR_MAINBOARD_ID,
    ACL_DEV_ATTR_HD_CONNECT_TYPE,
    ACL_DEV_ATTR_DEVICE_FORM_FACTOR,
    ACL_DEV_ATTR_IS_VIRTUAL,
    ACL_DEV_ATTR_NPU_ARCH,
};

int64_t info(aclrtDevAttr attribute) {
  int64_t value = -99;
  EXPECT_OK(aclrtGetDeviceInfo(0, attribute, &value));
  return value;
}

TEST(AclrtGetDeviceInfo, AnswersEveryAttributeWithoutAContext) {
  on_new_thread([] {
    for (const aclrtDevAttr attribute : kAll) {
      int64_t value = -99;
      EXPECT_OK(aclrtGetDeviceInfo(0, attribute, &value));
      EXPECT_NE(-99, value) << attribute;
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtGetDeviceInfo, AnswersNumbersFromTheirRanges) {
  EXPECT_GE(info(ACL_DEV_ATTR_AICORE_CORE_NUM), 1);
  EXPECT_GE(info(ACL_DEV_ATTR_VECTOR_CORE_NUM), 1);
  EXPECT_GE(info(ACL_DEV_ATTR_L2_CACHE_SIZE), 1);
  EXPECT_GE(info(ACL_DEV_ATTR_HD_CONNECT_TYPE), ACL_HOST_DEVICE_CONNECT_TYPE_PCIE);
  EXPECT_LE(info(ACL_DEV_ATTR_HD_CONNECT_TYPE), ACL_HOST_DEVICE_CONNECT_TYPE_UB);
  EXPECT_GE(info(ACL_DEV_ATTR_DEVICE_FORM_FACTOR), ACL_DEVICE_FORM_FACTOR_POD);
  EXPECT_LE(info(ACL_DEV_ATTR_DEVICE_FORM_FACTOR), ACL_DEVICE_FORM_FACTOR_PCIE_CARD);
  EXPECT_EQ(info(ACL_DEV_ATTR_IS_VIRTUAL) & ~int64_t{1}, 0);
}

TEST(AclrtGetDeviceInfo, AgreesWithAclrtGetMemInfo) {
  ASSERT_OK(aclrtSetDevice(0));
  size_t free = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  EXPECT_EQ(static_cast<int64_t>(total), info(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE));
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(AclrtGetDeviceInfo, RefusesNullFirst) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICPU_CORE_NUM, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtGetDeviceInfo(UINT32_MAX, static_cast<aclrtDevAttr>(0), nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtGetDeviceInfo, RefusesNumbersWithoutADeviceBeforeTheAttribute) {
  for (const uint32_t device : missing_device_numbers()) {
    clear_errors();
    int64_t value = -99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                      aclrtGetDeviceInfo(device, static_cast<aclrtDevAttr>(0), &value));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(-99, value);
  }
  clear_errors();
}

TEST(AclrtGetDeviceInfo, RefusesUnknownAttributes) {
  for (const int attribute : {0, -1, 2, 100, 103, 213, 0x12F, 0x19A, 0x25A, INT_MAX, INT_MIN}) {
    clear_errors();
    int64_t value = -99;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtGetDeviceInfo(0, static_cast<aclrtDevAttr>(attribute), &value));
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error()) << attribute;
    EXPECT_EQ(-99, value);
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtGetDeviceInfoProcess, TellsTheMemoryThatWasConfigured, "FERRY_MEMORY=64M",
                   "FERRY_DEVICES=cpu:2") {
  for (const uint32_t device : {0u, 1u}) {
    int64_t value = 0;
    EXPECT_OK(aclrtGetDeviceInfo(device, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &value));
    EXPECT_EQ(int64_t{64} << 20, value);
  }
}

}  // namespace
}  // namespace conformance::aclrtGetDeviceInfo_test
