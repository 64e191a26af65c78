// SPDX-License-Identifier: Apache-2.0
// Chapter "device": setting a device, resetting it, waiting for it. What a device is and can do is
// in device_info.h, its numbers are in device_id.h, access between devices is in peer_access.h.
#ifndef ACL_RT_DEVICE_H
#define ACL_RT_DEVICE_H

#include "../acl_base_rt.h"

// Devices are numbered from 0 to the count of aclrtGetDeviceCount minus one.

#ifdef __cplusplus
extern "C" {
#endif

/// Where the program runs.
typedef enum aclrtRunMode {
  ACL_DEVICE = 0,  ///< on the device itself
  ACL_HOST = 1     ///< on a host
} aclrtRunMode;

/// Task scheduler of a device.
typedef enum aclrtTsId {
  ACL_TS_ID_AICORE = 0,    ///< of the AI cores
  ACL_TS_ID_AIVECTOR = 1,  ///< of the vector cores
  ACL_TS_ID_RESERVED = 2   ///< no scheduler
} aclrtTsId;

/// Health of a device.
typedef enum aclrtDeviceStatus {
  ACL_RT_DEVICE_STATUS_NORMAL = 0,    ///< it works
  ACL_RT_DEVICE_STATUS_ABNORMAL = 1,  ///< it does not work
  ACL_RT_DEVICE_STATUS_END = 0xFFFF   ///< no status
} aclrtDeviceStatus;

/// When a callback of aclrtRegDeviceStateCallback is called.
typedef enum aclrtDeviceState {
  ACL_RT_DEVICE_STATE_SET_PRE = 0,
  ACL_RT_DEVICE_STATE_SET_POST = 1,
  ACL_RT_DEVICE_STATE_RESET_PRE = 2,
  ACL_RT_DEVICE_STATE_RESET_POST = 3
} aclrtDeviceState;

/// Limits of aclrtDeviceSetLimit.
typedef enum aclrtDeviceLimit {
  ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0,
  ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1,
  ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2,
  ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3,
  ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4
} aclrtDeviceLimit;

/// Called when a device is set or reset.
typedef void (*aclrtDeviceStateCallback)(int32_t, aclrtDeviceState, void*);

/// Reports how many devices there are. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `count` is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t* count);

/// Sets the device of the calling thread and counts its users. The thread's current context becomes
/// the device's default context, which all threads that set the device share; it is created on the
/// first call in the process.
/// Blocking: while the device is opened for the first time.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_DEV_SETUP_ERROR   the device cannot be opened
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/// Undoes one aclrtSetDevice of any thread. The last one waits for the work in the default context,
/// then destroys this context with its streams. Device memory outlives it, and is freed with
/// aclrtFree.
/// Blocking: the last one, until the default context's work is done.
/// Threads: with the last one, no other thread may use the default context any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_DEVICEID       there is no device `deviceId`
///   ACL_ERROR_RT_CONTEXT_RELEASE_ERROR  the device is not set, or was already reset
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/// Does at once what the last aclrtResetDevice does, regardless of how often the device was set.
/// Work that has not started is dropped, and waits for it return ACL_ERROR_RT_STREAM_ABORT.
/// Blocking: at most until running tasks are done.
/// Threads: no other thread may use the default context any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_INVALID_DEVICEID       there is no device `deviceId`
///   ACL_ERROR_RT_CONTEXT_RELEASE_ERROR  the device is not set, or was already reset
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/// Gets the device of the current context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `deviceId` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t* deviceId);

/// Reports where the program runs: always ACL_HOST. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `runMode` is NULL
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode* runMode);

/// Chooses a task scheduler. There is one here: the call has no effect.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `tsId` is not ACL_TS_ID_AICORE or ACL_TS_ID_AIVECTOR
ACL_FUNC_VISIBILITY aclError aclrtSetTsDevice(aclrtTsId tsId);

/// Waits until all work queued so far on the device of the current context is done.
/// Blocking: until then, without a time limit.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
///   (a task's code)            of a task that failed since the last synchronisation of its
///                              stream, which returns it again: this call clears nothing
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/// As aclrtSynchronizeDevice, for a limited time.
/// [in] timeout  milliseconds, or -1 for no limit
/// Blocking: until the work is done or the time limit has passed.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `timeout` is 0 or less than -1
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_SYNC_TIMEOUT  the time limit has passed; the work goes on
///   (a task's code)                   as for aclrtSynchronizeDevice
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/// Reports whether a device works. Needs no context.
/// [out] deviceStatus  ACL_RT_DEVICE_STATUS_NORMAL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `deviceStatus` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtQueryDeviceStatus(int32_t deviceId,
                                                    aclrtDeviceStatus* deviceStatus);

/// Gets the process id as the system knows it outside of any container. Here it is the process's
/// own id. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `pid` is NULL
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetBareTgid(int32_t* pid);

/// Registers under a name a function that is called before and after aclrtSetDevice,
/// aclrtResetDevice and aclrtResetDeviceForce, in the same thread. After a call that fails it is
/// not called.
/// [in] callback  NULL removes the one of that name, if there is one
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `regName` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  the name is in use
ACL_FUNC_VISIBILITY aclError aclrtRegDeviceStateCallback(const char* regName,
                                                         aclrtDeviceStateCallback callback,
                                                         void* args);

/// Changes a limit for kernels of the current context's device, for all of the process. The limit
/// is kept and has no effect.
/// [in] value  bytes. ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE: 1 to 196608, rounded up to 16 KiB.
///             ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE: 1024 to 67108864, rounded up to 8.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `limit` is none of aclrtDeviceLimit, or `value` is more than
///                                     UINT32_MAX
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  a limit of SIMT kernels, which only Ascend 950 has
///   ACL_ERROR_RT_PARAM_INVALID        `value` is not allowed
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
ACL_FUNC_VISIBILITY aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);

/// Reads a limit of aclrtDeviceSetLimit. At first the stack has 32768 bytes, and the buffer for
/// printing 1048576 bytes per core.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `value` is NULL, or `limit` is none of aclrtDeviceLimit
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  a limit of SIMT kernels, which only Ascend 950 has
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value);

/// Writes the second-level cache of the device back to memory. Caches are coherent here: it does
/// nothing.
/// [in] rsv  NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM    `rsv` is not NULL
///   ACL_ERROR_RT_CONTEXT_NULL  no current context
ACL_FUNC_VISIBILITY aclError aclrtDeviceL2CacheFlush(void* rsv);

#ifdef __cplusplus
}
#endif

#endif
