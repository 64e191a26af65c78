// SPDX-License-Identifier: Apache-2.0
// Chapter "snapshot": saving what a process has on its devices, and restoring it, within the same
// process. The states of a process:
//   running -> Lock -> locked -> Backup -> backed up -> Restore -> locked -> Unlock -> running
// While it is not running, allocations, copies, creations and submissions of all threads but the
// one that locked it wait. Synchronising, querying, freeing and destroying go on.
//
// Before and after each operation the callbacks of that stage are called, on the calling thread, in
// the order of their registration, once per device that has a context. When one returns anything
// but 0, or does not return, the operation returns ACL_ERROR_SNAPSHOT_CALLBACK_FAILED: a callback
// before the operation prevents it, one after it does not undo it.
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

/// Holds the process: other threads can queue nothing more. Waits until calls inside and queued
/// tasks are done, up to 10 s (ferrySetSnapshotLimit).
/// [in] reserve  must be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM             `pid` is not that of the process, or `reserve` is not NULL
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT    the emulated product does not support this
///   ACL_ERROR_SNAPSHOT_LOCK_FAILED      the process is not running
///   ACL_ERROR_SNAPSHOT_CALLBACK_FAILED  a callback has failed
///   ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT     calls or tasks were not done in time; the process goes on
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessLock(int pid, void* reserve);

/// Lets the process go on, from any thread. What was saved is dropped.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM             `pid` is not that of the process, or `reserve` is not NULL
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT    the emulated product does not support this
///   ACL_ERROR_SNAPSHOT_UNLOCK_FAILED    the process is running
///   ACL_ERROR_SNAPSHOT_CALLBACK_FAILED  a callback has failed; the process goes on
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessUnlock(int pid, void* reserve);

/// Saves the contents of all device memory on the host.
/// [in] args  must be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM             `pid` is not that of the process, or `args` is not NULL
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT    the emulated product does not support this
///   ACL_ERROR_SNAPSHOT_BACKUP_FAILED    the process is not locked, or is backed up; or the host
///   has
///                                       not enough memory
///   ACL_ERROR_SNAPSHOT_CALLBACK_FAILED  a callback has failed
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs* args);

/// Restores the contents of device memory that was saved and is still allocated.
/// [in] args  must be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM             `pid` is not that of the process, or `args` is not NULL
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT    the emulated product does not support this
///   ACL_ERROR_SNAPSHOT_RESTORE_FAILED   the process is not backed up, or a copy failed
///   ACL_ERROR_SNAPSHOT_CALLBACK_FAILED  a callback has failed
ACL_FUNC_VISIBILITY aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs* args);

/// Registers a function that is called at a stage.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM                      `callback` is NULL
///   ACL_ERROR_RT_PARAM_INVALID                   `stage` is unknown
///   ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED  it is registered for this stage already
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage,
                                                           aclrtSnapShotCallBack callback,
                                                           void* args);

/// Undoes aclrtSnapShotCallbackRegister.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `callback` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `stage` is unknown, or `callback` is not registered for it
ACL_FUNC_VISIBILITY aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage,
                                                             aclrtSnapShotCallBack callback);

#ifdef __cplusplus
}
#endif

#endif
