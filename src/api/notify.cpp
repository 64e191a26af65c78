// SPDX-License-Identifier: Apache-2.0
// Notifies.
#include "core/notify.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/event.h"

#include <string>
#include <vector>

namespace ferry::api {

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag) {
  if (notify == nullptr) return fail_null("notify");
  if (flag != ACL_NOTIFY_DEFAULT && flag != ACL_NOTIFY_DEVICE_USE_ONLY) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", flag).allowed("0 or 1");
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(Ref<Notify>, made, Notify::create((*context)->device()));
  *notify = (*made)->handle();
  return ACL_SUCCESS;
}

aclError aclrtDestroyNotify(aclrtNotify notify) {
  FERRY_RETURN_IF_ERROR(find_notify(notify).status());
  if (HandleTable<Notify>::instance().remove(notify)) return ACL_SUCCESS;
  return find_notify(notify).status();  // another thread has destroyed it meanwhile
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
  FERRY_TRY(Ref<Notify>, found, find_notify(notify));
  FERRY_TRY(Ref<Stream>, on, stream_of_current_context(stream));
  return (*found)->record(**on);
}

aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) {
  constexpr uint32_t kDefaultWait = 0xFFFFFFFF;
  FERRY_TRY(Ref<Notify>, found, find_notify(notify));
  FERRY_TRY(Ref<Stream>, waiting, stream_of_current_context(stream));
  int64_t wait = default_wait();
  if (timeout != kDefaultWait) {
    wait = timeout == 0 ? FERRYX_FOREVER : int64_t{timeout} * 1'000'000'000;
  }
  return (*found)->make_stream_wait(**waiting, wait);
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId) {
  if (notify == nullptr) return fail_null("notify");
  if (notifyId == nullptr) return fail_null("notifyId");
  FERRY_TRY(Ref<Notify>, found, find_notify(notify));
  *notifyId = (*found)->id();
  return ACL_SUCCESS;
}

aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num) {
  if (notifies == nullptr) return fail_null("notifies");
  if (num == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "num", 0).allowed("1 or more");
  std::vector<Ref<Notify>> all;
  for (size_t i = 0; i < num; ++i) {
    if (notifies[i] == nullptr) return fail_null({"notifies", i});
    FERRY_TRY(Ref<Notify>, found,
              find_notify(notifies[i], ("notifies[" + std::to_string(i) + "]").c_str()));
    FERRY_RETURN_IF_ERROR((*found)->check_clearable());
    all.push_back(*found);
  }
  for (const Ref<Notify>& notify : all)
    FERRY_RETURN_IF_ERROR(notify->clear());
  return ACL_SUCCESS;
}

}  // namespace ferry::api
