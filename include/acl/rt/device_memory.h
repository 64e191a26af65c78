// SPDX-License-Identifier: Apache-2.0
// Chapter "device memory": allocating and freeing it. Host memory is in host_memory.h, queries
// about memory are in memory_query.h, virtual memory is in virtual_memory.h.
#ifndef ACL_RT_DEVICE_MEMORY_H
#define ACL_RT_DEVICE_MEMORY_H

#include "../acl_base_rt.h"
#include "memory_types.h"

// The capacity of a device is set with FERRY_MEMORY. The contents of new memory are undefined.
// Reading or writing a device address on the host faults, as it does on hardware. Device memory
// outlives aclrtResetDevice and aclFinalize; aclrtFree frees it.

#ifdef __cplusplus
extern "C" {
#endif

/// The requested memory. All values, including unknown ones and combinations, are accepted and give
/// the same memory; only the padding differs.
typedef enum aclrtMemMallocPolicy {
  ACL_MEM_MALLOC_HUGE_FIRST = 0,          ///< huge pages if there are any
  ACL_MEM_MALLOC_HUGE_ONLY = 1,           ///< huge pages only
  ACL_MEM_MALLOC_NORMAL_ONLY = 2,         ///< normal pages only
  ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,      ///< the same, for copies between devices
  ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,       ///< the same, for copies between devices
  ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,     ///< the same, for copies between devices
  ACL_MEM_MALLOC_HUGE1G_ONLY = 6,         ///< pages of 1 GiB only
  ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7,     ///< the same, for copies between devices
  ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x100,    ///< slower memory; can be combined with a page policy
  ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,  ///< faster memory; can be combined with a page policy
  ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000  ///< read-only for the program; can be combined
} aclrtMemMallocPolicy;

/// Allocates memory on the device of the current context. It can be used up to `size` rounded up
/// to a multiple of 32, and 32 bytes beyond; with a policy HUGE1G without these 32 bytes.
/// [out] devPtr  address, a multiple of 64; to be released with aclrtFree
/// [in] size  bytes
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `devPtr` is NULL, `size` is 0, or `size` with padding
///                                   overflows
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device does not have enough memory left
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy);

/// As aclrtMalloc, without the 32 bytes beyond: the memory can be used up to `size` rounded up
/// to a multiple of 32.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `devPtr` is NULL, `size` is 0, or `size` with padding
///                                   overflows
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device does not have enough memory left
ACL_FUNC_VISIBILITY aclError aclrtMallocAlign32(void** devPtr, size_t size,
                                                aclrtMemMallocPolicy policy);

/// As aclrtMalloc, for memory that the device caches; see aclrtMemFlush and aclrtMemInvalidate.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `devPtr` is NULL, `size` is 0, or `size` with padding
///                                   overflows
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device does not have enough memory left
ACL_FUNC_VISIBILITY aclError aclrtMallocCached(void** devPtr, size_t size,
                                               aclrtMemMallocPolicy policy);

/// As aclrtMalloc, with attributes.
/// [in] cfg  NULL, or attributes of the type RSV, MODULE_ID or DEVICE_ID
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `devPtr` is NULL; `cfg` has a length without a list; `size` is
///                                   0 or overflows with padding
///   ACL_ERROR_RT_PARAM_INVALID      `cfg` is not NULL, and its list is
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_PARAM_INVALID      an attribute has another type, or DEVICE_ID is not the
///                                   device of the current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device does not have enough memory left
ACL_FUNC_VISIBILITY aclError aclrtMallocWithCfg(void** devPtr, size_t size,
                                                aclrtMemMallocPolicy policy,
                                                aclrtMallocConfig* cfg);

/// As aclrtMallocWithCfg, for memory that the task scheduler uses. Here it is the same memory.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `devPtr` is NULL; `cfg` has a length without a list; `size` is
///                                   0 or overflows with padding
///   ACL_ERROR_RT_PARAM_INVALID      `cfg` is not NULL, and its list is
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_PARAM_INVALID      an attribute has another type, or DEVICE_ID is not the
///                                   device of the current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the device does not have enough memory left
ACL_FUNC_VISIBILITY aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size,
                                                         aclrtMemMallocPolicy policy,
                                                         aclrtMallocConfig* cfg);

/// Frees device or managed memory at once, also when queued work still uses it: such work then
/// fails with ACL_ERROR_RT_TS_ERROR. Synchronise before, or use aclrtFreeWithDevSync. Also frees
/// blocks of memory pools. Needs no context.
/// Threads: no other thread may use the memory any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `devPtr` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `devPtr` is not the start of live device or managed memory; the
///                               text says what it is or was
ACL_FUNC_VISIBILITY aclError aclrtFree(void* devPtr);

/// Waits for the device as aclrtSynchronizeDevice does, then frees as aclrtFree does.
/// Blocking: until the work of the device is done.
/// Threads: no other thread may use the memory any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `devPtr` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   (a task's code)             as for aclrtSynchronizeDevice; the memory was not freed
///   ACL_ERROR_RT_PARAM_INVALID  `devPtr` is not the start of live device memory; the text says
///                               what it is or was
ACL_FUNC_VISIBILITY aclError aclrtFreeWithDevSync(void* devPtr);

/// Writes cached device memory back. Memory here is always coherent: nothing is done beyond the
/// checks.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `devPtr` is NULL, or `size` is 0
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   ACL_ERROR_RT_PARAM_INVALID  the range is not inside live device memory
ACL_FUNC_VISIBILITY aclError aclrtMemFlush(void* devPtr, size_t size);

/// Drops the cached contents of device memory. Memory here is always coherent: nothing is done
/// beyond the checks.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `devPtr` is NULL, or `size` is 0
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   ACL_ERROR_RT_PARAM_INVALID  the range is not inside live device memory
ACL_FUNC_VISIBILITY aclError aclrtMemInvalidate(void* devPtr, size_t size);

#ifdef __cplusplus
}
#endif

#endif
