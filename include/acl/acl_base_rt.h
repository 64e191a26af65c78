// SPDX-License-Identifier: Apache-2.0
// Base of the API: handles, codes of the upper layer, data types, and helpers that need no device.
// The runtime itself is in acl_rt.h, whose opening text also explains how to read these comments.
#ifndef INC_EXTERNAL_ACL_ACL_BASE_RT_H_
#define INC_EXTERNAL_ACL_ACL_BASE_RT_H_

#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"

#include <stddef.h>
#include <stdint.h>

/// Makes a function visible outside the shared library; precedes every function of the API.
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))

/// Mark functions that programs should no longer use.
#define ACL_DEPRECATED __attribute__((deprecated))
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))

#ifdef __cplusplus
extern "C" {
#endif

/// Result of most functions: ACL_SUCCESS or one of the codes below and in error_codes/.
typedef int aclError;

// Handles. All are opaque; a handle that was destroyed, or that names another kind of object, is
// refused.
typedef void* aclrtContext;
typedef void* aclrtStream;
typedef void* aclrtEvent;
typedef void* aclrtNotify;

// Handles of chapters that are not supported.
typedef void* aclmdlRITask;
typedef void* aclrtCntNotify;
typedef void* aclrtLabel;
typedef void* aclrtLabelList;
typedef void* aclrtMbuf;
typedef void* aclrtTaskGrp;
typedef void* aclrtAllocatorDesc;
typedef void* aclrtAllocator;
typedef void* aclrtAllocatorBlock;
typedef void* aclrtAllocatorAddr;

/// A 16-bit floating-point number, IEEE 754 binary16, kept as its bits.
typedef uint16_t aclFloat16;

/// An address with a size; see aclCreateDataBuffer.
typedef struct aclDataBuffer aclDataBuffer;

// Codes of the upper layer. Those without a remark belong to models, operators and profiling: no
// implemented function returns them.
static const int ACL_ERROR_NONE = 0;                ///< the old name of ACL_SUCCESS
static const int ACL_SUCCESS = 0;                   ///< the call succeeded
static const int ACL_ERROR_INVALID_PARAM = 100000;  ///< an argument is NULL or not allowed
static const int ACL_ERROR_UNINITIALIZE = 100001;
static const int ACL_ERROR_REPEAT_INITIALIZE = 100002;  ///< aclInit was called before: harmless
static const int ACL_ERROR_INVALID_FILE = 100003;       ///< no such file or package
static const int ACL_ERROR_WRITE_FILE = 100004;
static const int ACL_ERROR_INVALID_FILE_SIZE = 100005;
static const int ACL_ERROR_PARSE_FILE = 100006;  ///< a file is not valid JSON
static const int ACL_ERROR_FILE_MISSING_ATTR = 100007;
static const int ACL_ERROR_FILE_ATTR_INVALID = 100008;
static const int ACL_ERROR_INVALID_DUMP_CONFIG = 100009;
static const int ACL_ERROR_INVALID_PROFILING_CONFIG = 100010;
static const int ACL_ERROR_INVALID_MODEL_ID = 100011;
static const int ACL_ERROR_DESERIALIZE_MODEL = 100012;
static const int ACL_ERROR_PARSE_MODEL = 100013;
static const int ACL_ERROR_READ_MODEL_FAILURE = 100014;
static const int ACL_ERROR_MODEL_SIZE_INVALID = 100015;
static const int ACL_ERROR_MODEL_MISSING_ATTR = 100016;
static const int ACL_ERROR_MODEL_INPUT_NOT_MATCH = 100017;
static const int ACL_ERROR_MODEL_OUTPUT_NOT_MATCH = 100018;
static const int ACL_ERROR_MODEL_NOT_DYNAMIC = 100019;
static const int ACL_ERROR_OP_TYPE_NOT_MATCH = 100020;
static const int ACL_ERROR_OP_INPUT_NOT_MATCH = 100021;
static const int ACL_ERROR_OP_OUTPUT_NOT_MATCH = 100022;
static const int ACL_ERROR_OP_ATTR_NOT_MATCH = 100023;
static const int ACL_ERROR_OP_NOT_FOUND = 100024;
static const int ACL_ERROR_OP_LOAD_FAILED = 100025;
static const int ACL_ERROR_UNSUPPORTED_DATA_TYPE = 100026;
static const int ACL_ERROR_FORMAT_NOT_MATCH = 100027;
static const int ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED = 100028;
static const int ACL_ERROR_KERNEL_NOT_FOUND = 100029;
static const int ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED = 100030;
static const int ACL_ERROR_KERNEL_ALREADY_REGISTERED = 100031;
static const int ACL_ERROR_INVALID_QUEUE_ID = 100032;
static const int ACL_ERROR_REPEAT_SUBSCRIBE = 100033;
static const int ACL_ERROR_STREAM_NOT_SUBSCRIBE = 100034;
static const int ACL_ERROR_THREAD_NOT_SUBSCRIBE = 100035;
static const int ACL_ERROR_WAIT_CALLBACK_TIMEOUT = 100036;
static const int ACL_ERROR_REPEAT_FINALIZE = 100037;  ///< aclFinalize was called before
static const int ACL_ERROR_NOT_STATIC_AIPP = 100038;
static const int ACL_ERROR_COMPILING_STUB_MODE = 100039;
static const int ACL_ERROR_GROUP_NOT_SET = 100040;
static const int ACL_ERROR_GROUP_NOT_CREATE = 100041;
static const int ACL_ERROR_PROF_ALREADY_RUN = 100042;
static const int ACL_ERROR_PROF_NOT_RUN = 100043;
static const int ACL_ERROR_DUMP_ALREADY_RUN = 100044;
static const int ACL_ERROR_DUMP_NOT_RUN = 100045;
static const int ACL_ERROR_PROF_REPEAT_SUBSCRIBE = 148046;
static const int ACL_ERROR_PROF_API_CONFLICT = 148047;
static const int ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG = 148048;
static const int ACL_ERROR_INVALID_OPP_PATH = 148049;
static const int ACL_ERROR_OP_UNSUPPORTED_DYNAMIC = 148050;
static const int ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED = 148051;
static const int ACL_ERROR_UNSUPPORTED_JPEG = 148052;
static const int ACL_ERROR_INVALID_BUNDLE_MODEL_ID = 148053;
static const int ACL_ERROR_BAD_ALLOC = 200000;  ///< no host memory for the library
static const int ACL_ERROR_API_NOT_SUPPORT = 200001;
static const int ACL_ERROR_INVALID_DEVICE = 200002;
static const int ACL_ERROR_MEMORY_ADDRESS_UNALIGNED = 200003;
static const int ACL_ERROR_RESOURCE_NOT_MATCH = 200004;
static const int ACL_ERROR_INVALID_RESOURCE_HANDLE = 200005;
static const int ACL_ERROR_FEATURE_UNSUPPORTED = 200006;
static const int ACL_ERROR_PROF_MODULES_UNSUPPORTED = 200007;
static const int ACL_ERROR_STORAGE_OVER_LIMIT = 300000;
static const int ACL_ERROR_INTERNAL_ERROR = 500000;
static const int ACL_ERROR_FAILURE = 500001;
static const int ACL_ERROR_GE_FAILURE = 500002;
static const int ACL_ERROR_RT_FAILURE = 500003;
static const int ACL_ERROR_DRV_FAILURE = 500004;
static const int ACL_ERROR_PROFILING_FAILURE = 500005;

/// Type of one element; aclDataTypeSize returns its size.
typedef enum aclDataType {
  ACL_DT_UNDEFINED = -1,
  ACL_FLOAT = 0,
  ACL_FLOAT16 = 1,
  ACL_INT8 = 2,
  ACL_INT32 = 3,
  ACL_UINT8 = 4,
  ACL_INT16 = 6,
  ACL_UINT16 = 7,
  ACL_UINT32 = 8,
  ACL_INT64 = 9,
  ACL_UINT64 = 10,
  ACL_DOUBLE = 11,
  ACL_BOOL = 12,
  ACL_STRING = 13,
  ACL_COMPLEX64 = 16,
  ACL_COMPLEX128 = 17,
  ACL_BF16 = 27,
  ACL_INT4 = 29,
  ACL_UINT1 = 30,
  ACL_COMPLEX32 = 33,
  ACL_HIFLOAT8 = 34,
  ACL_FLOAT8_E5M2 = 35,
  ACL_FLOAT8_E4M3FN = 36,
  ACL_FLOAT8_E8M0 = 37,
  ACL_FLOAT6_E3M2 = 38,
  ACL_FLOAT6_E2M3 = 39,
  ACL_FLOAT4_E2M1 = 40,
  ACL_FLOAT4_E1M2 = 41
} aclDataType;

/// How the axes of a tensor are laid out. No function here interprets it.
typedef enum aclFormat {
  ACL_FORMAT_UNDEFINED = -1,
  ACL_FORMAT_NCHW = 0,
  ACL_FORMAT_NHWC = 1,
  ACL_FORMAT_ND = 2,
  ACL_FORMAT_NC1HWC0 = 3,
  ACL_FORMAT_FRACTAL_Z = 4,
  ACL_FORMAT_NC1HWC0_C04 = 12,
  ACL_FORMAT_HWCN = 16,
  ACL_FORMAT_NDHWC = 27,
  ACL_FORMAT_FRACTAL_NZ = 29,
  ACL_FORMAT_NCDHW = 30,
  ACL_FORMAT_NDC1HWC0 = 32,
  ACL_FRACTAL_Z_3D = 33,
  ACL_FORMAT_NC = 35,
  ACL_FORMAT_NCL = 47,
  ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
  ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
  ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
  ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
  ACL_FORMAT_FRACTAL_NZ_C0_8 = 54
} aclFormat;

/// Severity of a line of aclAppLog.
typedef enum aclLogLevel {
  ACL_DEBUG = 0,    ///< for developers
  ACL_INFO = 1,     ///< normal operation
  ACL_WARNING = 2,  ///< unexpected, but the program goes on
  ACL_ERROR = 3     ///< something failed
} aclLogLevel;

/// Where the memory of a tensor is. No function here interprets it.
typedef enum aclMemType {
  ACL_MEMTYPE_DEVICE = 0,
  ACL_MEMTYPE_HOST = 1,
  ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2
} aclMemType;

/// Settings of aclrtSetSysParamOpt and related functions. They are kept for those who ask.
typedef enum aclSysParamOpt {
  ACL_OPT_DETERMINISTIC = 0,
  ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
  ACL_OPT_STRONG_CONSISTENCY = 2,
  ACL_OPT_ENABLE_KERNEL_EARLY_START = 3
} aclSysParamOpt;

/// What aclGetCannAttribute can query.
typedef enum aclCannAttr {
  ACL_CANN_ATTR_UNDEFINED = -1,  ///< no attribute
  ACL_CANN_ATTR_INF_NAN = 0,     ///< infinities and NaN are kept instead of being clipped
  ACL_CANN_ATTR_BF16 = 1,        ///< the type ACL_BF16 can be computed with
  ACL_CANN_ATTR_JIT_COMPILE = 2  ///< operators may be compiled while the program runs
} aclCannAttr;

/// What aclGetDeviceCapability can query.
typedef enum aclDeviceInfo {
  ACL_DEVICE_INFO_UNDEFINED = -1,       ///< no property
  ACL_DEVICE_INFO_AI_CORE_NUM = 0,      ///< number of AI cores
  ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,  ///< number of vector cores
  ACL_DEVICE_INFO_L2_SIZE = 2           ///< size of the second-level cache in bytes
} aclDeviceInfo;

/// Returns the value of a 16-bit float as a 32-bit float; exact for every input, infinities and
/// NaN included.
ACL_FUNC_VISIBILITY float aclFloat16ToFloat(aclFloat16 value);

/// Returns the 16-bit float nearest to `value`, ties to the even one; values too large become
/// infinity and NaN stays NaN.
ACL_FUNC_VISIBILITY aclFloat16 aclFloatToFloat16(float value);

/// Returns the size of one element of `dataType` in bytes, or 0 for ACL_DT_UNDEFINED,
/// ACL_STRING, types of less than one byte, and numbers that are no data type.
ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);

