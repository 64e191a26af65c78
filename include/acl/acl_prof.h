// SPDX-License-Identifier: Apache-2.0
// Chapter "profiling": recording what the device and the software do. A session is opened by
// aclprofInit and ended by aclprofFinalize; between aclprofStart and aclprofStop, Ferry records the
// marks, ranges and steps of the program. Ferry measures no operators and no hardware, and writes
// no files of CANN's profiler.
#ifndef INC_EXTERNAL_ACL_PROF_H_
#define INC_EXTERNAL_ACL_PROF_H_

#include "acl_base.h"

// What aclprofCreateConfig records.
#define ACL_PROF_ACL_API 0x0001ULL
#define ACL_PROF_TASK_TIME 0x0002ULL
#define ACL_PROF_AICORE_METRICS 0x0004ULL
#define ACL_PROF_AICPU 0x0008ULL
#define ACL_PROF_L2CACHE 0x0010ULL
#define ACL_PROF_HCCL_TRACE 0x0020ULL
#define ACL_PROF_TRAINING_TRACE 0x0040ULL
#define ACL_PROF_MSPROFTX 0x0080ULL
#define ACL_PROF_RUNTIME_API 0x0100ULL
#define ACL_PROF_GE_API_L0 0x0200ULL
#define ACL_PROF_TASK_TIME_L0 0x0800ULL
#define ACL_PROF_TASK_MEMORY 0x1000ULL
#define ACL_PROF_TASK_TIME_L2 0x2000ULL
#define ACL_PROF_OP_ATTR 0x4000ULL
#define ACL_PROF_TASK_TIME_L3 0x8000ULL
#define ACL_PROF_GE_API_L1 0x01000000ULL
#define ACL_PROF_API_STATS 0x400000000ULL
#define ACL_PROF_AICORE_SHAPE 0x800000000ULL

// Sizes.
#define ACL_PROF_MAX_OP_NAME_LEN 257
#define ACL_PROF_MAX_OP_TYPE_LEN 65
#define ACL_PROF_TENSOR_DATA_SHAPE_LEN 8
#define ACL_PROF_EVENT_ATTR_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/// Which figures of the AI cores are recorded.
typedef enum aclprofAicoreMetrics {
  ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
  ACL_AICORE_PIPE_UTILIZATION = 1,
  ACL_AICORE_MEMORY_BANDWIDTH = 2,
  ACL_AICORE_L0B_AND_WIDTH = 3,
  ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
  ACL_AICORE_MEMORY_UB = 5,
  ACL_AICORE_L2_CACHE = 6,
  ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
  ACL_AICORE_MEMORY_ACCESS = 8,
  ACL_AICORE_NONE = 255
} aclprofAicoreMetrics;

/// Begin or end of a step.
typedef enum aclprofStepTag { ACL_STEP_START = 0, ACL_STEP_END = 1 } aclprofStepTag;

/// What an entry of a subscription describes.
typedef enum aclprofSubscribeOpFlag {
  ACL_SUBSCRIBE_OP = 0,
  ACL_SUBSCRIBE_SUBGRAPH = 1,
  ACL_SUBSCRIBE_OP_THREAD = 2,
  ACL_SUBSCRIBE_NONE = 255
} aclprofSubscribeOpFlag;

/// Attribute of an entry of a subscription.
typedef enum aclprofSubscribeOpAttri {
  ACL_SUBSCRIBE_ATTRI_THREADID = 0,
  ACL_SUBSCRIBE_ATTRI_NONE = 1
} aclprofSubscribeOpAttri;

/// Settings of aclprofSetConfig.
typedef enum aclprofConfigType {
  ACL_PROF_ARGS_MIN = 0,
  ACL_PROF_STORAGE_LIMIT = 1,
  ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3,
  ACL_PROF_LLC_MODE = 4,
  ACL_PROF_SYS_IO_FREQ = 5,
  ACL_PROF_SYS_INTERCONNECTION_FREQ = 6,
  ACL_PROF_DVPP_FREQ = 7,
  ACL_PROF_HOST_SYS = 8,
  ACL_PROF_HOST_SYS_USAGE = 9,
  ACL_PROF_HOST_SYS_USAGE_FREQ = 10,
  ACL_PROF_LOW_POWER_FREQ = 11,
  ACL_PROF_SYS_MEM_SERVICEFLOW = 12,
  ACL_PROF_SYS_CPU_FREQ = 13,
  ACL_PROF_OPTYPE = 14,
  ACL_PROF_NTS_METRICS = 15,
  ACL_PROF_PATH = 16,
  ACL_PROF_ARGS_MAX = 17
} aclprofConfigType;

