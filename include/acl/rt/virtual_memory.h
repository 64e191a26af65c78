// SPDX-License-Identifier: Apache-2.0
// Chapter "virtual memory": reserving addresses and mapping physical memory to them. Plain device
// memory is in device_memory.h.
#ifndef ACL_RT_VIRTUAL_MEMORY_H
#define ACL_RT_VIRTUAL_MEMORY_H

#include "../acl_base_rt.h"
#include "memory_types.h"

#include <stdbool.h>

// Flags of the export functions.
#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL

// Links of aclrtMemMapSelectedLink.
#define ACL_RT_MEM_LINK_IDX_0 0U
#define ACL_RT_MEM_LINK_IDX_1 1U

#ifdef __cplusplus
extern "C" {
#endif

/// Physical memory that need not have an address.
typedef void* aclrtDrvMemHandle;

/// How physical memory is shared.
typedef enum aclrtMemSharedHandleType {
  ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1,
  ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2
} aclrtMemSharedHandleType;

/// Which granularity is requested.
typedef enum aclrtMemGranularityOptions {
  ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
  ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
  ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 0xFFFF
} aclrtMemGranularityOptions;

/// Access to mapped memory.
typedef enum aclrtMemAccessFlags {
  ACL_RT_MEM_ACCESS_FLAGS_NONE = 0,
  ACL_RT_MEM_ACCESS_FLAGS_READ = 1,
  ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3
} aclrtMemAccessFlags;

/// Link by which mapped memory is accessed.
typedef enum aclrtMemLinkType {
  ACL_RT_MEM_ACCESS_LINK_SIO = 0,
  ACL_RT_MEM_ACCESS_LINK_HCCS = 1,
  ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH = 2,
  ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH = 3
} aclrtMemLinkType;

/// Size of pages.
typedef enum aclrtMemPgType {
  NORMAL_PAGE_TYPE = 0,
  HUGE_PAGE_TYPE = 1,
  HUGE1G_PAGE_TYPE = 2
} aclrtMemPgType;

/// Type of memory.
typedef enum aclrtMemType {
  HBM_TYPE = 0,
  DDR_TYPE = 1,
  P2P_HBM_TYPE = 2,
  P2P_DDR_TYPE = 3
} aclrtMemType;

/// Shared memory as another server sees it.
typedef struct aclrtMemFabricHandle {
  uint8_t data[128];
} aclrtMemFabricHandle;

/// Description of the requested physical memory.
typedef struct aclrtPhysicalMemProp {
  aclrtMemHandleType handleType;
  aclrtMemAllocationType allocationType;
  aclrtMemAttr memAttr;
  aclrtMemLocation location;
  uint64_t reserve;
} aclrtPhysicalMemProp;

/// Access to mapped memory from one place.
typedef struct aclrtMemAccessDesc {
  aclrtMemAccessFlags flags;
  aclrtMemLocation location;
  uint8_t rsv[12];
} aclrtMemAccessDesc;

/// Page size and memory type that belong to an attribute.
typedef struct MemAttrMapping {
  uint32_t pgType;
  uint32_t memType;
  bool isHostAlloc;
  aclrtMemAttr memAttr;
} MemAttrMapping;

/// Reserves addresses without memory. They take no memory of a device and lie on a multiple of 2
/// MiB, from sizes above 512 MiB on of 1 GiB. Needs no context.
/// [out] virPtr  the first address; to be released with aclrtReleaseMemAddress
/// [in] size  bytes; rounded up to a multiple of 2 MiB
/// [in] alignment  0
/// [in] expectPtr  where; NULL: anywhere
/// [in] flags  0 or 1, which are the same
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM         `virPtr` is NULL, `size` is 0, `flags` is above 1
///   ACL_ERROR_RT_PARAM_INVALID      `alignment` is not 0; `expectPtr` is not a multiple of 2 MiB,
///                                   of the next power of two from `size` on, or, above 512 MiB, of
///                                   1 GiB
///   ACL_ERROR_RT_MEMORY_ALLOCATION  the process has no such addresses left
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment,
                                                    void* expectPtr, uint64_t flags);

