// SPDX-License-Identifier: Apache-2.0
// Counting notifies, which only some products have.
#include "core/counting_notify.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

Status check_counting_product() {
  if (soc().traits->counting_notify) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "%s has no counting notifies", soc().name);
}

Status check_record_mode(aclrtCntNotifyRecordMode mode) {
  switch (mode) {
    case ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE:
    case ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE:
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE:
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE:
      return {};
  }
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "info->mode", mode).allowed("0, 1, 2 or 4");
}

Status check_wait_mode(aclrtCntNotifyWaitMode mode) {
  const auto number = static_cast<uint32_t>(mode);
  if (number <= ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "info->mode", number).allowed("0 to 4");
}

}  // namespace

aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag) {
  FERRY_RETURN_IF_ERROR(check_counting_product());
  if (cntNotify == nullptr) return fail_null_in_runtime("cntNotify");
  if (flag != ACL_NOTIFY_DEFAULT && flag != ACL_NOTIFY_DEVICE_USE_ONLY) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", flag).allowed("0 or 1");
  }
  FERRY_RETURN_IF_ERROR(current_context().status());
  *cntNotify = CountingNotify::create()->handle();
  return ACL_SUCCESS;
}

aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify) {
  FERRY_RETURN_IF_ERROR(check_counting_product());
  FERRY_RETURN_IF_ERROR(find_counting_notify(cntNotify).status());
  if (HandleTable<CountingNotify>::instance().remove(cntNotify)) return ACL_SUCCESS;
  return find_counting_notify(cntNotify).status();  // another thread has destroyed it meanwhile
}

aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream,
                              aclrtCntNotifyRecordInfo* info) {
  FERRY_RETURN_IF_ERROR(check_counting_product());
  if (info == nullptr) return fail_null("info");
  FERRY_TRY(Ref<CountingNotify>, found, find_counting_notify(cntNotify));
  FERRY_RETURN_IF_ERROR(check_record_mode(info->mode));
  FERRY_TRY(Ref<Stream>, on, stream_of_current_context(stream));
  return (*found)->record(**on, *info);
}

aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
                                       aclrtCntNotifyWaitInfo* info) {
  FERRY_RETURN_IF_ERROR(check_counting_product());
  if (info == nullptr) return fail_null("info");
  FERRY_TRY(Ref<CountingNotify>, found, find_counting_notify(cntNotify));
  FERRY_RETURN_IF_ERROR(check_wait_mode(info->mode));
  FERRY_TRY(Ref<Stream>, on, stream_of_current_context(stream));
  return (*found)->make_stream_wait(**on, *info);
}

aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream) {
  FERRY_RETURN_IF_ERROR(check_counting_product());
  FERRY_TRY(Ref<CountingNotify>, found, find_counting_notify(cntNotify));
  FERRY_TRY(Ref<Stream>, on, stream_of_current_context(stream));
  return (*found)->reset(**on);
}

aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId) {
  FERRY_RETURN_IF_ERROR(check_counting_product());
  if (cntNotify == nullptr) return fail_null_in_runtime("cntNotify");
  if (notifyId == nullptr) return fail_null_in_runtime("notifyId");
  FERRY_TRY(Ref<CountingNotify>, found, find_counting_notify(cntNotify));
  *notifyId = (*found)->id();
  return ACL_SUCCESS;
}

}  // namespace ferry::api
