// SPDX-License-Identifier: Apache-2.0
// Labels and jumps in models.
#include "core/model/label.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/model_build.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

constexpr size_t kMostListed = 65535;

Result<Ref<Label>> find_label(aclrtLabel label) {
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<Label> found = HandleTable<Label>::instance().find(label);
  if (!found) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "label", label, "label");
  return found;
}

Result<Ref<LabelList>> find_label_list(aclrtLabelList list) {
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<LabelList> found = HandleTable<LabelList>::instance().find(list);
  if (!found) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "labelList", list, "label list");
  return found;
}

}  // namespace

aclError aclrtCreateLabel(aclrtLabel* label) {
  if (label == nullptr) return fail_null("label");
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(Ref<Label>, made, Label::create(**context));
  *label = (*made)->handle();
  return ACL_SUCCESS;
}

aclError aclrtDestroyLabel(aclrtLabel label) {
  if (label == nullptr) return fail_null("label");
  FERRY_TRY(Ref<Label>, found, find_label(label));
  FERRY_RETURN_IF_ERROR(check_label_context("label", label, (*found)->context));
  if (HandleTable<Label>::instance().remove(label)) return ACL_SUCCESS;
  return find_label(label).status();  // another thread has destroyed it meanwhile
}

aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num, aclrtLabelList* labelList) {
  if (labels == nullptr) return fail_null("labels");
  if (labelList == nullptr) return fail_null("labelList");
  if (num == 0 || num > kMostListed) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "num", num).allowed("1 to %zu", kMostListed);
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(Ref<LabelList>, made, create_label_list(**context, {labels, num}));
  *labelList = (*made)->handle();
  return ACL_SUCCESS;
}

aclError aclrtDestroyLabelList(aclrtLabelList labelList) {
  if (labelList == nullptr) return fail_null("labelList");
  FERRY_TRY(Ref<LabelList>, found, find_label_list(labelList));
  FERRY_RETURN_IF_ERROR(check_label_context("labelList", labelList, (*found)->context));
  if (HandleTable<LabelList>::instance().remove(labelList)) return ACL_SUCCESS;
  return find_label_list(labelList).status();
}

aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream) {
  if (label == nullptr) return fail_null("label");
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Label>, found, find_label(label));
  FERRY_TRY(Ref<Stream>, on, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_label_context("label", label, (*found)->context));
  return set_label(*found, **on);
}

aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue, aclrtLabelList labelList,
                                 aclrtStream stream) {
  if (ptr == nullptr) return fail_null("ptr");
  if (labelList == nullptr) return fail_null("labelList");
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<LabelList>, list, find_label_list(labelList));
  FERRY_TRY(Ref<Stream>, on, find_stream(stream));
  if (maxValue == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "maxValue", maxValue)
        .allowed("1 or more, the number of labels");
  }
  FERRY_RETURN_IF_ERROR(require_current_context(**on));
  FERRY_RETURN_IF_ERROR(bound_lane(**on).status());
  return record_jump(ptr, maxValue, *list, **on);
}

}  // namespace ferry::api