/// As aclrtReserveMemAddress, at an address the program chooses, in multiples of 1 GiB; on A3
/// products.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `virPtr` is NULL, `size` is 0, `flags` is above 1
///   ACL_ERROR_RT_PARAM_INVALID        `alignment` is not 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  `expectPtr` is NULL
///   ACL_ERROR_RT_PARAM_INVALID        `size` or `expectPtr` is not a multiple of 1 GiB
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product is not an A3
///   ACL_ERROR_RT_MEMORY_ALLOCATION    these addresses are not free
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size,
                                                              size_t alignment, void* expectPtr,
                                                              uint64_t flags);

/// Releases reserved addresses. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `virPtr` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  `virPtr` is not the start of reserved addresses, or memory is
///                               still mapped there; nothing has changed
ACL_FUNC_VISIBILITY aclError aclrtReleaseMemAddress(void* virPtr);

/// Takes memory without an address, with undefined contents and one reference. It counts in
/// aclrtGetMemInfo from now on. Needs no context, unless its location is a NUMA node of the host.
/// [out] handle  to be given back with aclrtFreePhysical
/// [in] size  a multiple of 2 MiB; for kinds with pages of 1 GiB it is rounded up
/// [in] prop  handleType and allocationType 0; memAttr 4, 5, 10 or 12 to 17 on a device, 2 to 7,
///            12, 13, 15 or 16 on the host; location: a device, the host with id 0, or a NUMA node
/// [in] flags  0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `handle` or `prop` is NULL, `size` is 0, `flags` is not 0,
///                                     or a member of `prop` is not one of the above
///   ACL_ERROR_RT_INVALID_DEVICEID     the program sees no such device
///   ACL_ERROR_RT_CONTEXT_NULL         a NUMA node is given, and there is no current context
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  pages of 1 GiB on the host, or memAttr 17 on an A2 product
///   ACL_ERROR_RT_PARAM_INVALID        the location is of no known type, or prop->reserve is not 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the host with another id than 0
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR   `size` is not a multiple of 2 MiB; no such NUMA node
///   ACL_ERROR_RT_MEMORY_ALLOCATION    there is not enough memory; may be tried again
ACL_FUNC_VISIBILITY aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                                                 const aclrtPhysicalMemProp* prop, uint64_t flags);

/// Gives one reference back. The memory goes back when no reference and no mapping is left; until
/// then its mappings stay usable. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     `handle` is NULL
///   ACL_ERROR_RT_PARAM_INVALID  all its references were given back
ACL_FUNC_VISIBILITY aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/// Maps physical memory, from its first byte on, to reserved addresses. Mappings side by side in
/// one range of reserved addresses are one range to copies. The first mapping decides for which
/// device, or for the host, these addresses are until they are released. Needs no context.
/// [in] virPtr  any multiple of 2 MiB inside reserved addresses; of 1 GiB for pages of 1 GiB
/// [in] size  such a multiple, at most the size of the memory
/// [in] offset  0
/// [in] flags  0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `virPtr` or `handle` is NULL, `size` is 0, `flags` is not 0
///   ACL_ERROR_RT_PARAM_INVALID       `offset` is not 0, or the handle's references were given back
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  `virPtr` or `size` is not a multiple; the range is not inside
///                                    one range of reserved addresses, larger than the memory, for
///                                    another device, or something is mapped there; nothing has
///                                    changed
///   ACL_ERROR_RT_MEMORY_ALLOCATION   a limit of the system is reached; the text names it
ACL_FUNC_VISIBILITY aclError aclrtMapMem(void* virPtr, size_t size, size_t offset,
                                         aclrtDrvMemHandle handle, uint64_t flags);

