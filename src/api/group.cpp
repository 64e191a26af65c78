// SPDX-License-Identifier: Apache-2.0
// Groups of cores: no product that Ferry emulates divides its cores in this form, so there are none
// and no description of them can be created.
#include "api/adapters.h"
#include "base/status.h"

namespace ferry::api {
namespace {

Status check_group_info(const aclrtGroupInfo* info) {
  if (info == nullptr) return fail_null("groupInfo");
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "groupInfo", static_cast<const void*>(info))
      .because(", which aclrtCreateGroupInfo has not returned");
}

}  // namespace

aclError aclrtGetGroupCount(uint32_t* count) {
  if (count == nullptr) return fail_null("count");
  *count = 0;
  return ACL_SUCCESS;
}

aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo) {
  return check_group_info(groupInfo);
}

aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo) {
  return check_group_info(groupInfo);
}

aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo, int32_t groupIndex,
                                 aclrtGroupAttr /*attr*/, void* attrValue, size_t /*valueLen*/,
                                 size_t* paramRetSize) {
  if (groupInfo == nullptr) return fail_null("groupInfo");
  if (attrValue == nullptr) return fail_null("attrValue");
  if (paramRetSize == nullptr) return fail_null("paramRetSize");
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "groupIndex", groupIndex)
      .because(", but there are no groups");
}

}  // namespace ferry::api
