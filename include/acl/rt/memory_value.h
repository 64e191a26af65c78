// SPDX-License-Identifier: Apache-2.0
// Chapter "values in memory": streams that write a 64-bit value to device memory, or wait for one.
#ifndef ACL_RT_MEMORY_VALUE_H
#define ACL_RT_MEMORY_VALUE_H

#include "../acl_base_rt.h"

// What aclrtValueWait waits for; `present` is what the memory holds.
#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U  ///< (int64_t)(present - value) >= 0
#define ACL_STREAM_WAIT_VALUE_EQ 0x00000001U   ///< present == value
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U  ///< (present & value) != 0
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U  ///< ~(present | value) != 0

#ifdef __cplusplus
extern "C" {
#endif

/// Queues one store of 64 bits to device memory. Streams that wait for the value continue at once.
/// [in] devAddr  device memory, or the device's address of registered host memory; a multiple of 8.
///               Memory that is freed before the task runs makes the task fail with 507001.
/// [in] flag     reserved, 0
/// [in] stream   NULL is the default stream
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `devAddr` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE    `stream` is not a live stream
///   ACL_ERROR_RT_PARAM_INVALID     `flag` is not 0; `devAddr` is not device memory, or no multiple
///                                  of 8
///   ACL_ERROR_RT_CONTEXT_NULL      the calling thread has no context
///   ACL_ERROR_RT_STREAM_CONTEXT    the stream belongs to another context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot do it: it is no CPU device
ACL_FUNC_VISIBILITY aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag,
                                             aclrtStream stream);

/// Lets a stream wait until 64 bits of device memory satisfy a comparison. Stores of
/// aclrtValueWrite are seen at once, all others (of copies, of the host, of other processes) within
/// about a millisecond. The wait has no time limit: aclrtStreamAbort ends it. Memory that is freed
/// while the stream waits makes the task fail with 507001. [in] devAddr  as for aclrtValueWrite
/// [in] flag     ACL_STREAM_WAIT_VALUE_GEQ and so on
/// [in] stream   NULL is the default stream
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `devAddr` is NULL
///   ACL_ERROR_RT_INVALID_HANDLE    `stream` is not a live stream
///   ACL_ERROR_RT_PARAM_INVALID     `flag` is above 3; `devAddr` is not device memory, or no
///   multiple
///                                  of 8
///   ACL_ERROR_RT_CONTEXT_NULL      the calling thread has no context
///   ACL_ERROR_RT_STREAM_CONTEXT    the stream belongs to another context
///   ACL_ERROR_RT_RESOURCE_ALLOC_FAIL  the thread that looks at the values cannot be started
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot do it: it is no CPU device
ACL_FUNC_VISIBILITY aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
