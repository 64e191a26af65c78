// SPDX-License-Identifier: Apache-2.0
// Chapter "device numbers": translating between the numbers a device can have. Nothing here opens a
// device or needs a context.
#ifndef ACL_RT_DEVICE_ID_H
#define ACL_RT_DEVICE_ID_H

#include "../acl_base_rt.h"

// user number      what the program uses: 0 to the count of aclrtGetDeviceCount minus one
// logical number   position in FERRY_DEVICES, before ASCEND_RT_VISIBLE_DEVICES picks from it
// physical number  here the same as the logical one

#ifdef __cplusplus
extern "C" {
#endif

/// Name of a device that no other device has.
typedef struct aclrtUuid {
  char bytes[16];  ///< 16 bytes, not a text
} aclrtUuid;

/// Gets the unique name of a device. It stays the same on one machine for the same position in
/// FERRY_DEVICES.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `uuid` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid);

/// Gets the logical number of a device.
/// [in] userDevid  user number
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `logicDevId` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device with this number
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid,
                                                           int32_t* const logicDevId);

/// Gets the user number of a device.
/// [in] logicDevId  logical number
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `userDevid` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device with this number, or it is not visible to
///                                  the program
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId,
                                                           int32_t* const userDevid);

/// Gets the logical number of a device.
/// [in] phyDevId  physical number
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `logicDevId` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device with this number
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId,
                                                          int32_t* const logicDevId);

/// Gets the physical number of a device.
/// [in] logicDevId  logical number
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `phyDevId` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device with this number
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId,
                                                          int32_t* const phyDevId);

/// Gets the user number of a device.
/// [in] phyDevId  physical number
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `userDevId` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device with this number, or it is not visible to
///                                  the program
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId,
                                                         int32_t* const userDevId);

/// Gets the physical number of a device.
/// [in] userDevId  user number
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `phyDevId` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device with this number
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId,
                                                         int32_t* const phyDevId);

/// Gets the address of a device on the PCI bus as a text in lower case: 12 characters and a 0. That
/// of a GPU is its own; other devices have "0000:fe:<physical number>.0".
/// [in] len  bytes of `pciBusId`
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `pciBusId` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_PARAM_INVALID     `len` is less than 13
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char* pciBusId, int32_t len);

/// Finds the device at an address on the PCI bus.
/// [in] pciBusId  as from aclrtDeviceGetPCIBusId, in upper or lower case
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `pciBusId` or `deviceId` is NULL
///   ACL_ERROR_RT_PARAM_INVALID     `pciBusId` does not have this form
///   ACL_ERROR_RT_INVALID_DEVICEID  the program sees no device there
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetByPCIBusId(const char* pciBusId, int32_t* deviceId);

#ifdef __cplusplus
}
#endif

#endif
