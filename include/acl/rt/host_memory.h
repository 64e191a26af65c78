// SPDX-License-Identifier: Apache-2.0
// Chapter "host memory": pinned memory, and registering the program's own memory. acl_rt.h explains
// what makes memory pinned or pageable.
#ifndef ACL_RT_HOST_MEMORY_H
#define ACL_RT_HOST_MEMORY_H

#include "../acl_base_rt.h"
#include "memory_types.h"

// Flags of aclrtHostRegisterV2.
#define ACL_HOST_REG_MAPPED 0x2UL         ///< the device gets an address for it
#define ACL_HOST_REG_IOMEMORY 0x4UL       ///< memory of another device
#define ACL_HOST_REG_READONLY 0x8UL       ///< the device only reads it
#define ACL_HOST_REG_PINNED 0x10000000UL  ///< it becomes pinned, as with any flag

#ifdef __cplusplus
extern "C" {
#endif

/// How aclrtHostRegister registers; the bits can be combined.
typedef enum aclrtHostRegisterType {
  ACL_HOST_REGISTER_MAPPED = 0,    ///< the device gets an address for it
  ACL_HOST_REGISTER_IOMEMORY = 4,  ///< the memory belongs to another device
  ACL_HOST_REGISTER_READONLY = 8   ///< the device only reads it
} aclrtHostRegisterType;

/// Parts of a device that can access registered host memory.
typedef enum aclrtHacType {
  ACL_RT_HAC_TYPE_STARS = 0,    ///< task scheduler
  ACL_RT_HAC_TYPE_AICPU = 1,    ///< AI CPU
  ACL_RT_HAC_TYPE_AIC = 2,      ///< cube core
  ACL_RT_HAC_TYPE_AIV = 3,      ///< vector core
  ACL_RT_HAC_TYPE_PCIEDMA = 4,  ///< copy engine to the host
  ACL_RT_HAC_TYPE_RDMA = 5,     ///< remote copy engine
  ACL_RT_HAC_TYPE_SDMA = 6,     ///< copy engine inside the system
  ACL_RT_HAC_TYPE_DVPP = 7,     ///< pictures and video
  ACL_RT_HAC_TYPE_UDMA = 8,     ///< copy engine of the unified bus
  ACL_RT_HAC_TYPE_CCU = 9       ///< collective communication unit
} aclrtHacType;

/// Result of aclrtHostMemMapCapabilities.
typedef enum aclrtHostMemMapCapability {
  ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0,  ///< it cannot reach it
  ACL_RT_HOST_MEM_MAP_SUPPORTED = 1       ///< it can reach it
} aclrtHostMemMapCapability;

/// Allocates pinned host memory. Its contents are undefined.
/// [out] hostPtr  address, a multiple of 64; to be released with aclrtFreeHost
/// [in] size  bytes
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `hostPtr` is NULL, or `size` is 0
///   ACL_ERROR_RT_CONTEXT_NULL       no current context
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the host does not have enough memory left
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void** hostPtr, size_t size);

/// As aclrtMallocHost, with attributes.
/// [in] cfg  NULL, or attributes of the type MODULE_ID or VA_FLAG
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `ptr` is NULL, or `size` is 0
///   ACL_ERROR_RT_PARAM_INVALID        `cfg` is not NULL, and its list is
///   ACL_ERROR_RT_CONTEXT_NULL         no current context
///   ACL_ERROR_RT_PARAM_INVALID        an attribute has another type
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  VA_FLAG is 1
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the host does not have enough memory left
ACL_FUNC_VISIBILITY aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size,
                                                    aclrtMallocConfig* cfg);

/// Frees memory of aclrtMallocHost at once, also when queued work still uses it. Needs no
/// context.
/// Threads: no other thread may use the memory any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `hostPtr` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `hostPtr` is not the start of live memory of aclrtMallocHost;
///                               the text says what it is or was
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void* hostPtr);

/// Waits for the device as aclrtSynchronizeDevice does, then frees as aclrtFreeHost does.
/// Blocking: until the work of the device is done.
/// Threads: no other thread may use the memory any more.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `hostPtr` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   (a task's code)             as for aclrtSynchronizeDevice; the memory was not freed
///   ACL_ERROR_RT_PARAM_INVALID  `hostPtr` is not the start of live memory of aclrtMallocHost;
///                               the text says what it is or was
ACL_FUNC_VISIBILITY aclError aclrtFreeHostWithDevSync(void* hostPtr);

/// Registers host memory: it becomes pinned and gets a device address. Memory of aclrtMallocHost
/// can be registered too.
/// [in] ptr  start, a multiple of 4096; the memory stays the caller's, and must stay mapped
///      until aclrtHostUnregister
/// [in] size  bytes
/// [out] devPtr  device address; the host cannot use it, and copies treat it as device memory
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM                   `ptr` or `devPtr` is NULL, or `size` is 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT          `type` has bits other than IOMEMORY and READONLY
///   ACL_ERROR_RT_CONTEXT_NULL                 no current context
///   ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED  a part of the range is already registered
///   ACL_ERROR_RT_PARAM_INVALID                `ptr` is not a multiple of 4096; the range is not
///                                             mapped; or it is memory of the library, but not
///                                             inside one allocation of aclrtMallocHost
ACL_FUNC_VISIBILITY aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type,
                                               void** devPtr);

/// Registers host memory: it becomes pinned, and with ACL_HOST_REG_MAPPED it gets a device address.
/// Memory of aclrtMallocHost can be registered too.
/// [in] ptr  start; the memory stays the caller's, and must stay mapped until
///      aclrtHostUnregister
/// [in] size  bytes
/// [in] flag  any of the ACL_HOST_REG_ flags above, at least one
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM                   `ptr` is NULL, or `size` is 0
///   ACL_ERROR_RT_PARAM_INVALID                `flag` is 0 or has unknown bits
///   ACL_ERROR_RT_CONTEXT_NULL                 no current context
///   ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED  a part of the range is already registered
///   ACL_ERROR_RT_PARAM_INVALID                the range is not mapped; or it is memory of the
///                                             library, but not inside one allocation of
///                                             aclrtMallocHost
ACL_FUNC_VISIBILITY aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag);

/// Gets the device address of registered host memory.
/// [in] pHost  an address inside it
/// [out] pDevice  the device address of the same byte
/// [in] flag  reserved, 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `pHost` or `pDevice` is NULL, or `flag` is not 0
///   ACL_ERROR_RT_CONTEXT_NULL   no current context
///   ACL_ERROR_RT_PARAM_INVALID  `pHost` is not in memory registered as mapped
ACL_FUNC_VISIBILITY aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag);

/// Undoes aclrtHostRegister or aclrtHostRegisterV2: the memory is as it was before. Call it only
/// after the work that uses it is done.
/// [in] ptr  start of the memory, as it was registered
/// Threads: no other thread may copy from or to the memory at the same time.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM               `ptr` is NULL
///   ACL_ERROR_RT_CONTEXT_NULL             no current context
///   ACL_ERROR_HOST_MEMORY_NOT_REGISTERED  no registered memory starts at `ptr`
ACL_FUNC_VISIBILITY aclError aclrtHostUnregister(void* ptr);

/// Reports whether a part of a device can access registered host memory. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `capabilities` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
///   ACL_ERROR_RT_PARAM_INVALID     `hacType` is none of aclrtHacType
ACL_FUNC_VISIBILITY aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
                                                         aclrtHostMemMapCapability* capabilities);

#ifdef __cplusplus
}
#endif

#endif
