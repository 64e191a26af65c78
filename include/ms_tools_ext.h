// SPDX-License-Identifier: Apache-2.0
// Marks, ranges and memory regions that programs announce to tools. Marks and ranges go into
// Ferry's trace; without one they do nothing. Regions get handles and nothing else. The functions
// are in libms_tools_ext.so.
#ifndef INC_EXTERNAL_MS_TOOLS_EXT_H_
#define INC_EXTERNAL_MS_TOOLS_EXT_H_

#include "acl/acl_base.h"

#define MSTX_INVALID_ID 0

#ifdef __cplusplus
extern "C" {
#endif

/// A range that has begun.
typedef uint64_t mstxRangeId;

/// A name space for marks and ranges.
typedef struct mstxDomainRegistration_st mstxDomainRegistration_t;
typedef mstxDomainRegistration_t* mstxDomainHandle_t;

/// A part of memory from which a program allocates, and a piece of it.
typedef struct mstxMemHeap_st mstxMemHeap_t;
typedef mstxMemHeap_t* mstxMemHeapHandle_t;
typedef struct mstxMemRegion_st mstxMemRegion_t;
typedef mstxMemRegion_t* mstxMemRegionHandle_t;

typedef enum mstxMemHeapUsageType {
  MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR = 0
} mstxMemHeapUsageType;

typedef enum mstxMemType { MSTX_MEM_TYPE_VIRTUAL_ADDRESS = 0 } mstxMemType;

typedef enum mstxMemRegionRefType {
  MSTX_MEM_REGION_REF_TYPE_POINTER = 0,
  MSTX_MEM_REGION_REF_TYPE_HANDLE = 1
} mstxMemRegionRefType;

typedef struct mstxMemVirtualRangeDesc_t {
  uint32_t deviceId;
  const void* ptr;
  uint64_t size;
} mstxMemVirtualRangeDesc_t;

typedef struct mstxMemHeapDesc_t {
  mstxMemHeapUsageType usage;
  mstxMemType type;
  const void* typeSpecificDesc;
} mstxMemHeapDesc_t;

typedef struct mstxMemRegionsRegisterBatch_t {
  mstxMemHeapHandle_t heap;
  mstxMemType regionType;
  size_t regionCount;
  const void* regionDescArray;
  mstxMemRegionHandle_t* regionHandleArrayOut;
} mstxMemRegionsRegisterBatch_t;

typedef struct mstxMemRegionRef_t {
  mstxMemRegionRefType refType;
  union {
    const void* pointer;
    mstxMemRegionHandle_t handle;
  };
} mstxMemRegionRef_t;

typedef struct mstxMemRegionsUnregisterBatch_t {
  size_t refCount;
  const mstxMemRegionRef_t* refArray;
} mstxMemRegionsUnregisterBatch_t;

/// Marks this moment; with a stream, also the moment when the stream gets there. message NULL:
/// nothing.
ACL_FUNC_VISIBILITY void mstxMarkA(const char* message, aclrtStream stream);

/// Begins a range, on a stream if one is given. Returns its id, unique in the process; 0 for
/// message NULL.
ACL_FUNC_VISIBILITY mstxRangeId mstxRangeStartA(const char* message, aclrtStream stream);

/// Ends a range, on any thread. An unknown id: nothing.
ACL_FUNC_VISIBILITY void mstxRangeEnd(mstxRangeId id);

/// The domain of this name, created if needed; NULL for NULL.
ACL_FUNC_VISIBILITY mstxDomainHandle_t mstxDomainCreateA(const char* name);

/// Destroys a domain. Its handle is refused afterwards.
ACL_FUNC_VISIBILITY void mstxDomainDestroy(mstxDomainHandle_t handle);

/// As mstxMarkA, in a domain.
ACL_FUNC_VISIBILITY void mstxDomainMarkA(mstxDomainHandle_t handle, const char* message,
                                         aclrtStream stream);

/// As mstxRangeStartA, in a domain; 0 for handle NULL too.
ACL_FUNC_VISIBILITY mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t handle,
                                                      const char* message, aclrtStream stream);

/// As mstxRangeEnd.
ACL_FUNC_VISIBILITY void mstxDomainRangeEnd(mstxDomainHandle_t handle, mstxRangeId id);

/// Announces a heap. Returns a handle; NULL for desc NULL.
ACL_FUNC_VISIBILITY mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain,
                                                            const mstxMemHeapDesc_t* desc);

/// Takes a heap back.
ACL_FUNC_VISIBILITY void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap);

/// Announces regions: fills regionHandleArrayOut with one handle for each.
ACL_FUNC_VISIBILITY void mstxMemRegionsRegister(mstxDomainHandle_t domain,
                                                const mstxMemRegionsRegisterBatch_t* desc);

/// Takes regions back.
ACL_FUNC_VISIBILITY void mstxMemRegionsUnregister(mstxDomainHandle_t domain,
                                                  const mstxMemRegionsUnregisterBatch_t* desc);

#ifdef __cplusplus
}
#endif

#endif