/// What the message of a range holds.
typedef enum aclprofMessageType { ACL_PROF_MESSAGE_TYPE_TENSOR_INFO = 0 } aclprofMessageType;

/// What is to be recorded.
typedef struct aclprofConfig aclprofConfig;

/// Reserved.
typedef struct aclprofStopConfig aclprofStopConfig;

/// Events of the AI cores.
typedef struct aclprofAicoreEvents aclprofAicoreEvents;

/// What a subscription requests.
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;

/// A step of the program.
typedef struct aclprofStepInfo aclprofStepInfo;

/// A tensor of an operator.
typedef struct aclprofTensor {
  uint32_t type;
  uint32_t format;
  uint32_t dataType;
  uint32_t shapeDim;
  uint32_t shape[ACL_PROF_TENSOR_DATA_SHAPE_LEN];
} aclprofTensor;

/// The tensors of an operator.
typedef struct aclprofTensorInfo {
  uint64_t opNameId;
  uint64_t opTypeId;
  uint32_t resv;
  uint32_t tensorNum;
  uint32_t kernelType;
  uint32_t blockNums;
  void* stream;
  aclprofTensor* tensors;
} aclprofTensorInfo;

/// A range with its message.
typedef struct aclprofEventAttributes {
  uint16_t version;
  uint16_t size;
  uint32_t messageType;
  union Message {
    aclprofTensorInfo* tensorInfo;
  } message;
} aclprofEventAttributes;

/// Opens a profiling session.
/// [in] profilerResultPath  where results are wanted
/// [in] length  of the path, without the final 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      the path is NULL, `length` is 0 or more than 4095, or is not that
///                                of the path
///   ACL_ERROR_REPEAT_INITIALIZE  a session is open
///   ACL_ERROR_PROF_ALREADY_RUN   the file of aclInit has switched profiling on
ACL_FUNC_VISIBILITY aclError aclprofInit(const char* profilerResultPath, size_t length);

/// Ends the session, and whatever is started. Does nothing when no session is open.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError aclprofFinalize(void);

/// Describes what is to be recorded. Bits of `dataTypeConfig` are checked by aclprofStart.
/// Returns the description; NULL with an error text when `deviceNums` is not 0 and `deviceIdList`
/// is NULL, `aicoreEvents` is not NULL, `deviceNums` is 0 without ACL_PROF_MSPROFTX, there are not
/// so many devices, or a device is unknown or listed twice.
ACL_FUNC_VISIBILITY aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                                       aclprofAicoreMetrics aicoreMetrics,
                                                       const aclprofAicoreEvents* aicoreEvents,
                                                       uint64_t dataTypeConfig);

/// Destroys such a description. What was started with it goes on.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `profilerConfig` is NULL or not a live description
ACL_FUNC_VISIBILITY aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig);

/// Changes a further setting of CANN's profiler. Ferry checks the value and ignores it. May be
/// called before aclprofInit.
/// [in] configLength  of `config`, without the final 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM             `configType` is not 1 to 16, `configLength` is more than
///                                       256, `config` is NULL, or `configLength` is not its length
///   ACL_ERROR_INVALID_PROFILING_CONFIG  `config` is not a value of this setting
ACL_FUNC_VISIBILITY aclError aclprofSetConfig(aclprofConfigType configType, const char* config,
                                              size_t configLength);

/// Starts to record: steps and trace points, and with ACL_PROF_MSPROFTX marks and ranges. Starting
/// an equal configuration again does nothing.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM             `profilerConfig` is NULL or not a live description, or its
///                                       dataTypeConfig is 0
///   ACL_ERROR_PROF_MODULES_UNSUPPORTED  its dataTypeConfig has an unknown bit
///   ACL_ERROR_PROF_NOT_RUN              no session is open
///   ACL_ERROR_PROF_ALREADY_RUN          one of its devices is started with another configuration
ACL_FUNC_VISIBILITY aclError aclprofStart(const aclprofConfig* profilerConfig);

