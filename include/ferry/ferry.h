// SPDX-License-Identifier: Apache-2.0
// Ferry's own functions beside the AscendCL interface: for tests that count calls or make them
// fail, and for code that plays a kernel. Programs that use them are tied to Ferry; all others need
// no more than the headers in acl/.
#ifndef FERRY_FERRY_H
#define FERRY_FERRY_H

#include "../acl/acl_base_rt.h"

#include <stddef.h>
#include <stdint.h>

#define FERRY_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the version of the library that is loaded, such as "0.1.0".
ACL_FUNC_VISIBILITY const char* ferryVersion(void);

// ---- the fields of an error ----

/// An error by its parts. A string is "" where a part does not apply, never NULL.
typedef struct ferryErrorInfo {
  uint32_t structSize;      ///< sizeof(ferryErrorInfo), set by the caller
  aclError code;            ///< ACL_SUCCESS when there is no error
  const char* messageCode;  ///< the code in brackets at the end of the text, such as "EE1003"
  const char* function;     ///< the call that failed, such as "aclrtMemcpyAsync"
  const char* argument;     ///< which argument is to blame, such as "count" or "dsts[3]"
  const char* value;        ///< what it was, such as "64"
  const char* allowed;      ///< what it may be, such as "0 to destMax = 63"
  const char* text;         ///< the whole text, as aclGetRecentErrMsg returns it
} ferryErrorInfo;

/// Tells the parts of the latest error of the calling thread, and changes nothing:
/// aclGetRecentErrMsg returns the text afterwards, and when it has returned it, the parts are still
/// there. [out] info  code is ACL_SUCCESS when no call of the thread has failed yet. The strings
/// are good
///             until the next call of the thread fails.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `info` is NULL, or its structSize is smaller than the struct
ACL_FUNC_VISIBILITY aclError ferryGetErrorInfo(ferryErrorInfo* info);

/// Lists what is wrong with the configuration: the environment variables that the library refuses,
/// then why the devices could not be opened, once a call has needed one. `index` counts from 0
/// until the call fails. Calls that need the configuration fail because of problem 0. [out] problem
/// argument is the variable; messageCode and function are "", and so text has neither.
///                The strings are good for ever.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `problem` is NULL, its structSize is smaller than the struct, or
///                            `index` is past the last one
ACL_FUNC_VISIBILITY aclError ferryGetProblem(size_t index, ferryErrorInfo* problem);

// ---- calls that fail on purpose, and calls that are counted ----
// Both are one layer that is not in the path of a call until one of these functions, or the
// environment variable FERRY_FAIL, switches it on. It stays on.

/// Makes a function of the API fail: it returns `code` (or NULL or 0 when it returns no code),
/// records a text, and does nothing else. Rules add up; the first that applies decides.
/// [in] function  name, such as "aclrtMemcpyBatchAsync"
/// [in] nth  which call from now on: 1 is the next one; 0 means every call
/// [in] code  any code but ACL_SUCCESS
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `function` is NULL or no function of the API, or `code` is 0
ACL_FUNC_VISIBILITY aclError ferryFailCall(const char* function, uint64_t nth, aclError code);

/// Takes back all failures of ferryFailCall and of the environment variable FERRY_FAIL.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError ferryClearFailures(void);

/// Sets the counts of all functions to 0 and starts counting, if it was not started yet.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError ferryResetCallCounts(void);

/// What ferryCallCount returns when there is no count.
#define FERRY_NOT_COUNTED UINT64_MAX

/// Tells how often a function of the API was called since ferryResetCallCounts, failed calls
/// included.
/// Returns the count, or FERRY_NOT_COUNTED with an error text when `function` is NULL or no
/// function of the API, or counting was never started.
ACL_FUNC_VISIBILITY uint64_t ferryCallCount(const char* function);

// ---- code that plays a kernel ----

/// A function that plays a kernel.
typedef void (*ferryDeviceFunction)(void* arg);

/// Queues a function on a stream: it runs in stream order, on a thread that plays the device. It
/// may block without holding up other streams. Only inside it does ferryDeviceAddress work.
/// [in] stream  NULL for the default stream of the current context
/// [in] arg  passed on to `fn`; never looked at
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `fn` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is no stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run functions of the host
ACL_FUNC_VISIBILITY aclError ferryLaunchDeviceFunction(aclrtStream stream, ferryDeviceFunction fn,
                                                       void* arg);

/// Translates an address in device memory to one that the calling code can read and write.
/// Returns the address, or NULL with an error text when the caller is not inside a function of
/// ferryLaunchDeviceFunction, or `devPtr` is not in live device memory. The result is good until
/// the function returns.
ACL_FUNC_VISIBILITY void* ferryDeviceAddress(const void* devPtr);

// ---- devices of the kind "null", for tests of error paths ----

/// Makes a function of the null backend (FERRY_DEVICES=null) fail; ferry/backend.h has the names.
/// [in] slot  name, such as "queue_copy"
/// [in] nth  which call from now on: 1 is the next one; 0 means every call
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `slot` is NULL, unknown, or cannot fail
ACL_FUNC_VISIBILITY aclError ferryNullFail(const char* slot, uint64_t nth, aclError code);

/// Takes back all failures of ferryNullFail.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError ferryNullClear(void);

// ---- what the check has found ----

/// Tells how often a rule of the check has fired so far, every time at the same place included, and
/// suppressed findings excluded.
/// [in] rule  name, such as "host-write-in-flight"; NULL for all rules of severity "error" together
/// Returns the count, which is 0 while the check is off (FERRY_CHECK) or the rule is muted, or
/// FERRY_NOT_COUNTED with an error text when there is no rule of that name.
ACL_FUNC_VISIBILITY uint64_t ferryCheckCount(const char* rule);

