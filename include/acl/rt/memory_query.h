// SPDX-License-Identifier: Apache-2.0
// Chapter "queries about memory": where an address is, and how much memory is left. Nothing here
// changes memory.
#ifndef ACL_RT_MEMORY_QUERY_H
#define ACL_RT_MEMORY_QUERY_H

#include "../acl_base_rt.h"
#include "memory_types.h"

// Types of memory for aclrtCheckMemType.
#define ACL_RT_MEM_TYPE_DEV (0X2U)
#define ACL_RT_MEM_TYPE_DVPP (0X8U)
#define ACL_RT_MEM_TYPE_RSVD (0X10U)

#ifdef __cplusplus
extern "C" {
#endif

/// Result of aclrtPointerGetAttributes.
typedef struct aclrtPtrAttributes {
  aclrtMemLocation location;  ///< where the memory is
  uint32_t pageSize;          ///< bytes of one page; 0 when not known
  uint32_t rsv[4];            ///< zeros
} aclrtPtrAttributes;

/// Memory one module of the program has allocated.
typedef struct aclrtMemUsageInfo {
  char name[32];         ///< name of the module, ends with a zero
  uint64_t curMemSize;   ///< bytes now
  uint64_t memPeakSize;  ///< most bytes so far
  size_t reserved[8];    ///< zeros
} aclrtMemUsageInfo;

/// Reports where an address is. Any address may be passed; it is not read. Needs no context.
/// [out] attributes  device memory: DEVICE and its device. Memory of aclrtMallocHost and
///      registered memory: HOST, id 0. Managed memory: MANAGED and the device it was allocated
///      on, with pages of 2 MiB. All else, freed memory included: UNREGISTERED, id 0.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM  `ptr` or `attributes` is NULL
ACL_FUNC_VISIBILITY aclError aclrtPointerGetAttributes(const void* ptr,
                                                       aclrtPtrAttributes* attributes);

/// Reports how much memory the device of the current context has.
/// [in] attr  kind of memory, not the number of a device; all kinds give the same answer
/// [out] free  bytes left
/// [out] total  bytes in all
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `free` or `total` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   ACL_ERROR_RT_PARAM_INVALID  `attr` is none of aclrtMemAttr
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total);

/// Reports how much memory of a device each module has allocated, largest first; see
/// ACL_RT_MEM_ATTR_MODULE_ID. Needs no context.
/// [out] memUsageInfo  array for `inputNum` entries
/// [in] inputNum  its length
/// [out] outputNum  entries filled in
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `memUsageInfo` or `outputNum` is NULL, or `inputNum` is 0
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo,
                                                  size_t inputNum, size_t* outputNum);

/// Reports whether all addresses are in memory of the current device and of one of the given types.
/// [in] addrList  addresses; they are not read
/// [in] size  their number
/// [in] memType  ACL_RT_MEM_TYPE_DEV: memory of aclrtMalloc and its other forms.
///      ACL_RT_MEM_TYPE_RSVD: addresses of aclrtReserveMemAddress, mapped or not. No memory is of
///      type ACL_RT_MEM_TYPE_DVPP.
/// [out] checkResult  1 or 0; 0 also when the call fails, unless a pointer is NULL
/// [in] reserve  0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `addrList` or `checkResult` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `reserve` is not 0, `size` is 0, or `memType` has unknown bits
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
ACL_FUNC_VISIBILITY aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType,
                                               uint32_t* checkResult, uint32_t reserve);

/// Gets the mapping, or the memory of aclrtMalloc* or aclrtMallocHost*, that holds an address.
/// Needs no context.
/// [out] pbase, psize  its first address and its size, padding included; one of them may be NULL
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `ptr` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `pbase` and `psize` are NULL; `ptr` is in no such memory
ACL_FUNC_VISIBILITY aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize);

#ifdef __cplusplus
}
#endif

#endif
