// SPDX-License-Identifier: Apache-2.0
// Chapter "stream configuration": configuration handles, attributes, and what happens after a
// failure. Plain streams are in stream.h.
#ifndef ACL_RT_STREAM_CONFIG_H
#define ACL_RT_STREAM_CONFIG_H

#include "../acl_base_rt.h"

// Failure modes of a stream.
#define ACL_CONTINUE_ON_FAILURE 0x00000000U  ///< later tasks run; the next wait returns the code
#define ACL_STOP_ON_FAILURE 0x00000001U      ///< later tasks do not run; the failure stays

#ifdef __cplusplus
extern "C" {
#endif

/// Fields aclrtSetStreamConfigOpt can set, with the type of the value.
typedef enum aclrtStreamConfigAttr {
  ACL_RT_STREAM_WORK_ADDR_PTR = 0,  ///< `workptr`, void*
  ACL_RT_STREAM_WORK_SIZE = 1,      ///< `workSize`, size_t
  ACL_RT_STREAM_FLAG = 2,           ///< `flag`, size_t
  ACL_RT_STREAM_PRIORITY = 3        ///< `priority`, uint32_t
} aclrtStreamConfigAttr;

/// Attributes of a stream, with the member of aclrtStreamAttrValue that holds them.
typedef enum aclrtStreamAttr {
  ACL_STREAM_ATTR_FAILURE_MODE = 1,          ///< `failureMode`: see aclrtSetStreamFailureMode
  ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,  ///< `overflowSwitch`: see aclrtSetStreamOverflowSwitch
  ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,       ///< `userCustomTag`: any number, for the program
  ACL_STREAM_ATTR_CACHE_OP_INFO = 4,         ///< `cacheOpInfoSwitch`: details while capturing
  ACL_STREAM_ATTR_PRIORITY = 5               ///< `streamPriority`: 0 to 7
} aclrtStreamAttr;

/// Value of one attribute.
typedef union aclrtStreamAttrValue {
  uint64_t failureMode;        ///< ACL_CONTINUE_ON_FAILURE or ACL_STOP_ON_FAILURE
  uint32_t overflowSwitch;     ///< 0 off, 1 on
  uint32_t userCustomTag;      ///< any number
  uint32_t cacheOpInfoSwitch;  ///< 0 off, 1 on
  uint32_t streamPriority;     ///< 0 highest, 7 lowest
  uint32_t reserve[4];         ///< keeps the size
} aclrtStreamAttrValue;

/// How to create a stream. Created by aclrtCreateStreamConfigHandle, filled in by
/// aclrtSetStreamConfigOpt.
typedef struct aclrtStreamConfigHandle {
  void* workptr;      ///< working memory; not used
  size_t workSize;    ///< bytes at `workptr`; not used
  size_t flag;        ///< flags as for aclrtCreateStreamWithConfig
  uint32_t priority;  ///< as for aclrtCreateStreamWithConfig
} aclrtStreamConfigHandle;

/// Creates a configuration for aclrtCreateStreamV2: priority 0, no flags. Needs no context.
/// Returns the configuration, to be released with aclrtDestroyStreamConfigHandle, or NULL when host
/// memory is exhausted.
ACL_FUNC_VISIBILITY aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void);

/// Destroys a configuration. Streams created with it stay.
/// Threads: no other thread may use the configuration any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `handle` is NULL, was destroyed, or was not created by
///                            aclrtCreateStreamConfigHandle
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle);

/// Sets one field of a configuration.
/// [in] attrValue  address of the value
/// [in] valueSize  its size in bytes; must be that of the type aclrtStreamConfigAttr names
/// Threads: one thread at a time on the same configuration.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `handle` or `attrValue` is NULL; `handle` was destroyed, or was not
///                            created by aclrtCreateStreamConfigHandle; `attr` is none of
///                            aclrtStreamConfigAttr, or `valueSize` does not fit it
ACL_FUNC_VISIBILITY aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle,
                                                     aclrtStreamConfigAttr attr,
                                                     const void* attrValue, size_t valueSize);

/// Creates a stream as a configuration says; otherwise as aclrtCreateStreamWithConfig.
/// [out] stream  to be released with aclrtDestroyStream
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `stream` or `handle` is NULL; `handle` was destroyed, or was
///                                    not created by aclrtCreateStreamConfigHandle
///   ACL_ERROR_RT_PARAM_INVALID       ACL_STREAM_DEVICE_USE_ONLY together with another flag
///   ACL_ERROR_RT_CONTEXT_NULL        no current context
///   ACL_ERROR_RT_NO_STREAM_RESOURCE  all streams of the device are in use
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamV2(aclrtStream* stream,
                                                 const aclrtStreamConfigHandle* handle);

/// Sets what happens after a task of the stream fails. ACL_STOP_ON_FAILURE applies to the whole
/// context: no later task in it runs, and every later call that queues, waits or queries returns
/// the first failure. It cannot be undone.
/// [in] mode  only bit 0 is used
/// Returns ACL_SUCCESS (also when the mode is already set), or
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID        `stream` is NULL and there is no current context
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the stream has the flag ACL_STREAM_DEVICE_USE_ONLY, or
///                                     already stops on failure and `mode` says continue
ACL_FUNC_VISIBILITY aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/// Sets an attribute of a stream.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `value` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID        `stmAttrType` is none of aclrtStreamAttr
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  as for aclrtSetStreamFailureMode, for
///                                     ACL_STREAM_ATTR_FAILURE_MODE
ACL_FUNC_VISIBILITY aclError aclrtSetStreamAttribute(aclrtStream stream,
                                                     aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue* value);

/// Reads an attribute of a stream.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `value` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID   `stmAttrType` is none of aclrtStreamAttr
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAttribute(aclrtStream stream,
                                                     aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue* value);

#ifdef __cplusplus
}
#endif

#endif