/// Tells all that the check has found so far: the text of the file of FERRY_REPORT, as it would be
/// written now. No such file is needed.
/// [out] text  gets the text and a final 0, cut to `size` bytes; may be NULL when `size` is 0
/// Returns the length of the whole text without the final 0; 0 while the check is off.
ACL_FUNC_VISIBILITY size_t ferryCheckReport(char* text, size_t size);

/// Writes the stack of the script that the calling thread runs: one frame a line, innermost first,
/// as "function  file:line" with two spaces between, and whole lines only. It may run where the
/// thread has just touched memory that it must not touch, inside a signal handler; it must not call
/// the API, nor change errno.
/// Returns the number of bytes written to `text`, at most `size`; 0 when the thread runs no script.
typedef size_t (*ferryScriptStack)(char* text, size_t size);

/// Who embeds an interpreter, or is embedded in one, offers its stacks: reports of the check then
/// show them. `provider` is called on the thread that called the API, without locks of the library,
/// so it may wait for the interpreter's own lock. It is called only while the check is on.
/// [in] provider  replaces an earlier one; NULL takes it back
ACL_FUNC_VISIBILITY void ferrySetScriptStack(ferryScriptStack provider);

/// Tells how many findings of a rule there are so far that explain no code a call has returned:
/// what the program has not been told in another way. For tests that misuse the API on purpose to
/// see the code. A rule explains certain codes only: stale-handle explains 107017, no race explains
/// any.
/// [in] rule  name, such as "stale-handle"
/// Returns the count, as ferryCheckCount does.
ACL_FUNC_VISIBILITY uint64_t ferryCheckUnexplained(const char* rule);

// ---- what the program ferry shows ----

/// An environment variable that configures the library.
typedef struct ferryVariable {
  const char* name;
  const char* values;   ///< what is allowed
  const char* meaning;  ///< what it does, and the default
} ferryVariable;

/// Lists the variables: `index` counts from 0 until the call fails.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `variable` is NULL, or `index` is past the last one
ACL_FUNC_VISIBILITY aclError ferryGetVariable(size_t index, ferryVariable* variable);

/// A rule of the check.
typedef struct ferryRule {
  const char* name;      ///< as in FERRY_CHECK and FERRY_MUTE
  const char* severity;  ///< "error" or "note"
  int mutedByDefault;    ///< reported only when FERRY_CHECK names it
  const char* summary;   ///< one sentence: what it reports
  const char* advice;    ///< what to do about it
} ferryRule;

/// Lists the rules of the check, whether it is on or off: `index` counts from 0 until the call
/// fails.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `rule` is NULL, or `index` is past the last one
ACL_FUNC_VISIBILITY aclError ferryGetRule(size_t index, ferryRule* rule);

/// A device of the program.
typedef struct ferryDevice {
  const char* kind;  ///< "cpu", "cuda" or "null"
  uint64_t memory;   ///< its capacity in bytes
  const char* name;  ///< as its vendor calls it, such as "NVIDIA H200"; "" when it has no name
} ferryDevice;

/// Describes a device by the number the program uses for it. Opens it if it was not open yet.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `device` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_DEV_SETUP_ERROR   the device cannot be opened
ACL_FUNC_VISIBILITY aclError ferryGetDevice(int32_t deviceId, ferryDevice* device);

/// One way in which a device moves bytes, and how often it was taken.
typedef struct ferryCopyWay {
  const char* name;          ///< such as "copy", "batched copy", "kernel", "staged"
  const char* reason;        ///< why the latest task went this way; "" before the first
  uint64_t tasks;            ///< so many tasks went this way, or a part of them
  uint64_t bytes;            ///< so many bytes in all
  uint32_t multiprocessors;  ///< used by the latest kernel; 0 where there is none
} ferryCopyWay;

/// Lists the ways in which a device moves bytes: `index` counts from 0 until the call fails.
/// Devices that have only one, such as those of the kind "cpu", list none. Opens the device if it
/// was not open yet. Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `way` is NULL, or `index` is past the last one
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_DEV_SETUP_ERROR   the device cannot be opened
ACL_FUNC_VISIBILITY aclError ferryGetCopyWay(int32_t deviceId, size_t index, ferryCopyWay* way);

/// Tells when queued work runs on CPU devices.
/// [out] seed  of the schedule "shuffle", else 0; may be NULL
/// Returns "eager", "lazy" or "shuffle", or NULL with an error text when the configuration is
/// wrong.
ACL_FUNC_VISIBILITY const char* ferryGetSchedule(uint64_t* seed);

/// A product that FERRY_SOC can name, and what it has.
typedef struct ferryProduct {
  const char* name;        ///< what aclrtGetSocName answers
  const char* family;      ///< "A2", "A3", "950" or "earlier"
  int batchCopy;           ///< aclrtMemcpyBatch and its kin
  int descriptorCopy;      ///< aclrtSetMemcpyDesc, aclrtMemcpyAsyncWithDesc and ...WithOffset
  int memsetD32;           ///< aclrtMemsetD32 and its kin
  int copy2dInsideDevice;  ///< aclrtMemcpy2dAsync from device to device
  int peerAccessNeeded;    ///< copies between devices need aclrtDeviceEnablePeerAccess first
} ferryProduct;

/// Lists the products: `index` counts from 0 until the call fails.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `product` is NULL, or `index` is past the last one
ACL_FUNC_VISIBILITY aclError ferryGetProduct(size_t index, ferryProduct* product);

#ifdef __cplusplus
}
#endif

#endif
