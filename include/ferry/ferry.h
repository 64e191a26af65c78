// SPDX-License-Identifier: Apache-2.0
// Ferry's own functions in addition to AscendCL: for tests that count calls or make them fail, and
// for functions that stand in for kernels. Programs that use them are tied to Ferry; all others
// need only the headers in acl/.
#ifndef FERRY_FERRY_H
#define FERRY_FERRY_H

#include "../acl/acl_base_rt.h"
#include "kernel.h"

#include <stddef.h>
#include <stdint.h>

#define FERRY_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the version of the loaded library, such as "0.1.0".
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

/// Returns the parts of the latest error of the calling thread and changes nothing. The parts stay
/// readable after aclGetRecentErrMsg has returned the text.
/// [out] info  code is ACL_SUCCESS when no call of the thread has failed yet; the strings are valid
///             until the next call of the thread fails
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `info` is NULL, or its structSize is smaller than the struct
ACL_FUNC_VISIBILITY aclError ferryGetErrorInfo(ferryErrorInfo* info);

/// Lists what is wrong with the configuration: the environment variables that the library refuses,
/// then why the devices could not be opened, once a call has needed one. Calls that need the
/// configuration fail because of problem 0.
/// [in] index  counts from 0; the call fails past the last problem
/// [out] problem  argument is the variable; messageCode and function are "", so text has neither;
///                the strings are valid forever
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `problem` is NULL, its structSize is smaller than the struct, or
///                            `index` is past the last one
ACL_FUNC_VISIBILITY aclError ferryGetProblem(size_t index, ferryErrorInfo* problem);

// ---- injected failures and call counts ----
// One layer does both. It is not in the path of a call until one of these functions, or the
// environment variable FERRY_FAIL, switches it on. It then stays on.

/// Makes a function of the API fail: it returns `code` (or NULL or 0 if it does not return a code),
/// records a text, and does nothing else. Rules add up; the first that applies decides.
/// [in] function  name, such as "aclrtMemcpyBatchAsync"
/// [in] nth  which call from now on: 1 is the next one; 0 means every call
/// [in] code  any code but ACL_SUCCESS
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `function` is NULL or not a function of the API, or `code` is 0
ACL_FUNC_VISIBILITY aclError ferryFailCall(const char* function, uint64_t nth, aclError code);

/// Removes all failures of ferryFailCall and of the environment variable FERRY_FAIL.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError ferryClearFailures(void);

/// Sets the counts of all functions to 0 and starts counting if it was not started yet.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError ferryResetCallCounts(void);

/// Returned by ferryCallCount when there is no count.
#define FERRY_NOT_COUNTED UINT64_MAX

/// Gets how often a function of the API was called since ferryResetCallCounts, failed calls
/// included.
/// Returns the count, or FERRY_NOT_COUNTED with an error text when `function` is NULL or not a
/// function of the API, or counting was never started.
ACL_FUNC_VISIBILITY uint64_t ferryCallCount(const char* function);

// ---- traces ----
// A trace records all calls and all work in a file for timelines (docs/tracing.md). The variable
// FERRY_TRACE starts one with the first call. At most one trace runs at a time; a process that is
// forked does not record.

/// Starts a trace. What was in the file before is lost.
/// [in] path  a file, as JSON; compressed when the name ends in ".gz", a Perfetto trace when it
///            ends in ".pftrace"; a name that ends in "/" is a folder, which gets trace_view.json;
///            %p stands for the process id
/// [in] options  a comma list of "items" (addresses and sizes of all items of batches), "contents"
///               (hashes of what is copied from the host), "stacks" (whole stacks of calls) and
///               "ring=N" (keep only the latest N works in memory, and write them when the trace is
///               flushed or ends); may be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `path` is NULL or cannot be written, another process writes it,
///                            `options` is not such a list, or a trace is running
ACL_FUNC_VISIBILITY aclError ferryTraceStart(const char* path, const char* options);

/// Waits until everything that was recorded so far is in the file.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  no trace is running, or its file could not be written
ACL_FUNC_VISIBILITY aclError ferryTraceFlush(void);