/// Ends what aclprofStart began with an equal configuration. Does nothing when no session is open.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `profilerConfig` is NULL or not a live description, or no equal one
///   is
///                            started
ACL_FUNC_VISIBILITY aclError aclprofStop(const aclprofConfig* profilerConfig);

/// Requests the times of a model's operators, of which Ferry has none.
/// Returns
///   ACL_ERROR_INVALID_PARAM           `profSubscribeConfig` is NULL or not a live description
///   ACL_ERROR_PROF_API_CONFLICT       a profiling session is open
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  otherwise
ACL_FUNC_VISIBILITY aclError
aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig* profSubscribeConfig);

/// Undoes aclprofModelSubscribe, which always refuses.
/// Returns
///   ACL_ERROR_PROF_API_CONFLICT       a profiling session is open
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  otherwise
ACL_FUNC_VISIBILITY aclError aclprofModelUnSubscribe(uint32_t modelId);

/// Describes what a subscription requests.
/// [in] fd  where a program finds the end of a pipe that gets the data
/// Returns the description; NULL with an error text when `fd` is NULL.
ACL_FUNC_VISIBILITY aclprofSubscribeConfig* aclprofCreateSubscribeConfig(
    int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics, void* fd);

/// Destroys such a description.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `profSubscribeConfig` is NULL or not a live description
ACL_FUNC_VISIBILITY aclError
aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig);

/// Gets the size of one entry of a subscription.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `opDescSize` is NULL
ACL_FUNC_VISIBILITY aclError aclprofGetOpDescSize(size_t* opDescSize);

/// Reports how many entries a block of data holds. Not supported.
ACL_FUNC_VISIBILITY aclError aclprofGetOpNum(const void* opInfo, size_t opInfoLen,
                                             uint32_t* opNumber);

/// Gets the length of an operator's type. Not supported.
ACL_FUNC_VISIBILITY aclError aclprofGetOpTypeLen(const void* opInfo, size_t opInfoLen,
                                                 uint32_t index, size_t* opTypeLen);

/// Gets an operator's type. Not supported.
ACL_FUNC_VISIBILITY aclError aclprofGetOpType(const void* opInfo, size_t opInfoLen, uint32_t index,
                                              char* opType, size_t opTypeLen);

/// Gets the length of an operator's name. Not supported.
ACL_FUNC_VISIBILITY aclError aclprofGetOpNameLen(const void* opInfo, size_t opInfoLen,
                                                 uint32_t index, size_t* opNameLen);

/// Gets an operator's name. Not supported.
ACL_FUNC_VISIBILITY aclError aclprofGetOpName(const void* opInfo, size_t opInfoLen, uint32_t index,
                                              char* opName, size_t opNameLen);

/// Reports when an operator began. Not supported.
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpStart(const void* opInfo, size_t opInfoLen,
                                               uint32_t index);

/// Reports when an operator ended. Not supported.
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpEnd(const void* opInfo, size_t opInfoLen, uint32_t index);

/// Reports how long an operator took. Not supported.
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpDuration(const void* opInfo, size_t opInfoLen,
                                                  uint32_t index);

/// Reports which model an operator belongs to. Not supported.
ACL_FUNC_VISIBILITY size_t aclprofGetModelId(const void* opInfo, size_t opInfoLen, uint32_t index);

/// Reports what an entry describes. Not supported.
ACL_FUNC_VISIBILITY aclprofSubscribeOpFlag aclprofGetOpFlag(const void* opInfo, size_t opInfoLen,
                                                            uint32_t index);

/// Gets an attribute of an entry. Not supported.
ACL_FUNC_VISIBILITY const char* aclprofGetOpAttriValue(const void* opInfo, size_t opInfoLen,
                                                       uint32_t index,
                                                       aclprofSubscribeOpAttri attri);

/// Creates a step of the program, such as one iteration. May be used again after its end.
/// Returns the step.
ACL_FUNC_VISIBILITY aclprofStepInfo* aclprofCreateStepInfo(void);

