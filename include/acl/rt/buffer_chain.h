// SPDX-License-Identifier: Apache-2.0
// Chapter "buffers of queues": buffers that are passed on between processes without a copy. Nothing
// in this chapter is supported.
#ifndef ACL_RT_BUFFER_CHAIN_H
#define ACL_RT_BUFFER_CHAIN_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a buffer. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAllocBuf(aclrtMbuf* buf, size_t size);

/// Destroys a buffer. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtFreeBuf(aclrtMbuf buf);

/// Sets how much of a buffer holds data. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len);

/// Reports how much of a buffer holds data. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t* len);

/// Gets address and size of a buffer. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetBufData(const aclrtMbuf buf, void** dataPtr, size_t* size);

/// Reads the private part of a buffer. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetBufUserData(const aclrtMbuf buf, void* dataPtr, size_t size,
                                                 size_t offset);

/// Writes the private part of a buffer. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtSetBufUserData(aclrtMbuf buf, const void* dataPtr, size_t size,
                                                 size_t offset);

/// Creates a second reference to a buffer. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf* newBuf);

/// Adds a buffer to a chain. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf);

/// Reports how many buffers a chain has. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t* num);

/// Finds a buffer of a chain by its place. Not supported.
ACL_FUNC_VISIBILITY aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index,
                                                  aclrtMbuf* buf);

#ifdef __cplusplus
}
#endif

#endif