/// Ends the trace, and waits until the file is complete. Calls and work that have not ended are
/// recorded as unfinished. The end of the process does the same.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  no trace is running, or its file could not be written
ACL_FUNC_VISIBILITY aclError ferryTraceStop(void);

// ---- functions that stand in for kernels ----

/// A function that stands in for a kernel.
typedef void (*ferryDeviceFunction)(void* arg);

/// Queues a function on a stream: it runs in stream order, on a thread that stands in for the
/// device. It may block without holding up other streams. ferryDeviceAddress works only inside it.
/// It runs to its end even if its stream is destroyed or its device is reset. Memory that is freed
/// while it runs is not given out again before it returns.
/// If it throws or ends its thread, the stream continues, and its next synchronisation returns
/// ACL_ERROR_RT_AICORE_EXCEPTION.
/// [in] stream  NULL for the default stream of the current context
/// [in] arg  passed on to `fn`; not interpreted
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `fn` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot run host functions
ACL_FUNC_VISIBILITY aclError ferryLaunchDeviceFunction(aclrtStream stream, ferryDeviceFunction fn,
                                                       void* arg);

/// Translates an address in device memory to one that the calling code can read and write.
/// Returns the address, or NULL with an error text when the caller is not inside a function of
/// ferryLaunchDeviceFunction, or `devPtr` is not in live device memory. The result is valid until
/// the function returns.
ACL_FUNC_VISIBILITY void* ferryDeviceAddress(const void* devPtr);

// ---- waits of the program's threads ----

/// Runs on a thread of the program that is about to sleep until queued work is done. Its result is
/// handed to the function that ends the wait.
typedef void* (*ferryWaitBegin)(void);
/// Runs on the same thread when the wait is over, whatever its outcome.
typedef void (*ferryWaitEnd)(void* token);

/// Names functions that are called around waits on CPU devices. A thread that holds a lock which
/// functions of a stream need can release it while it waits for that stream: the Python module
/// `ferry` does so with the lock of the interpreter. The functions must not call the library, and
/// must return.
/// [in] begin, end  both NULL: none are called from now on. Waits that have begun keep theirs.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  only one of the two is NULL
ACL_FUNC_VISIBILITY aclError ferrySetWaitFunctions(ferryWaitBegin begin, ferryWaitEnd end);

// ---- marks and ranges of the program ----
// Functions of aclprof, aclrtProfTrace and the functions here note what the program does. Ferry
// keeps the latest 8192 notes in memory while profiling is started, or ferryRecordMarks has
// switched recording on.

/// What a note says.
typedef enum ferryMarkKind {
  FERRY_MARK = 0,         ///< a point in time
  FERRY_RANGE_START = 1,  ///< may end on another thread
  FERRY_RANGE_END = 2,
  FERRY_RANGE_PUSH = 3,  ///< nested within its thread
  FERRY_RANGE_POP = 4,
  FERRY_STEP_START = 5,
  FERRY_STEP_END = 6,
  FERRY_TRACE_POINT = 7  ///< of aclrtProfTrace
} ferryMarkKind;

#define FERRY_MARK_NAME_SIZE 256
#define FERRY_MARK_DOMAIN_SIZE 64
/// The task of a note that the call itself has made.
#define FERRY_NO_TASK UINT32_MAX

/// One note. Texts that are too long were cut.
typedef struct ferryRecordedMark {
  uint32_t structSize;  ///< sizeof(ferryRecordedMark), set by the caller
  uint32_t kind;        ///< ferryMarkKind
  uint64_t time;        ///< nanoseconds of CLOCK_MONOTONIC
  uint64_t id;          ///< start and end of a range or step have the same; id of a trace point
  uint64_t model;       ///< of FERRY_TRACE_POINT
  uint32_t tag;         ///< of FERRY_TRACE_POINT; tensors of an operator of FERRY_RANGE_PUSH
  uint32_t thread;      ///< that made the call, as the kernel numbers it
  int32_t stream;       ///< id of the stream that the note is about; -1: none
  uint32_t task;        ///< which task of the stream has made the note, or FERRY_NO_TASK
  char name[FERRY_MARK_NAME_SIZE];
  char domain[FERRY_MARK_DOMAIN_SIZE];
} ferryRecordedMark;

