// SPDX-License-Identifier: Apache-2.0
// Chapter "access between devices": which devices may copy to each other. The copies themselves are
// in copy.h. On products of the A3 series access is always on; on those of the A2 series it has to
// be enabled.
#ifndef ACL_RT_PEER_ACCESS_H
#define ACL_RT_PEER_ACCESS_H

#include "../acl_base_rt.h"

// Bits of aclrtGetDevicesTopo: what connects two devices.
#define ACL_RT_DEVS_TOPOLOGY_HCCS 0x01ULL     ///< direct link
#define ACL_RT_DEVS_TOPOLOGY_PIX 0x02ULL      ///< one PCIe switch
#define ACL_RT_DEVS_TOPOLOGY_PIB 0x04ULL      ///< several PCIe switches
#define ACL_RT_DEVS_TOPOLOGY_PHB 0x08ULL      ///< PCIe host bridge of one processor
#define ACL_RT_DEVS_TOPOLOGY_SYS 0x10ULL      ///< link between processors
#define ACL_RT_DEVS_TOPOLOGY_SIO 0x20ULL      ///< link inside one package
#define ACL_RT_DEVS_TOPOLOGY_HCCS_SW 0x40ULL  ///< direct link through a switch

#ifdef __cplusplus
extern "C" {
#endif

/// Operations whose atomicity can be queried.
typedef enum aclrtAtomicOperation {
  ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0,
  ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1,
  ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2,
  ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
  ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
  ACL_RT_ATOMIC_OPERATION_AND = 5,
  ACL_RT_ATOMIC_OPERATION_OR = 6,
  ACL_RT_ATOMIC_OPERATION_XOR = 7,
  ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8,
  ACL_RT_ATOMIC_OPERATION_CAS = 9,
  ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10,
  ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11,
  ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12,
  ACL_RT_ATOMIC_OPERATION_DMA_ADD = 30,
  ACL_RT_ATOMIC_OPERATION_DMA_MIN = 31,
  ACL_RT_ATOMIC_OPERATION_DMA_MAX = 32,
  ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD = 40,
  ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN = 41,
  ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX = 42,
  ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS = 43,
  ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH = 44
} aclrtAtomicOperation;

/// Bits of the result: for which operands an operation is atomic.
typedef enum aclrtAtomicOperationCapability {
  ACL_RT_ATOMIC_CAPABILITY_SIGNED = 1,
  ACL_RT_ATOMIC_CAPABILITY_UNSIGNED = 2,
  ACL_RT_ATOMIC_CAPABILITY_REDUCATION = 4,
  ACL_RT_ATOMIC_CAPABILITY_REDUCTION = 4,
  ACL_RT_ATOMIC_CAPABILITY_SCALAR8 = 8,
  ACL_RT_ATOMIC_CAPABILITY_SCALAR16 = 16,
  ACL_RT_ATOMIC_CAPABILITY_SCALAR32 = 32,
  ACL_RT_ATOMIC_CAPABILITY_SCALAR64 = 64,
  ACL_RT_ATOMIC_CAPABILITY_SCALAR128 = 128,
  ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4 = 0x100
} aclrtAtomicOperationCapability;

/// Reports whether one device can be given access to the memory of another. Needs no context.
/// [out] canAccessPeer  1 when it can, else 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `canAccessPeer` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId` or `peerDeviceId`
///   ACL_ERROR_RT_PARAM_INVALID     both are the same device
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId,
                                                      int32_t peerDeviceId);

/// Lets the device of the current context copy from and to the memory of another one. One
/// direction: the peer needs its own call.
/// [in] flags  reserved, 0
/// Returns ACL_SUCCESS (also when it is already on), or
///   ACL_ERROR_RT_PARAM_INVALID     `flags` is not 0
///   ACL_ERROR_RT_CONTEXT_NULL      no current context
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `peerDeviceId`
///   ACL_ERROR_RT_PARAM_INVALID     `peerDeviceId` is the device itself
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/// Undoes aclrtDeviceEnablePeerAccess.
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_CONTEXT_NULL      no current context
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `peerDeviceId`
///   ACL_ERROR_RT_PARAM_INVALID     `peerDeviceId` is the device itself, or access to it is not
///                                  on
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/// Reports whether access from one device to another is on. Needs no context.
/// [out] status  1 when on, 0 when off
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `status` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId` or `peerDeviceId`
///   ACL_ERROR_RT_PARAM_INVALID     both are the same device
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId,
                                                         int32_t* status);

/// Reports how two devices are connected. Needs no context.
/// [out] value  a bit of ACL_RT_DEVS_TOPOLOGY_HCCS and related values
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM        `value` is NULL
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId` or `otherDeviceId`
ACL_FUNC_VISIBILITY aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId,
                                                 uint64_t* value);

/// Reports which atomic operations one device can do in the memory of another: none. Needs no
/// context.
/// [out] capabilities  one per operation: bits of aclrtAtomicOperationCapability, here 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID     `capabilities` or `operations` is NULL, `count` is 0, or an
///                                  operation is none of aclrtAtomicOperation
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `srcDeviceId` or `dstDeviceId`, or both are
///                                  the same
ACL_FUNC_VISIBILITY aclError
aclrtDeviceGetP2PAtomicCapabilities(uint32_t* capabilities, const aclrtAtomicOperation* operations,
                                    const uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId);

/// Reports which atomic operations a device can do in host memory: none. Needs no context.
/// [out] capabilities  one per operation: bits of aclrtAtomicOperationCapability, here 0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_RT_PARAM_INVALID     `capabilities` or `operations` is NULL, `count` is 0, or an
///                                  operation is none of aclrtAtomicOperation
///   ACL_ERROR_RT_INVALID_DEVICEID  there is no device `deviceId`
ACL_FUNC_VISIBILITY aclError
aclrtDeviceGetHostAtomicCapabilities(uint32_t* capabilities, const aclrtAtomicOperation* operations,
                                     const uint32_t count, int32_t deviceId);

/// Maps device memory so that another device can access it. Devices access all memory of their
/// peers here: it is a hint. Needs no context.
/// [in] flags  0
/// Returns ACL_SUCCESS, or
///   ACL_ERROR_INVALID_PARAM           `devPtr` is NULL, `size` is 0, or `flags` is not 0
///   ACL_ERROR_RT_FEATURE_NOT_SUPPORT  the product has no such call
///   ACL_ERROR_RT_INVALID_DEVICEID     there is no device `dstDevId`
///   ACL_ERROR_RT_PARAM_INVALID        `devPtr` is neither device nor managed memory, or peer
///                                     access is off on a product that needs it
ACL_FUNC_VISIBILITY aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId,
                                            uint64_t flags);

#ifdef __cplusplus
}
#endif

#endif
