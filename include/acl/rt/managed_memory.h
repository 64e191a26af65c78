// SPDX-License-Identifier: Apache-2.0
// Chapter "managed memory": memory that the host and all devices access at one address. It is freed
// with aclrtFree. Queries about addresses are in memory_query.h.
#ifndef ACL_RT_MANAGED_MEMORY_H
#define ACL_RT_MANAGED_MEMORY_H

#include "../acl_base_rt.h"

#define ACL_RT_MEM_ATTACH_GLOBAL 0x01U  ///< flag of aclrtMemAllocManaged: accessible everywhere

// In copies and fills managed memory is device memory beside host memory, host memory beside device
// memory, and device memory beside itself. No `kind` is compared with it, except by the calls for
// rows. In the attributes of a batch it is ACL_MEM_LOCATION_TYPE_MANAGED. Code of the host must not
// touch it while a queued task uses it. Advice and prefetching change no data; they are recorded
// for pages of 2 MiB. The chapter exists on products of the A2 and A3 series; elsewhere its
// functions return ACL_ERROR_RT_FEATURE_NOT_SUPPORT.

#ifdef __cplusplus
extern "C" {
#endif

/// Advice about the use of managed memory.
typedef enum aclrtMemManagedAdviseType {
  ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
  ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
  ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
  ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
  ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
  ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5
} aclrtMemManagedAdviseType;

/// Place for managed memory.
typedef enum aclrtMemManagedLocationType {
  ACL_MEM_LOCATIONTYPE_INVALID = 0,
  ACL_MEM_LOCATIONTYPE_DEVICE = 1,
  ACL_MEM_LOCATIONTYPE_HOST = 2,
  ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,
  ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4
} aclrtMemManagedLocationType;

/// Queryable properties of managed memory.
typedef enum aclrtMemManagedRangeAttribute {
  ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
  ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
  ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
  ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
  ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
  ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
  ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
  ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
} aclrtMemManagedRangeAttribute;

/// A place for managed memory.
typedef struct aclrtMemManagedLocation {
  aclrtMemManagedLocationType type;  ///< what `id` is
  int32_t id;                        ///< number of a device or NUMA node; ignored for the others
} aclrtMemManagedLocation;

/// Allocates managed memory, at a multiple of 2 MiB and in whole pages of 2 MiB. It takes memory
/// when it is first touched; its contents are undefined.
/// [out] ptr  its address, for the host and for every device
/// [in] flag  ACL_RT_MEM_ATTACH_GLOBAL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `ptr` is NULL, or `flag` is not ACL_RT_MEM_ATTACH_GLOBAL
///   ACL_ERROR_RT_PARAM_INVALID        `size` is 0
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device has no managed memory
///   ACL_ERROR_RT_MEMORY_ALLOCATION    there is no room for it
ACL_FUNC_VISIBILITY aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag);

/// Gives advice about the use of managed memory. It is recorded, whatever it is.
/// [in] size  a multiple of 2 MiB
/// [in] location  the place to prefer, or the user; ignored for READ_MOSTLY
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `ptr` is NULL, or `size` is 0
///   ACL_ERROR_RT_PARAM_INVALID  `advise` is not 0 to 5, or `location` is no place or a device
///                               that does not exist
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   ACL_ERROR_RT_PARAM_INVALID  the range is not managed memory, or `size` not a multiple of 2 MiB
ACL_FUNC_VISIBILITY aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size,
                                                   aclrtMemManagedAdviseType advise,
                                                   aclrtMemManagedLocation location);

/// Gets one property that all pages of a range have. Needs no context.
/// [out] data  READ_MOSTLY: 1 or 0. ACCESSED_BY: a list of devices, -1 for the host, filled up with
///      -2. Types: ACL_MEM_LOCATIONTYPE_DEVICE, HOST or HOST_NUMA; INVALID if it was never set, or
///      if pages differ. All others: the number of the device or node, -1 for the host, -2 if it
///      was never set or if pages differ.
/// [in] dataSize  4; for ACCESSED_BY a multiple of 4
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `ptr` or `data` is NULL, or `size` is 0
///   ACL_ERROR_RT_PARAM_INVALID  `attribute` is not 1 to 8, `dataSize` does not fit it, or the
///                               range is not managed memory
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute,
                                                    const void* ptr, size_t size, void* data,
                                                    size_t dataSize);

/// Gets several properties of a range, as aclrtMemManagedGetAttr. Nothing is written if one of
/// them cannot be read. Needs no context.
/// [in] numAttributes  length of `attributes`, `data` and `dataSizes`
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `ptr`, `attributes`, `data` or `dataSizes` is NULL, or `size` is 0
///   ACL_ERROR_RT_PARAM_INVALID  an entry is one that aclrtMemManagedGetAttr refuses, or the range
///                               is not managed memory
ACL_FUNC_VISIBILITY aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute* attributes,
                                                     size_t numAttributes, const void* ptr,
                                                     size_t size, void** data, size_t* dataSizes);

/// Queues the move of managed memory to a place. The move is a hint: where the memory is changes no
/// result. A range that is not managed memory when the task runs fails on the stream with
/// ACL_ERROR_RT_TS_ERROR.
/// [in] flags  0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      `ptr` is NULL, `size` is 0, or `flags` is not 0
///   ACL_ERROR_RT_INTERNAL_ERROR  `stream` is NULL, and there is no current context
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID   `location` is no place or a device that does not exist
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size,
                                                          aclrtMemManagedLocation location,
                                                          uint32_t flags, aclrtStream stream);

/// The same for many ranges, as one task. The arrays are read during the call only.
/// [in] prefetchLocIdxs  the index of the first range of each place: 0 first, then rising
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM      an array is NULL, `count` or `numPrefetchLocs` is 0, `flags` is
///                                not 0, or `numPrefetchLocs` is greater than `count`
///   ACL_ERROR_RT_INTERNAL_ERROR  `stream` is NULL, and there is no current context
///   ACL_ERROR_RT_INVALID_HANDLE  `stream` was destroyed or is not a stream
///   ACL_ERROR_RT_PARAM_INVALID   `prefetchLocIdxs` does not begin with 0, an address is NULL, a
///                                size is 0, `prefetchLocIdxs` does not rise or exceeds `count`, or
///                                a place is none or a device that does not exist
///   ACL_ERROR_RT_CONTEXT_NULL    no current context
///   ACL_ERROR_RT_STREAM_CONTEXT  `stream` belongs to another context
ACL_FUNC_VISIBILITY aclError aclrtMemManagedPrefetchBatchAsync(
    const void** ptrs, size_t* sizes, size_t count, aclrtMemManagedLocation* prefetchLocs,
    size_t* prefetchLocIdxs, size_t numPrefetchLocs, uint64_t flags, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
