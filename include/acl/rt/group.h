// SPDX-License-Identifier: Apache-2.0
// Chapter "groups": dividing the cores of a device. The emulated products have no groups, so there
// is nothing to choose or to describe.
#ifndef ACL_RT_GROUP_H
#define ACL_RT_GROUP_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Describes the groups of a device.
typedef struct tagRtGroupInfo aclrtGroupInfo;

/// Queryable properties of a group.
typedef enum aclrtGroupAttr {
  ACL_GROUP_AICORE_INT = 0,
  ACL_GROUP_AIV_INT = 1,
  ACL_GROUP_AIC_INT = 2,
  ACL_GROUP_SDMANUM_INT = 3,
  ACL_GROUP_ASQNUM_INT = 4,
  ACL_GROUP_GROUPID_INT = 5
} aclrtGroupAttr;

/// Chooses the group the calling thread works on. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSetGroup(int32_t groupId);

/// Gets how many groups there are.
/// [out] count  always 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `count` is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetGroupCount(uint32_t* count);

/// Makes room for the description of the groups. Not supported.
ACL_FUNC_VISIBILITY aclrtGroupInfo* aclrtCreateGroupInfo(void);

/// Destroys the description.
/// Returns
///   ACL_ERROR_INVALID_PARAM  always: there is no description
ACL_FUNC_VISIBILITY aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo);

/// Fills in the description.
/// Returns
///   ACL_ERROR_INVALID_PARAM  always: there is no description
ACL_FUNC_VISIBILITY aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo);

/// Gets one property of a group.
/// Returns
///   ACL_ERROR_INVALID_PARAM  a pointer is NULL, or `groupIndex` is that of no group: there are
///   none
ACL_FUNC_VISIBILITY aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo,
                                                     int32_t groupIndex, aclrtGroupAttr attr,
                                                     void* attrValue, size_t valueLen,
                                                     size_t* paramRetSize);

#ifdef __cplusplus
}
#endif

#endif
