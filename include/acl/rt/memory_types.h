// SPDX-License-Identifier: Apache-2.0
// Types of memory that several chapters share: locations, kinds of copies, attributes of
// allocations. No functions.
#ifndef ACL_RT_MEMORY_TYPES_H
#define ACL_RT_MEMORY_TYPES_H

#include "../acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Direction of a copy. Each function says how it uses it; most derive the direction from the
/// addresses.
typedef enum aclrtMemcpyKind {
  ACL_MEMCPY_HOST_TO_HOST = 0,            ///< from host to host
  ACL_MEMCPY_HOST_TO_DEVICE = 1,          ///< from host to device
  ACL_MEMCPY_DEVICE_TO_HOST = 2,          ///< from device to host
  ACL_MEMCPY_DEVICE_TO_DEVICE = 3,        ///< from device to device
  ACL_MEMCPY_DEFAULT = 4,                 ///< derived from the addresses
  ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,   ///< host to device, source read at once
  ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6,  ///< inside one device, by descriptor or offset
  ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7   ///< between devices; accepted by no function
} aclrtMemcpyKind;

/// Where memory is.
typedef enum aclrtMemLocationType {
  ACL_MEM_LOCATION_TYPE_HOST = 0,          ///< host: pinned, or registered
  ACL_MEM_LOCATION_TYPE_DEVICE = 1,        ///< device
  ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2,  ///< pageable, freed, or no memory at all
  ACL_MEM_LOCATION_TYPE_MANAGED = 3,       ///< managed memory
  ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4      ///< host, a given NUMA node; in a batch the same as HOST
} aclrtMemLocationType;

/// A place for memory.
typedef struct aclrtMemLocation {
  uint32_t id;                ///< number of the device; ignored, 0, for host memory
  aclrtMemLocationType type;  ///< host or device
} aclrtMemLocation;

/// Attributes of an allocation, with the member of aclrtMallocAttrValue that holds them.
typedef enum aclrtMallocAttrType {
  ACL_RT_MEM_ATTR_RSV = 0,        ///< none
  ACL_RT_MEM_ATTR_MODULE_ID = 1,  ///< `moduleId`: the module that the memory is counted for
  ACL_RT_MEM_ATTR_DEVICE_ID = 2,  ///< `deviceId`: must be the current device
  ACL_RT_MEM_ATTR_VA_FLAG = 3     ///< `vaFlag`: host memory at the same address as on the device
} aclrtMallocAttrType;

/// Value of one attribute.
typedef union aclrtMallocAttrValue {
  uint16_t moduleId;  ///< number of a module
  uint32_t deviceId;  ///< number of a device
  uint32_t vaFlag;    ///< 0 no, 1 yes (not supported)
  uint8_t rsv[8];     ///< keeps the size
} aclrtMallocAttrValue;

/// One attribute.
typedef struct aclrtMallocAttribute {
  aclrtMallocAttrType attr;    ///< which
  aclrtMallocAttrValue value;  ///< its value
} aclrtMallocAttribute;

/// A list of attributes; it belongs to the caller and is read only during the call.
typedef struct aclrtMallocConfig {
  aclrtMallocAttribute* attrs;  ///< the list
  size_t numAttrs;              ///< its length
} aclrtMallocConfig;

/// Kinds of device memory. A device here has one kind: all of them name the same memory.
typedef enum aclrtMemAttr {
  ACL_DDR_MEM = 0,              ///< memory on the board
  ACL_HBM_MEM = 1,              ///< stacked memory
  ACL_DDR_MEM_HUGE = 2,         ///< DDR, pages of 2 MiB
  ACL_DDR_MEM_NORMAL = 3,       ///< DDR, pages of 4 KiB
  ACL_HBM_MEM_HUGE = 4,         ///< HBM, pages of 2 MiB
  ACL_HBM_MEM_NORMAL = 5,       ///< HBM, pages of 4 KiB
  ACL_DDR_MEM_P2P_HUGE = 6,     ///< DDR, pages of 2 MiB, for copies between devices
  ACL_DDR_MEM_P2P_NORMAL = 7,   ///< DDR, pages of 4 KiB, for copies between devices
  ACL_HBM_MEM_P2P_HUGE = 8,     ///< HBM, pages of 2 MiB, for copies between devices
  ACL_HBM_MEM_P2P_NORMAL = 9,   ///< HBM, pages of 4 KiB, for copies between devices
  ACL_HBM_MEM_HUGE1G = 10,      ///< HBM, pages of 1 GiB
  ACL_HBM_MEM_P2P_HUGE1G = 11,  ///< HBM, pages of 1 GiB, for copies between devices
  ACL_MEM_NORMAL = 12,          ///< any memory, pages of 4 KiB
  ACL_MEM_HUGE = 13,            ///< any memory, pages of 2 MiB
  ACL_MEM_HUGE1G = 14,          ///< any memory, pages of 1 GiB
  ACL_MEM_P2P_NORMAL = 15,      ///< any memory, pages of 4 KiB, for copies between devices
  ACL_MEM_P2P_HUGE = 16,        ///< any memory, pages of 2 MiB, for copies between devices
  ACL_MEM_P2P_HUGE1G = 17       ///< any memory, pages of 1 GiB, for copies between devices
} aclrtMemAttr;

/// How physical memory and pools are allocated.
typedef enum aclrtMemAllocationType { ACL_MEM_ALLOCATION_TYPE_PINNED = 0 } aclrtMemAllocationType;

/// How physical memory and pools can be shared with other processes.
typedef enum aclrtMemHandleType {
  ACL_MEM_HANDLE_TYPE_NONE = 0,
  ACL_MEM_HANDLE_TYPE_POSIX = 2
} aclrtMemHandleType;

#ifdef __cplusplus
}
#endif

#endif