/// Destroys a step. Leaves an error text when `stepinfo` is not a live one.
ACL_FUNC_VISIBILITY void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo);

/// Queues a task that records begin or end of a step when it runs.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `stepInfo` or `stream` is NULL, `stepInfo` is not a live step,
///                                `tag` is unknown, or the step has begun (ended) already
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag tag,
                                                     aclrtStream stream);

// Stamps, marks and ranges are checked always, and recorded while profiling is started with
// ACL_PROF_MSPROFTX. Texts have up to 127 characters.

/// Creates a stamp: a text for marks and ranges. Works whether profiling is started or not.
/// Returns the stamp.
ACL_FUNC_VISIBILITY void* aclprofCreateStamp(void);

/// Destroys a stamp. Ranges that began with it stay open. Leaves an error text when `stamp` is not
/// a live one.
ACL_FUNC_VISIBILITY void aclprofDestroyStamp(void* stamp);

/// Gives a stamp its text.
/// [in] msg  up to `msgLen` characters are copied
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `stamp` is NULL or not a live stamp, `msg` is NULL, or `msgLen` is
///                            more than 127
ACL_FUNC_VISIBILITY aclError aclprofSetStampTraceMessage(void* stamp, const char* msg,
                                                         uint32_t msgLen);

/// Begins a range that is nested within the calling thread.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `stamp` is NULL or not a live stamp
ACL_FUNC_VISIBILITY aclError aclprofPush(void* stamp);

/// Ends the innermost range of aclprofPush of the calling thread.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  the thread has no such range
ACL_FUNC_VISIBILITY aclError aclprofPop(void);

/// Begins a range that any thread may end.
/// [out] rangeId  unique among the open ranges of the process, never 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  a pointer is NULL, or `stamp` is not a live stamp
ACL_FUNC_VISIBILITY aclError aclprofRangeStart(void* stamp, uint32_t* rangeId);

/// Ends a range of aclprofRangeStart.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  there is no open range with this number
ACL_FUNC_VISIBILITY aclError aclprofRangeStop(uint32_t rangeId);

/// Records a stamp as a point in time.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `stamp` is NULL or not a live stamp
ACL_FUNC_VISIBILITY aclError aclprofMark(void* stamp);

/// Records a text as a point in time, and queues a task that records it again when it runs.
/// [in] stream  NULL for the default stream of the current context
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `msg` is NULL, or `msgLen` is more than 127 or not its length
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream);

/// Gets the number of a text for the messages of ranges: a hash, the same in every process.
/// Returns the number; UINT64_MAX with an error text when `message` is NULL.
ACL_FUNC_VISIBILITY uint64_t aclprofStr2Id(const char* message);

/// Begins a range that describes the tensors of an operator. It is nested within the calling
/// thread, independently of aclprofPush. The tensors are copied.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `attr`, its tensorInfo, or the tensors of a tensorNum above 0 are
///                            NULL, or messageType is unknown
ACL_FUNC_VISIBILITY aclError aclprofRangePushEx(aclprofEventAttributes* attr);

/// Ends the innermost range of aclprofRangePushEx of the calling thread.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  the thread has no such range
ACL_FUNC_VISIBILITY aclError aclprofRangePop(void);

// Functions without a public header of CANN, which torch_npu looks up by name.

/// Prepares what aclprofStart will need; there is nothing to prepare.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `profilerConfig` is NULL or not a live description
ACL_FUNC_VISIBILITY aclError aclprofWarmup(const aclprofConfig* profilerConfig);

/// Lists the features of the profiler: none.
/// [out] featuresSize  0
/// [out] featuresData  NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  a pointer is NULL
ACL_FUNC_VISIBILITY aclError aclprofGetSupportedFeatures(size_t* featuresSize, void** featuresData);

/// The same as aclprofGetSupportedFeatures.
/// Returns as that.
ACL_FUNC_VISIBILITY aclError aclprofGetSupportedFeaturesV2(size_t* featuresSize,
                                                           void** featuresData);

/// Does nothing.
/// Returns ACL_SUCCESS.
ACL_FUNC_VISIBILITY aclError aclprofRegisterDeviceCallback(void);

#ifdef __cplusplus
}
#endif

#endif
