// SPDX-License-Identifier: Apache-2.0
// Chapter "batch copy": many items between host and device in one call. Single copies are in
// copy.h.
#ifndef ACL_RT_COPY_BATCH_H
#define ACL_RT_COPY_BATCH_H

#include "../acl_base_rt.h"
#include "memory_types.h"

// Item i copies sizes[i] bytes from srcs[i] to dsts[i], whose capacity is destMaxs[i]. All items of
// a batch have one direction, host to device or device to host. They are copied in any order.
//
// attrs says where the items are: attrs[k] applies from item attrsIndexes[k] up to the item before
// attrsIndexes[k+1], the last one up to the end. Both arrays have numAttrs entries. One attribute
// for the whole batch: numAttrs 1, attrsIndexes {0}. One per item: numAttrs equal to numBatches,
// attrsIndexes {0, 1, 2, ...}.
//
// The whole batch is checked before anything is copied or queued: when a call fails in a check,
// nothing was copied. The arrays are read only during the call.
//
// failIndex is written whenever it is not NULL: the item at fault, or SIZE_MAX when there is none.
// The V2 functions lack it, and are otherwise the same.
//
// Products of the A2, A3 and 950 series have batch copies; on others every call that gets past
// ACL_ERROR_INVALID_PARAM returns ACL_ERROR_RT_FEATURE_NOT_SUPPORT, and a loop of single copies
// does the work.

#ifdef __cplusplus
extern "C" {
#endif

/// Where both sides of some items are.
typedef struct aclrtMemcpyBatchAttr {
  aclrtMemLocation dstLoc;  ///< destination: HOST (or HOST_NUMA), MANAGED, or DEVICE and number
  aclrtMemLocation srcLoc;  ///< source: HOST (or HOST_NUMA), MANAGED, or DEVICE and number
  uint8_t rsv[16];          ///< zeros
} aclrtMemcpyBatchAttr;

/// Copies up to 4096 items and returns when all have arrived. Needs no context.
/// [in] numBatches  length of `dsts`, `destMaxs`, `srcs` and `sizes`
/// [in] numAttrs  length of `attrs` and `attrsIndexes`
/// [out] failIndex  see above
/// Blocking: until all copies are done. They are not ordered with work queued on streams.
/// Returns ACL_SUCCESS, also when all sizes are 0 (only `failIndex`, `sizes` and `numBatches` are
/// checked then), or
///   ACL_ERROR_INVALID_PARAM           `failIndex` or `sizes` is NULL, or `numBatches` is 0
///   ACL_ERROR_INVALID_PARAM           `dsts`, `destMaxs`, `srcs`, `attrs` or `attrsIndexes` is
///                                     NULL
///   ACL_ERROR_INVALID_PARAM           an item's `destMaxs` is less than its size (failIndex
///                                     names it), or an attribute's `rsv` is not all zero
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product has no batch copies
///   ACL_ERROR_RT_PARAM_INVALID        `numAttrs` is 0 or greater than `numBatches`, or
///                                     `numBatches` is greater than 4096
///   ACL_ERROR_RT_PARAM_INVALID        `attrsIndexes` does not begin with 0, does not rise, or
///                                     reaches `numBatches`
///   ACL_ERROR_RT_PARAM_INVALID        an item, in the order of the items, has size 0, a NULL
///                                     source, a NULL destination, is not where its attribute says
///                                     (destination first), has both sides on the host, both on a
///                                     device or both in managed memory, goes in another direction
///                                     than item 0, or has a bad range; failIndex names it
/// Pageable memory counts as HOST. Only a location of type MANAGED fits managed memory, which is on
/// the side that the other address leaves. A location of type UNREGISTERED never fits, and the `id`
/// counts for devices only.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs,
                                              size_t* sizes, size_t numBatches,
                                              aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                                              size_t numAttrs, size_t* failIndex);

/// aclrtMemcpyBatch without failIndex.
/// Blocking: until all copies are done. They are not ordered with work queued on streams.
/// Returns what aclrtMemcpyBatch returns.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs,
                                                size_t* sizes, size_t numBatches,
                                                aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                                                size_t numAttrs);

/// Copies any number of items in stream order. Items with pinned memory are queued as one task. If
/// there are items with pageable memory, the call then waits for the stream and copies these before
/// it returns. Pinned items must not change until the stream is synchronised.
/// [in] numBatches  length of `dsts`, `destMaxs`, `srcs` and `sizes`
/// [in] numAttrs  length of `attrs` and `attrsIndexes`
/// [out] failIndex  see above
/// Blocking: when an item is pageable memory, until all copies are done; otherwise not.
/// Returns ACL_SUCCESS, also when all sizes are 0 (only `failIndex`, `sizes` and `numBatches` are
/// checked then), or
///   ACL_ERROR_INVALID_PARAM           `failIndex` or `sizes` is NULL, or `numBatches` is 0
///   ACL_ERROR_INVALID_PARAM           `dsts`, `destMaxs`, `srcs`, `attrs` or `attrsIndexes` is
///                                     NULL
///   ACL_ERROR_INVALID_PARAM           an item's `destMaxs` is less than its size (failIndex
///                                     names it), or an attribute's `rsv` is not all zero
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product has no batch copies
///   ACL_ERROR_RT_INVALID_HANDLE       `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID        `numAttrs` is 0 or greater than `numBatches`
///   ACL_ERROR_RT_PARAM_INVALID        `attrsIndexes` does not begin with 0, does not rise, or
///                                     reaches `numBatches`
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_PARAM_INVALID        an item is at fault as for aclrtMemcpyBatch, bad ranges
///                                     of queued items excepted; failIndex names it
///   ACL_ERROR_RT_STREAM_CONTEXT       `stream` belongs to another context, and an item is
///                                     pinned memory
///   (a task's code)                   of an earlier task of the stream, when an item is
///                                     pageable memory; pageable items were not copied
/// A queued item with a bad range leaves ACL_ERROR_RT_TS_ERROR on the stream.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs,
                                                   size_t* sizes, size_t numBatches,
                                                   aclrtMemcpyBatchAttr* attrs,
                                                   size_t* attrsIndexes, size_t numAttrs,
                                                   size_t* failIndex, aclrtStream stream);

/// aclrtMemcpyBatchAsync without failIndex.
/// Blocking: when an item is pageable memory, until all copies are done; otherwise not.
/// Returns what aclrtMemcpyBatchAsync returns.
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs,
                                                     size_t* sizes, size_t numBatches,
                                                     aclrtMemcpyBatchAttr* attrs,
                                                     size_t* attrsIndexes, size_t numAttrs,
                                                     aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