/// Creates a data buffer: a record of an address and a size. It does not own the memory, and never
/// reads or writes it.
/// [in] data  address to record; the caller keeps ownership of the memory. NULL is allowed with
///      size 0.
/// [in] size  bytes at `data`
/// Returns the buffer, to be released with aclDestroyDataBuffer, or NULL when host memory is
/// exhausted.
ACL_FUNC_VISIBILITY aclDataBuffer* aclCreateDataBuffer(void* data, size_t size);

/// Destroys a data buffer. The memory it names is not touched.
/// Threads: no other thread may use this buffer any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `dataBuffer` is NULL or not a live data buffer
ACL_FUNC_VISIBILITY aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer);

/// Replaces address and size of a data buffer. The memory it named before is not touched.
/// Threads: one thread at a time on the same buffer.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `dataBuffer` is NULL or not a live data buffer
ACL_FUNC_VISIBILITY aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data,
                                                 size_t size);

/// Returns the address of a data buffer, or NULL with an error text when `dataBuffer` is NULL or
/// not a live data buffer.
ACL_FUNC_VISIBILITY void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer);

/// Returns the size of a data buffer cut to its low 32 bits; use aclGetDataBufferSizeV2 instead.
/// Gives 0 with an error text when `dataBuffer` is NULL or not a live data buffer.
ACL_FUNC_VISIBILITY uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer);