/// Undoes the mapping that starts at `virPtr`, and every access granted to it. The memory keeps its
/// bytes, the addresses stay reserved. Does not wait for streams: a copy that has begun finishes
/// first, one that has not begun fails with ACL_ERROR_RT_TS_ERROR. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `virPtr` is NULL
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  no mapping starts there
///   ACL_ERROR_RT_MEMORY_ALLOCATION   a limit of the system is reached; nothing has changed
ACL_FUNC_VISIBILITY aclError aclrtUnmapMem(void* virPtr);

/// As aclrtMapMem, but nobody may access the memory until aclrtMemSetAccess: copies fail there.
/// Returns ACL_SUCCESS, or a code as aclrtMapMem
ACL_FUNC_VISIBILITY aclError aclrtMemMapNoAccess(void* virPtr, size_t size, size_t offset,
                                                 aclrtDrvMemHandle handle, uint64_t flags);

/// Maps what is mapped from `virPtrSrc` on to unused reserved addresses as well, mapping by
/// mapping, each to be undone by an aclrtUnmapMem of its own; on A3 products. The link has no
/// effect.
/// [in] linkIdx  0 (SIO) or 1 (HCCS)
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           an address is NULL, `size` is 0, `linkIdx` is above 1
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product is not an A3
///   ACL_ERROR_RT_PARAM_INVALID        the source is not whole mappings side by side, or
///                                     `virPtrDst` is not the start of `size` reserved bytes
///                                     without mappings
ACL_FUNC_VISIBILITY aclError aclrtMemMapSelectedLink(void* virPtrDst, size_t size, void* virPtrSrc,
                                                     uint32_t linkIdx);

/// Chooses the link by which physical memory is accessed; on A3 products, without effect.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM               `handle` is NULL
///   ACL_ERROR_RT_PARAM_INVALID            `adviceLink` is above 3
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT      the product is not an A3
///   ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED  `adviceLink` is 2 or 3
ACL_FUNC_VISIBILITY aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle,
                                                aclrtMemLinkType adviceLink);

/// Lets devices or the host access a mapping, one `desc` after the other. Its own device, or the
/// host for host memory, may access it anyway. Devices are given by their logical ids. Needs no
/// context.
/// [in] virPtr, size  exactly one mapping
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID        `virPtr` or `desc` is NULL, `count` is 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  flags are NONE or READ
///   ACL_ERROR_RT_PARAM_INVALID        flags are not READWRITE; the location is not the host with
///                                     id 0 or a device
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR   the range is not exactly one mapping
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the host cannot access memory of this device
ACL_FUNC_VISIBILITY aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc,
                                               size_t count);

/// Reports whether a device, by its logical id, or the host may access the mapping that holds the
/// address. Needs no context.
/// [out] flag  3 if so, else 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID       the location is not the host with id 0 or a device
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  nothing is mapped at `virPtr`
ACL_FUNC_VISIBILITY aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location,
                                               uint64_t* flag);

/// Gets what sizes and addresses of physical memory are multiples of: 2 MiB, or 1 GiB for kinds
/// with such pages. Needs no context.
/// [in] prop  as for aclrtMallocPhysical; handleType and allocationType are ignored
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           a pointer is NULL, or prop->memAttr is not one for this
///                                     location
///   ACL_ERROR_RT_INVALID_DEVICEID     the program sees no such device
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  `option` is not MINIMUM or RECOMMENDED
///   ACL_ERROR_RT_PARAM_INVALID        the location is of another type, or prop->reserve is not 0
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                                              aclrtMemGranularityOptions option,
                                                              size_t* granularity);

/// Gets the handle of the memory that is mapped at `virPtr`, and adds a reference, also when all
/// were given back. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          a pointer is NULL
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  no mapping starts at `virPtr`
ACL_FUNC_VISIBILITY aclError aclrtMemRetainAllocationHandle(void* virPtr,
                                                            aclrtDrvMemHandle* handle);