/// Switches recording on or off for the program, whether profiling is started or not.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_BAD_ALLOC  the host has no memory for the list
ACL_FUNC_VISIBILITY aclError ferryRecordMarks(int on);

/// Returns how many notes were recorded since the process began.
ACL_FUNC_VISIBILITY uint64_t ferryMarkCount(void);

/// Gets a note by its place among all that were recorded, counted from 0.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `mark` is NULL, its structSize is smaller than the struct, or the
///                            note was overwritten or is yet to come
ACL_FUNC_VISIBILITY aclError ferryGetMark(uint64_t index, ferryRecordedMark* mark);

/// Notes a point in time.
/// [in] domain  groups notes; NULL counts as ""
/// [in] text  up to 255 bytes are kept
/// [in] stream  if it is not NULL, a task is queued there that makes the same note when it runs
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `text` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    a stream is given, and there is no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError ferryMark(const char* domain, const char* text, aclrtStream stream);

/// Begins a range that any thread may end; with a stream, tasks note its begin and end there, too.
/// [out] id  unique among the open ranges of the process, never 0
/// Returns as ferryMark; ACL_ERROR_INVALID_PARAM also when `id` is NULL.
ACL_FUNC_VISIBILITY aclError ferryRangeStart(const char* domain, const char* text,
                                             aclrtStream stream, uint64_t* id);

/// Ends a range of ferryRangeStart.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  the domain has no open range with this number
ACL_FUNC_VISIBILITY aclError ferryRangeEnd(const char* domain, uint64_t id);

// ---- snapshots ----

/// Sets how long aclrtSnapShotProcessLock waits for calls and tasks of the process to end; 10000 at
/// first.
ACL_FUNC_VISIBILITY void ferrySetSnapshotLimit(uint32_t milliseconds);

// ---- devices of the kind "null", for tests of error paths ----

/// Makes a slot of the null backend (FERRY_DEVICES=null) fail, or one kind of work.
/// [in] slot  a name of ferry/backend_slots.def; or queued work: "queue_copy", "queue_copy_2d",
///            "queue_copy_described", "queue_copy_indirect", "queue_fill", "queue_callout",
///            "queue_function", "queue_mark", "queue_await", "queue_set_flag", "queue_take_flag",
///            "queue_reduce", "queue_kernel"; or work during the call: "copy", "copy_2d", "fill"
/// [in] nth  which call from now on: 1 is the next one; 0 means every call
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `slot` is NULL, unknown, or cannot fail
ACL_FUNC_VISIBILITY aclError ferryNullFail(const char* slot, uint64_t nth, aclError code);

/// Removes all failures of ferryNullFail.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError ferryNullClear(void);

// ---- what the checker has found ----

/// Gets how often a rule of the checker has fired so far. Repetitions at the same place count,
/// suppressed findings do not.
/// [in] rule  name, such as "host-write-in-flight"; NULL for all rules of severity "error" together
/// Returns the count, which is 0 while the checker is off (FERRY_CHECK) or the rule is muted, or
/// FERRY_NOT_COUNTED with an error text when there is no rule of that name.
ACL_FUNC_VISIBILITY uint64_t ferryCheckCount(const char* rule);

/// Gets all findings so far: the text of the FERRY_REPORT file as it would be written now. No such
/// file is needed.
/// [out] text  gets the text and a final 0, cut to `size` bytes; may be NULL when `size` is 0
/// Returns the length of the whole text without the final 0; 0 while the checker is off.
ACL_FUNC_VISIBILITY size_t ferryCheckReport(char* text, size_t size);