/// Returns the size of a data buffer in bytes, or 0 with an error text when `dataBuffer` is NULL or
/// not a live data buffer.
ACL_FUNC_VISIBILITY size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer);

/// Returns the name of the emulated product, such as "Ascend910B1": the value of the environment
/// variable FERRY_SOC, or that default. The text is constant and lives as long as the process. NULL
/// when FERRY_SOC holds an unknown name. Needs no context.
ACL_FUNC_VISIBILITY const char* aclrtGetSocName(void);

/// Reports which attributes aclGetCannAttribute supports.
/// [out] cannAttrList  constant array that belongs to the library and lives as long as the
///      process
/// [out] num  number of entries in it
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `cannAttrList` or `num` is NULL
ACL_FUNC_VISIBILITY aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num);

/// Reports whether the software has an attribute.
/// [out] value  1 if it has it, 0 if not
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `value` is NULL, or `cannAttr` is not one of
///                            aclGetCannAttributeList
ACL_FUNC_VISIBILITY aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value);

/// Gets one property of a device. Needs no context.
/// [out] value  the property, as aclDeviceInfo describes it
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `value` is NULL, or `deviceInfo` is not 0, 1 or 2
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo,
                                                    int64_t* value);

/// Writes one line of the program itself to the library's log, if that is enabled for this level
/// with the environment variable FERRY_LOG. ACL_APP_LOG fills in the location.
/// [in] func, file, line  the source location of the line
/// [in] fmt  text as for printf, followed by its arguments; a NULL text is ignored
ACL_FUNC_VISIBILITY void aclAppLog(aclLogLevel logLevel, const char* func, const char* file,
                                   uint32_t line, const char* fmt, ...)
    __attribute__((format(printf, 5, 6)));

/// aclAppLog for the place of the call: ACL_APP_LOG(ACL_INFO, "%d blocks", count).
#define ACL_APP_LOG(level, ...) aclAppLog(level, __func__, __FILE__, __LINE__, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