/// Reports how physical memory was allocated. memAttr is normalised: of kinds that are the same on
/// this location, one is reported. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM     a pointer is NULL
///   ACL_ERROR_RT_PARAM_INVALID  all references of the handle were given back
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                                       aclrtPhysicalMemProp* prop);

/// Creates a number with which another process on this server can use physical memory, mapped or
/// not. It holds no reference: it is unknown once the memory has gone back to its device, or the
/// process has ended. Processes that have imported the memory keep it. Needs no context.
/// [in] flags  0: only processes named by aclrtMemSetPidToShareableHandle can import it; 1: all of
///             this user
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           a pointer is NULL, or `handleType` is not
///                                     ACL_MEM_HANDLE_TYPE_NONE
///   ACL_ERROR_RT_PARAM_INVALID        `flags` is not 0 or 1, or all references of the handle were
///                                     given back
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR   the memory was exported before, or is imported
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the device cannot share memory
///   ACL_ERROR_RT_MEMORY_ALLOCATION    the system has no memory or no file for it
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle,
                                                             aclrtMemHandleType handleType,
                                                             uint64_t flags,
                                                             uint64_t* shareableHandle);

/// The same for both types of handle.
/// [in] shareType         DEFAULT: the number of aclrtMemExportToShareableHandle; FABRIC: 128
///                        bytes, which needs a context
/// [out] shareableHandle  a uint64_t, or an aclrtMemFabricHandle
/// Returns as above, in this order: a NULL pointer, `shareType` (ACL_ERROR_RT_PARAM_INVALID),
/// `flags`, ACL_ERROR_RT_CONTEXT_NULL for FABRIC without a context, the handle.
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle,
                                                               uint64_t flags,
                                                               aclrtMemSharedHandleType shareType,
                                                               void* shareableHandle);

/// Makes a handle of a device for physical memory that a process of this user on this server has
/// exported. The same number again, for the same device, gives the same handle with one more
/// reference. The memory does not count against the capacity of the device. Peer access to the
/// exporter's device is enabled.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `handle` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID    the program sees no such device
///   ACL_ERROR_RT_CONTEXT_NULL        the thread has no context
///   ACL_ERROR_RT_INVALID_HANDLE      no process offers it: it was freed, or its process has ended
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  this process may not import it, or has exported it for the
///                                    same device itself
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle,
                                                               int32_t deviceId,
                                                               aclrtDrvMemHandle* handle);

/// The same for both types of handle, on the current device.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           a pointer is NULL, or `flags` is not 0
///   ACL_ERROR_RT_CONTEXT_NULL         the thread has no context
///   ACL_ERROR_RT_PARAM_INVALID        `shareType` is unknown, or the bytes are not a FABRIC handle
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the FABRIC handle was made on another server
///   and as above
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle,
                                                                 aclrtMemSharedHandleType shareType,
                                                                 uint64_t flags,
                                                                 aclrtDrvMemHandle* handle);

/// Names processes that may import exported memory, in addition to those named before. Pids of 0
/// are skipped. Only the exporter can do this. Needs no context.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM          `pid` is NULL, or `pidNum` is 0
///   ACL_ERROR_RT_PARAM_INVALID       more than 65535 processes
///   ACL_ERROR_RT_INVALID_HANDLE      no process offers it
///   ACL_ERROR_RT_DRV_INTERNAL_ERROR  another process has exported it, or all pids are 0
///   ACL_ERROR_RT_NO_PERMISSION       it was exported for all processes
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid,
                                                             size_t pidNum);

/// The same for both types of handle.
/// Returns as above, and ACL_ERROR_RT_PARAM_INVALID for an unknown `shareType`.
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle,
                                                               aclrtMemSharedHandleType shareType,
                                                               int32_t* pid, size_t pidNum);

#ifdef __cplusplus
}
#endif

#endif
