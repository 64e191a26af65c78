// SPDX-License-Identifier: Apache-2.0
// Overloads of runtime functions for C++: typed pointers, and arguments with defaults. Each calls
// one function of acl_rt.h. In C this header declares nothing.
#ifndef INC_EXTERNAL_ACL_ACL_RT_API_H_
#define INC_EXTERNAL_ACL_ACL_RT_API_H_

#include "acl_rt.h"

#ifdef __cplusplus

#include <type_traits>

namespace ferry_rt_api {

// Pointers as the functions take them.
template <typename T>
inline void* untyped(T* pointer) {
  return const_cast<void*>(static_cast<const void*>(pointer));
}
template <typename T>
inline void** untyped_array(T** pointers) {
  return reinterpret_cast<void**>(const_cast<typename std::remove_cv<T>::type**>(pointers));
}

}  // namespace ferry_rt_api

// ---- waiting ----

inline aclError aclrtSynchronizeDevice(int32_t timeout) {
  return aclrtSynchronizeDeviceWithTimeout(timeout);
}

inline aclError aclrtSynchronizeStream(aclrtStream stream, int32_t timeout) {
  return aclrtSynchronizeStreamWithTimeout(stream, timeout);
}

inline aclError aclrtSynchronizeEvent(aclrtEvent event, int32_t timeout) {
  return aclrtSynchronizeEventWithTimeout(event, timeout);
}

inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return aclrtStreamWaitEventWithTimeout(stream, event, timeout);
}

inline aclError aclrtSetOpExecuteTimeOut(uint64_t timeout, uint64_t* actualTimeout) {
  return aclrtSetOpExecuteTimeOutV2(timeout, actualTimeout);
}

// ---- streams and events ----

inline aclError aclrtCreateStream(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return aclrtCreateStreamWithConfig(stream, priority, flag);
}

inline aclError aclrtCreateEvent(aclrtEvent* event, uint32_t flag) {
  return aclrtCreateEventExWithFlag(event, flag);
}

// ---- memory ----

template <typename T>
inline aclError aclrtMalloc(T** devPtr, size_t size, aclrtMallocConfig* cfg = nullptr) {
  return aclrtMallocWithCfg(ferry_rt_api::untyped_array(devPtr), size, ACL_MEM_MALLOC_HUGE_FIRST,
                            cfg);
}

template <typename T>
inline aclError aclrtMalloc(T** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg = nullptr) {
  return aclrtMallocWithCfg(ferry_rt_api::untyped_array(devPtr), size, policy, cfg);
}

template <typename T>
inline aclError aclrtMallocHost(T** hostPtr, size_t size, aclrtMallocConfig* cfg = nullptr) {
  return aclrtMallocHostWithCfg(ferry_rt_api::untyped_array(hostPtr), size, cfg);
}

template <typename T>
inline aclError aclrtPointerGetAttributes(const T* ptr, aclrtPtrAttributes* attributes) {
  return aclrtPointerGetAttributes(static_cast<const void*>(ptr), attributes);
}

template <typename T>
inline aclError aclrtHostRegister(T* ptr, uint64_t size, aclrtHostRegisterType type, T** devPtr) {
  return aclrtHostRegister(ferry_rt_api::untyped(ptr), size, type,
                           ferry_rt_api::untyped_array(devPtr));
}

template <typename T>
inline aclError aclrtHostRegister(T* ptr, uint64_t size, uint32_t flag) {
  return aclrtHostRegisterV2(ferry_rt_api::untyped(ptr), size, flag);
}

template <typename T>
inline aclError aclrtHostGetDevicePointer(T* pHost, T** pDevice, uint32_t flag) {
  return aclrtHostGetDevicePointer(ferry_rt_api::untyped(pHost),
                                   ferry_rt_api::untyped_array(pDevice), flag);
}

template <typename T>
inline aclError aclrtHostUnregister(T* ptr) {
  return aclrtHostUnregister(ferry_rt_api::untyped(ptr));
}

template <typename T>
inline aclError aclrtMemAllocManaged(T** devPtr, size_t size,
                                     uint32_t flags = ACL_RT_MEM_ATTACH_GLOBAL) {
  return aclrtMemAllocManaged(ferry_rt_api::untyped_array(devPtr), size, flags);
}

template <typename T>
inline aclError aclrtMemManagedPrefetchAsync(const T* ptr, size_t size,
                                             aclrtMemManagedLocation location, uint32_t flags,
                                             aclrtStream stream) {
  return aclrtMemManagedPrefetchAsync(static_cast<const void*>(ptr), size, location, flags, stream);
}

// One location for all ranges.
template <typename T>
inline aclError aclrtMemManagedPrefetchBatchAsync(const T** ptrs, size_t* sizes, size_t count,
                                                  aclrtMemManagedLocation prefetchLoc,
                                                  uint64_t flags, aclrtStream stream) {
  size_t first = 0;
  return aclrtMemManagedPrefetchBatchAsync(reinterpret_cast<const void**>(ptrs), sizes, count,
                                           &prefetchLoc, &first, 1, flags, stream);
}

