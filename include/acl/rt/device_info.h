// SPDX-License-Identifier: Apache-2.0
// Chapter "what a device is": properties, features and load of a device. The values describe the
// emulated product (aclrtGetSocName) and the resources this library gives it. No call needs a
// context.
#ifndef ACL_RT_DEVICE_INFO_H
#define ACL_RT_DEVICE_INFO_H

#include "../acl_base_rt.h"

// Values of ACL_DEV_ATTR_DEVICE_FORM_FACTOR.
#define ACL_DEVICE_FORM_FACTOR_POD 0
#define ACL_DEVICE_FORM_FACTOR_A_K 1
#define ACL_DEVICE_FORM_FACTOR_A_X 2
#define ACL_DEVICE_FORM_FACTOR_PCIE_CARD 3

// Values of ACL_DEV_ATTR_HD_CONNECT_TYPE: what connects host and device.
#define ACL_HOST_DEVICE_CONNECT_TYPE_PCIE 0
#define ACL_HOST_DEVICE_CONNECT_TYPE_HCCS 1
#define ACL_HOST_DEVICE_CONNECT_TYPE_UB 2

// Values of aclrtGetDeviceCapability.
#define ACL_DEV_FEATURE_NOT_SUPPORT 0x00000000
#define ACL_DEV_FEATURE_SUPPORT 0x00000001

#ifdef __cplusplus
extern "C" {
#endif

/// What aclrtGetDeviceInfo can query.
typedef enum aclrtDevAttr {
  ACL_DEV_ATTR_AICPU_CORE_NUM = 1,                ///< AI CPUs
  ACL_DEV_ATTR_AICORE_CORE_NUM = 101,             ///< AI cores
  ACL_DEV_ATTR_CUBE_CORE_NUM = 102,               ///< cube cores
  ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,             ///< vector cores
  ACL_DEV_ATTR_WARP_SIZE = 202,                   ///< threads that run in lockstep
  ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,  ///< threads a vector core can hold
  ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204,   ///< bytes of local memory of a vector core
  ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,        ///< the same under its newer name
  ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,              ///< largest grid, by direction
  ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
  ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
  ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,     ///< blocks in a grid
  ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209,  ///< threads in a block
  ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,        ///< largest block, by direction
  ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211,
  ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212,
  ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 0x12D,  ///< bytes of device memory
  ACL_DEV_ATTR_L2_CACHE_SIZE = 0x12E,          ///< bytes of second-level cache
  ACL_DEV_ATTR_SMP_ID = 0x191,                 ///< which operating system the device runs under
  ACL_DEV_ATTR_PHY_CHIP_ID = 0x192,            ///< number of the chip
  ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 0x193,    ///< the next one, misspelt
  ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 0x193,    ///< number in the super pod
  ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 0x194,    ///< number of the server in the super pod
  ACL_DEV_ATTR_SUPER_POD_ID = 0x195,           ///< number of the super pod
  ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 0x196,      ///< whether custom operators may run
  ACL_DEV_ATTR_MAINBOARD_ID = 0x197,           ///< number of the main board
  ACL_DEV_ATTR_HD_CONNECT_TYPE = 0x198,        ///< see ACL_HOST_DEVICE_CONNECT_TYPE_PCIE
  ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 0x199,     ///< see ACL_DEVICE_FORM_FACTOR_POD
  ACL_DEV_ATTR_IS_VIRTUAL = 0x1F5,             ///< 1 for a part of a shared device
  ACL_DEV_ATTR_NPU_ARCH = 0x259                ///< architecture of the cores
} aclrtDevAttr;

/// What aclrtGetDeviceCapability can query.
typedef enum aclrtDevFeatureType {
  ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1,  ///< queued kernels can be changed
  ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21        ///< memory queues send events between devices
} aclrtDevFeatureType;

/// Reserved for further figures; never filled in.
typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo;

/// Load of a device in percent; -1 where it is not measured.
typedef struct aclrtUtilizationInfo {
  int32_t cubeUtilization;                        ///< cube cores
  int32_t vectorUtilization;                      ///< vector cores
  int32_t aicpuUtilization;                       ///< AI CPUs
  int32_t memoryUtilization;                      ///< device memory in use
  aclrtUtilizationExtendInfo* utilizationExtend;  ///< in: reserved, NULL
} aclrtUtilizationInfo;

/// Gets one property of a device.
/// [out] value  see aclrtDevAttr
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `value` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_PARAM_INVALID     `attr` is none of aclrtDevAttr
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr,
                                                int64_t* value);

/// Reports whether a device has a feature.
/// [out] value  ACL_DEV_FEATURE_SUPPORT or ACL_DEV_FEATURE_NOT_SUPPORT
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `value` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_PARAM_INVALID     `devFeatureType` is none of aclrtDevFeatureType
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCapability(int32_t deviceId,
                                                      aclrtDevFeatureType devFeatureType,
                                                      int32_t* value);

/// Reports the load of a device.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `utilizationInfo` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceUtilizationRate(int32_t deviceId,
                                                           aclrtUtilizationInfo* utilizationInfo);

#ifdef __cplusplus
}
#endif

#endif