/// Writes the stack of the script that the calling thread runs: one frame per line, innermost
/// first, as "function  file:line" with two spaces between, and only whole lines. It may run in a
/// signal handler, when the thread has just touched memory that it must not touch. It must not call
/// the API, nor change errno.
/// Returns the number of bytes written to `text`, at most `size`; 0 when the thread runs no script.
typedef size_t (*ferryScriptStack)(char* text, size_t size);

/// For code that embeds an interpreter, or is embedded in one: provides its stacks to the reports
/// of the checker. `provider` is called on the thread that called the API, without locks of the
/// library, so it may wait for the interpreter's own lock. It is called only while the checker is
/// on.
/// [in] provider  replaces an earlier one; NULL removes it
ACL_FUNC_VISIBILITY void ferrySetScriptStack(ferryScriptStack provider);

/// For bindings of a framework: says what the calling thread submits from now on, in the terms of
/// the framework, such as "aten::add(float32[4, 8], 2)". Reports of the checker have it beside the
/// exported function.
/// [in] text  must stay as it is until it is replaced; NULL: none
/// Returns what was noted before.
ACL_FUNC_VISIBILITY const char* ferryNoteWork(const char* text);

/// For allocators that cut blocks out of device memory: a block was handed out, or is taken back.
/// Reports of races on its memory then say where it was released, if it was in between. Does
/// nothing while the checker is off.
/// [in] devPtr  the first byte of the block
ACL_FUNC_VISIBILITY void ferryNoteBlockTaken(const void* devPtr);
ACL_FUNC_VISIBILITY void ferryNoteBlockReleased(const void* devPtr);

/// Whether traces want to know which line of a script makes a call. Reads a flag.
/// Returns 1 while a trace is running, else 0.
ACL_FUNC_VISIBILITY int ferryWantsScriptPlaces(void);

/// For bindings of an interpreter: says where the script is that makes the calls of this thread
/// from now on. Traces have it with each call. Unlike the provider of ferrySetScriptStack it is not
/// asked during a call, when asking could have to wait for the interpreter's lock.
/// [in] place  "function  file:line", which must stay as it is until the process ends; NULL: none
/// Returns what was noted before.
ACL_FUNC_VISIBILITY const char* ferryNoteScriptPlace(const char* place);

/// Gets how many findings of a rule so far do not explain a code that a call has returned: misuse
/// that the program did not learn of in another way. For tests that misuse the API on purpose to
/// see the code. A rule explains only certain codes: stale-handle explains 107017, no race explains
/// any.
/// [in] rule  name, such as "stale-handle"
/// Returns the count, as ferryCheckCount does.
ACL_FUNC_VISIBILITY uint64_t ferryCheckUnexplained(const char* rule);

// ---- lists that the program ferry shows ----

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

/// A rule of the checker.
typedef struct ferryRule {
  const char* name;      ///< as in FERRY_CHECK and FERRY_MUTE
  const char* severity;  ///< "error" or "note"
  int mutedByDefault;    ///< reported only when FERRY_CHECK names it
  const char* summary;   ///< one sentence: what it reports
  const char* advice;    ///< what to do about it
} ferryRule;

/// Lists the rules of the checker, whether it is on or off: `index` counts from 0 until the call
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

/// Describes a device, given by the number the program uses for it. Opens it if necessary.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `device` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_DEV_SETUP_ERROR   the device cannot be opened
ACL_FUNC_VISIBILITY aclError ferryGetDevice(int32_t deviceId, ferryDevice* device);

/// One way in which a device moves bytes, and how often it was used.
typedef struct ferryCopyWay {
  const char* name;          ///< such as "copy", "batched copy", "kernel", "staged"
  const char* reason;        ///< why the latest task took this way; "" before the first
  uint64_t tasks;            ///< tasks that took this way, wholly or in part
  uint64_t bytes;            ///< bytes moved this way
  uint32_t multiprocessors;  ///< used by the latest kernel; 0 where there is none
} ferryCopyWay;

