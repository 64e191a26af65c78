// SPDX-License-Identifier: Apache-2.0
// Chapter "values in memory": streams that write a value or wait for one. Nothing in this chapter
// is supported; use events (event.h) to order streams.
#ifndef ACL_RT_MEMORY_VALUE_H
#define ACL_RT_MEMORY_VALUE_H

#include "../acl_base_rt.h"

// What aclrtValueWait waits for.
#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U
#define ACL_STREAM_WAIT_VALUE_EQ 0x00000001U
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U

#ifdef __cplusplus
extern "C" {
#endif

/// Queues the writing of a 64-bit value to device memory. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag,
                                             aclrtStream stream);

/// Lets a stream wait until a 64-bit value in device memory fulfils a condition. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag,
                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