template <typename T>
inline aclError aclrtMemManagedPrefetchBatchAsync(const T** ptrs, size_t* sizes, size_t count,
                                                  aclrtMemManagedLocation* prefetchLocs,
                                                  size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                                  uint64_t flags, aclrtStream stream) {
  return aclrtMemManagedPrefetchBatchAsync(reinterpret_cast<const void**>(ptrs), sizes, count,
                                           prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                           stream);
}

// ---- copies ----

template <typename T, typename U>
inline aclError aclrtMemcpy(T* dst, size_t destMax, const U* src, size_t count,
                            aclrtMemcpyKind kind) {
  return aclrtMemcpy(static_cast<void*>(dst), destMax, static_cast<const void*>(src), count, kind);
}

template <typename T, typename U>
inline aclError aclrtMemcpyAsync(T* dst, size_t destMax, const U* src, size_t count,
                                 aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpyAsync(static_cast<void*>(dst), destMax, static_cast<const void*>(src), count,
                          kind, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpy2d(T* dst, size_t dpitch, const U* src, size_t spitch, size_t width,
                              size_t height, aclrtMemcpyKind kind) {
  return aclrtMemcpy2d(static_cast<void*>(dst), dpitch, static_cast<const void*>(src), spitch,
                       width, height, kind);
}

template <typename T, typename U>
inline aclError aclrtMemcpy2dAsync(T* dst, size_t dpitch, const U* src, size_t spitch, size_t width,
                                   size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpy2dAsync(static_cast<void*>(dst), dpitch, static_cast<const void*>(src), spitch,
                            width, height, kind, stream);
}

// ---- batches: with one attribute for all items, or one per group ----
// The blocking forms and those without failIndex never write an index.

template <typename T, typename U>
inline aclError aclrtMemcpyBatch(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr attr,
                                 size_t* failIndex = nullptr) {
  static_cast<void>(failIndex);
  size_t first = 0;
  return aclrtMemcpyBatchV2(ferry_rt_api::untyped_array(dsts), destMaxs,
                            ferry_rt_api::untyped_array(srcs), sizes, numBatches, &attr, &first, 1);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatch(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs,
                                 size_t* failIndex = nullptr) {
  static_cast<void>(failIndex);
  return aclrtMemcpyBatchV2(ferry_rt_api::untyped_array(dsts), destMaxs,
                            ferry_rt_api::untyped_array(srcs), sizes, numBatches, attrs,
                            attrsIndexes, numAttrs);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatchAsync(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr attr,
                                      aclrtStream stream) {
  size_t first = 0;
  return aclrtMemcpyBatchAsyncV2(ferry_rt_api::untyped_array(dsts), destMaxs,
                                 ferry_rt_api::untyped_array(srcs), sizes, numBatches, &attr,
                                 &first, 1, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatchAsync(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                      size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return aclrtMemcpyBatchAsyncV2(ferry_rt_api::untyped_array(dsts), destMaxs,
                                 ferry_rt_api::untyped_array(srcs), sizes, numBatches, attrs,
                                 attrsIndexes, numAttrs, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatchAsync(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr attr,
                                      size_t* failIndex, aclrtStream stream) {
  size_t first = 0;
  return aclrtMemcpyBatchAsync(ferry_rt_api::untyped_array(dsts), destMaxs,
                               ferry_rt_api::untyped_array(srcs), sizes, numBatches, &attr, &first,
                               static_cast<size_t>(1), failIndex, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatchAsync(T** dsts, size_t* destMaxs, U** srcs, size_t* sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                      size_t* attrsIndexes, size_t numAttrs, size_t* failIndex,
                                      aclrtStream stream) {
  return aclrtMemcpyBatchAsync(ferry_rt_api::untyped_array(dsts), destMaxs,
                               ferry_rt_api::untyped_array(srcs), sizes, numBatches, attrs,
                               attrsIndexes, numAttrs, failIndex, stream);
}

// ---- device variables: the symbol itself instead of its address ----

template <typename T>
inline aclError aclrtGetSymbolAddress(const T& symbol, void** devPtr) {
  return aclrtGetSymbolAddress(static_cast<const void*>(&symbol), devPtr);
}

template <typename T>
inline aclError aclrtGetSymbolSize(const T& symbol, size_t* size) {
  return aclrtGetSymbolSize(static_cast<const void*>(&symbol), size);
}

template <typename T>
inline aclError aclrtMemcpyFromSymbol(void* dst, size_t dstMax, const T& symbol, size_t count,
                                      size_t offset, aclrtMemcpyKind kind) {
  return aclrtMemcpyFromSymbol(dst, dstMax, static_cast<const void*>(&symbol), count, offset, kind);
}

template <typename T>
inline aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t dstMax, const T& symbol, size_t count,
                                           size_t offset, aclrtMemcpyKind kind,
                                           aclrtStream stream) {
  return aclrtMemcpyFromSymbolAsync(dst, dstMax, static_cast<const void*>(&symbol), count, offset,
                                    kind, stream);
}

template <typename T>
inline aclError aclrtMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset,
                                    aclrtMemcpyKind kind) {
  return aclrtMemcpyToSymbol(static_cast<const void*>(&symbol), src, count, offset, kind);
}

template <typename T>
inline aclError aclrtMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count,
                                         size_t offset, aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpyToSymbolAsync(static_cast<const void*>(&symbol), src, count, offset, kind,
                                  stream);
}

#endif  // __cplusplus

#endif