/// Lists the ways in which a device moves bytes: `index` counts from 0 until the call fails.
/// Devices that have only one, such as those of the kind "cpu", list none. Opens the device if
/// necessary.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `way` is NULL, or `index` is past the last one
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_DEV_SETUP_ERROR   the device cannot be opened
ACL_FUNC_VISIBILITY aclError ferryGetCopyWay(int32_t deviceId, size_t index, ferryCopyWay* way);

/// What the fabric of this process has done so far: memory of other hosts (docs/fabric.md).
typedef struct ferryFabricCounts {
  uint32_t structSize;      ///< sizeof(ferryFabricCounts), set by the caller
  uint32_t peers;           ///< processes of other hosts that are connected now
  uint32_t objectsInUse;    ///< their memory, notifies and events that this process has open
  uint32_t objectsLent;     ///< those of this process that they have open
  uint64_t bytesPut;        ///< copied to other hosts
  uint64_t bytesGot;        ///< copied from other hosts
  uint64_t bytesStaged;     ///< of both, copied once more on this host
  uint64_t bytesRelayed;    ///< of both, passed on through this host: from one host to another
  uint64_t requests;        ///< sent to peers
  uint64_t packedRequests;  ///< of them, with several small blocks
  uint64_t signals;         ///< records of notifies of peers
  uint64_t retries;         ///< requests that were put off because too many were in flight
  uint64_t refused;         ///< connections that were refused
  uint64_t lost;            ///< peers that ended or did not answer
} ferryFabricCounts;

/// Gets the counts of the fabric.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `counts` is NULL, or its structSize is too small
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  FERRY_FABRIC is not set, or no device was opened yet
ACL_FUNC_VISIBILITY aclError ferryGetFabricCounts(ferryFabricCounts* counts);

/// Writes what the fabric has done, for people: counts, and a line per peer with the transports
/// that UCX has chosen.
/// [in] everyProcess  0: of this process; 1: of all processes of this user on this host that have a
///                    fabric and answer
/// [out] text  at most `size` bytes, with a final 0; may be NULL if `size` is 0
/// Returns the length without the final 0; 0 when there is nothing to tell.
ACL_FUNC_VISIBILITY size_t ferryFabricReport(int everyProcess, char* text, size_t size);

/// Gets the schedule, which decides when queued work runs on CPU devices.
/// [out] seed  of the schedule "shuffle", else 0; may be NULL
/// Returns "eager", "lazy" or "shuffle", or NULL with an error text when the configuration is
/// invalid.
ACL_FUNC_VISIBILITY const char* ferryGetSchedule(uint64_t* seed);

/// A product that FERRY_SOC can name, and what it supports.
typedef struct ferryProduct {
  const char* name;        ///< what aclrtGetSocName returns
  const char* family;      ///< "A2", "A3", "950" or "earlier"
  int batchCopy;           ///< aclrtMemcpyBatch and its variants
  int descriptorCopy;      ///< aclrtSetMemcpyDesc, aclrtMemcpyAsyncWithDesc and ...WithOffset
  int memsetD32;           ///< aclrtMemsetD32 and its variants
  int copy2dInsideDevice;  ///< aclrtMemcpy2dAsync from device to device
  int peerAccessNeeded;    ///< copies between devices need aclrtDeviceEnablePeerAccess first
} ferryProduct;

/// Lists the products: `index` counts from 0 until the call fails.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `product` is NULL, or `index` is past the last one
ACL_FUNC_VISIBILITY aclError ferryGetProduct(size_t index, ferryProduct* product);

/// A function of AscendCL that the library exports. Texts live forever.
typedef struct ferryFunction {
  const char* name;
  const char* chapter;  ///< of the API, for example "virtual memory"
  int works;            ///< 0: it refuses with ACL_ERROR_RT_FEATURE_NOT_SUPPORT
} ferryFunction;

/// Lists the functions, chapter by chapter: `index` counts from 0 until the call fails.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `function` is NULL, or `index` is past the last one
ACL_FUNC_VISIBILITY aclError ferryGetFunction(size_t index, ferryFunction* function);

#ifdef __cplusplus
}
#endif

#endif
