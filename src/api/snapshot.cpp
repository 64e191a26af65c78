// SPDX-License-Identifier: Apache-2.0
// Snapshots of the process. The first call puts the layer in place that can hold other calls.
#include "core/profile/snapshot.h"

#include "api/adapters.h"
#include "api/init.h"
#include "base/status.h"
#include "core/runtime.h"

#include <unistd.h>

namespace ferry::api {
namespace {

Status check_process(int pid, const char* argument, const void* reserved) {
  if (pid != getpid()) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "pid", pid)
        .allowed("%d, this process", getpid());
  }
  if (reserved != nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, argument, reserved).allowed("NULL");
  }
  if (!soc().traits->snapshots) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "%s does not support snapshots",
                soc().name);
  }
  switch_snapshots_on();
  return {};
}

Status check_stage(aclrtSnapShotStage stage) {
  if (stage >= ACL_RT_SNAPSHOT_LOCK_PRE && stage <= ACL_RT_SNAPSHOT_UNLOCK_POST) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "stage", stage)
      .allowed("%d to %d", ACL_RT_SNAPSHOT_LOCK_PRE, ACL_RT_SNAPSHOT_UNLOCK_POST);
}

}  // namespace

aclError aclrtSnapShotProcessLock(int pid, void* reserve) {
  FERRY_RETURN_IF_ERROR(check_process(pid, "reserve", reserve));
  return lock_process();
}

aclError aclrtSnapShotProcessUnlock(int pid, void* reserve) {
  FERRY_RETURN_IF_ERROR(check_process(pid, "reserve", reserve));
  return unlock_process();
}

aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs* args) {
  FERRY_RETURN_IF_ERROR(check_process(pid, "args", args));
  return back_up_process();
}

aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs* args) {
  FERRY_RETURN_IF_ERROR(check_process(pid, "args", args));
  return restore_process();
}

aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback,
                                       void* args) {
  if (callback == nullptr) return fail_null("callback");
  FERRY_RETURN_IF_ERROR(check_stage(stage));
  switch_snapshots_on();
  return add_snapshot_callback(stage, callback, args);
}

aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback) {
  if (callback == nullptr) return fail_null("callback");
  FERRY_RETURN_IF_ERROR(check_stage(stage));
  return remove_snapshot_callback(stage, callback);
}

}  // namespace ferry::api
