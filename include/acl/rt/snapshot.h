// SPDX-License-Identifier: Apache-2.0
// Chapter "snapshot": saving what a process has on a device, and restoring it. Nothing in this
// chapter is supported.
#ifndef ACL_RT_SNAPSHOT_H
#define ACL_RT_SNAPSHOT_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// When a callback is called.
typedef enum aclrtSnapShotStage {
  ACL_RT_SNAPSHOT_LOCK_PRE = 0,
  ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
  ACL_RT_SNAPSHOT_BACKUP_POST = 2,
  ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
  ACL_RT_SNAPSHOT_RESTORE_POST = 4,
  ACL_RT_SNAPSHOT_UNLOCK_POST = 5
} aclrtSnapShotStage;

/// Whether a process is held.
typedef enum aclrtProcessState {
  ACL_RT_PROCESS_STATE_RUNNING = 0,
  ACL_RT_PROCESS_STATE_LOCKED = 1
} aclrtProcessState;

/// How a process is saved.
typedef struct aclrtSnapShotBackupArgs {
  uint32_t backupFlags;
  char reserved[60];
} aclrtSnapShotBackupArgs;

/// How a process is restored.
typedef struct aclrtSnapShotRestoreArgs {
  uint32_t restoreFlags;
  char reserved[60];
} aclrtSnapShotRestoreArgs;

/// Called at a stage: device, `args` of the registration.
typedef uint32_t (*aclrtSnapShotCallBack)(int32_t, void*);

/// Holds a process: it can queue nothing more. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessLock(int pid, void* reserve);

/// Lets a process go on. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessUnlock(int pid, void* reserve);

/// Saves what a process has on its devices. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs* args);

/// Restores what was saved. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs* args);

/// Registers a function that is called at a stage. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage,
                                                           aclrtSnapShotCallBack callback,
                                                           void* args);

/// Undoes aclrtSnapShotCallbackRegister. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage,
                                                             aclrtSnapShotCallBack callback);

#ifdef __cplusplus
}
#endif

#endif
