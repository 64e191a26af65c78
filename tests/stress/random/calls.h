// SPDX-License-Identifier: Apache-2.0
// How each operation calls the API: the only list of functions and their arguments. A visitor is
// called with the name, the function and its arguments; the executor makes the call, the writer
// prints it.
#pragma once

#include "operation.h"

namespace stress {

// Arguments that a visitor has to resolve. Everything else is passed as it is.
struct Address {
  Place place;
};
struct BufferSlot {  // where the address of a new buffer is stored
  int slot;
};
struct StreamHandle {
  int slot;
};
struct StreamSlot {
  int slot;
};
struct EventHandle {
  int slot;
};
struct EventSlot {
  int slot;
};
struct NotifyHandle {
  int slot;
};
struct NotifySlot {
  int slot;
};
struct NotifyList {  // array with one notify, or NULL
  int slot;
};
struct ContextHandle {
  int slot;
};
struct ContextSlot {
  int slot;
};
struct FailIndex {};
struct StreamStatusOut {};
struct EventStatusOut {};
struct Server {  // the thread that serves callbacks of streams of a device
  int device;
};
struct HostFunction {  // fills host memory; see HostFill
  bool is_null;
};
struct HostFill {
  Place at;
  size_t count;
  int32_t value;
};
enum class BatchArray { kDsts, kDestMaxs, kSrcs, kSizes, kAttrs, kIndexes };

template <class Visitor>
aclError visit_copy(const Operation& op, Visitor& visit) {
  const auto kind = static_cast<aclrtMemcpyKind>(op.kind);
  const Address dst{op.dst};
  const Address src{op.src};
  const StreamHandle stream{op.stream};
  switch (op.call) {
    case Call::kMemcpy:
      return visit("aclrtMemcpy", aclrtMemcpy, dst, op.dest_max, src, op.count, kind);
    case Call::kMemcpyAsync:
      return visit("aclrtMemcpyAsync", aclrtMemcpyAsync, dst, op.dest_max, src, op.count, kind,
                   stream);
    case Call::kMemcpyAsyncWithCondition:
      return visit("aclrtMemcpyAsyncWithCondition", aclrtMemcpyAsyncWithCondition, dst, op.dest_max,
                   src, op.count, kind, stream);
    case Call::kMemcpy2d:
      return visit("aclrtMemcpy2d", aclrtMemcpy2d, dst, op.dst_step, src, op.src_step, op.count,
                   op.height, kind);
    case Call::kMemcpy2dAsync:
      return visit("aclrtMemcpy2dAsync", aclrtMemcpy2dAsync, dst, op.dst_step, src, op.src_step,
                   op.count, op.height, kind, stream);
    case Call::kSetMemcpyDesc:
      return visit("aclrtSetMemcpyDesc", aclrtSetMemcpyDesc, Address{{op.slot, op.dst_step}}, kind,
                   src, dst, op.count, nullptr);
    case Call::kMemcpyAsyncWithDesc:
      return visit("aclrtMemcpyAsyncWithDesc", aclrtMemcpyAsyncWithDesc, dst, kind, stream);
    case Call::kMemcpyAsyncWithOffset:
      return visit("aclrtMemcpyAsyncWithOffset", aclrtMemcpyAsyncWithOffset, dst, op.dest_max,
                   op.dst_step, src, op.count, op.src_step, kind, stream);
    case Call::kMemset:
      return visit("aclrtMemset", aclrtMemset, dst, op.dest_max, op.value, op.count);
    case Call::kMemsetAsync:
      return visit("aclrtMemsetAsync", aclrtMemsetAsync, dst, op.dest_max, op.value, op.count,
                   stream);
    case Call::kMemsetD32:
      return visit("aclrtMemsetD32", aclrtMemsetD32, dst, op.dest_max,
                   static_cast<uint32_t>(op.value), op.count);
    default:
      return visit("aclrtMemsetD32Async", aclrtMemsetD32Async, dst, op.dest_max,
                   static_cast<uint32_t>(op.value), op.count, stream);
  }
}

template <class Visitor>
aclError visit_batch(const Operation& op, Visitor& visit) {
  using enum BatchArray;
  const size_t items = op.items.size();
  const size_t attributes = op.attributes.size();
  const StreamHandle stream{op.stream};
  switch (op.call) {
    case Call::kMemcpyBatch:
      return visit("aclrtMemcpyBatch", aclrtMemcpyBatch, kDsts, kDestMaxs, kSrcs, kSizes, items,
                   kAttrs, kIndexes, attributes, FailIndex{});
    case Call::kMemcpyBatchV2:
      return visit("aclrtMemcpyBatchV2", aclrtMemcpyBatchV2, kDsts, kDestMaxs, kSrcs, kSizes, items,
                   kAttrs, kIndexes, attributes);
    case Call::kMemcpyBatchAsync:
      return visit("aclrtMemcpyBatchAsync", aclrtMemcpyBatchAsync, kDsts, kDestMaxs, kSrcs, kSizes,
                   items, kAttrs, kIndexes, attributes, FailIndex{}, stream);
    default:
      return visit("aclrtMemcpyBatchAsyncV2", aclrtMemcpyBatchAsyncV2, kDsts, kDestMaxs, kSrcs,
                   kSizes, items, kAttrs, kIndexes, attributes, stream);
  }
}

template <class Visitor>
aclError visit_memory(const Operation& op, Visitor& visit) {
  const BufferSlot made{op.slot};
  const Address start{{op.slot, op.dst_step}};
  switch (op.call) {
    case Call::kMalloc:
      return visit("aclrtMalloc", aclrtMalloc, made, op.count, ACL_MEM_MALLOC_NORMAL_ONLY);
    case Call::kMallocAlign32:
      return visit("aclrtMallocAlign32", aclrtMallocAlign32, made, op.count,
                   ACL_MEM_MALLOC_HUGE_FIRST);
    case Call::kMallocHost:
      return visit("aclrtMallocHost", aclrtMallocHost, made, op.count);
    case Call::kFree:
      return visit("aclrtFree", aclrtFree, start);
    case Call::kFreeHost:
      return visit("aclrtFreeHost", aclrtFreeHost, start);
    case Call::kFreeWithDevSync:
      return visit("aclrtFreeWithDevSync", aclrtFreeWithDevSync, start);
    case Call::kHostRegister:
      return visit("aclrtHostRegisterV2", aclrtHostRegisterV2, start, op.count,
                   static_cast<uint32_t>(op.value));
    default:
      return visit("aclrtHostUnregister", aclrtHostUnregister, start);
  }
}

template <class Visitor>
aclError visit_context(const Operation& op, Visitor& visit) {
  switch (op.call) {
    case Call::kSetDevice:
      return visit("aclrtSetDevice", aclrtSetDevice, op.value);
    case Call::kCreateContext:
      return visit("aclrtCreateContext", aclrtCreateContext, ContextSlot{op.slot}, op.value);
    case Call::kSetCurrentContext:
      return visit("aclrtSetCurrentContext", aclrtSetCurrentContext, ContextHandle{op.slot});
    case Call::kDestroyContext:
      return visit("aclrtDestroyContext", aclrtDestroyContext, ContextHandle{op.slot});
    case Call::kEnablePeer:
      return visit("aclrtDeviceEnablePeerAccess", aclrtDeviceEnablePeerAccess, op.value,
                   static_cast<uint32_t>(op.count));
    default:
      return visit("aclrtDeviceDisablePeerAccess", aclrtDeviceDisablePeerAccess, op.value);
  }
}

template <class Visitor>
aclError visit_stream(const Operation& op, Visitor& visit) {
  const StreamHandle stream{op.stream};
  switch (op.call) {
    case Call::kCreateStream:
      return visit("aclrtCreateStream", aclrtCreateStream, StreamSlot{op.stream});
    case Call::kDestroyStream:
      return visit("aclrtDestroyStream", aclrtDestroyStream, stream);
    case Call::kDestroyStreamForce:
      return visit("aclrtDestroyStreamForce", aclrtDestroyStreamForce, stream);
    case Call::kStreamAbort:
      return visit("aclrtStreamAbort", aclrtStreamAbort, stream);
    case Call::kSetStreamFailureMode:
      return visit("aclrtSetStreamFailureMode", aclrtSetStreamFailureMode, stream,
                   static_cast<uint64_t>(op.value));
    case Call::kSynchronizeStream:
      return visit("aclrtSynchronizeStream", aclrtSynchronizeStream, stream);
    case Call::kSynchronizeStreamWithTimeout:
      return visit("aclrtSynchronizeStreamWithTimeout", aclrtSynchronizeStreamWithTimeout, stream,
                   op.value);
    case Call::kStreamQuery:
      return visit("aclrtStreamQuery", aclrtStreamQuery, stream, StreamStatusOut{});
    case Call::kSynchronizeDeviceWithTimeout:
      return visit("aclrtSynchronizeDeviceWithTimeout", aclrtSynchronizeDeviceWithTimeout,
                   op.value);
    default:
      return visit("aclrtSynchronizeDevice", aclrtSynchronizeDevice);
  }
}

template <class Visitor>
aclError visit_event(const Operation& op, Visitor& visit) {
  const EventSlot made{op.slot};
  const EventHandle event{op.slot};
  const StreamHandle stream{op.stream};
  switch (op.call) {
    case Call::kCreateEvent:
      return visit("aclrtCreateEvent", aclrtCreateEvent, made);
    case Call::kCreateEventWithFlag:
      return visit("aclrtCreateEventWithFlag", aclrtCreateEventWithFlag, made,
                   static_cast<uint32_t>(op.value));
    case Call::kCreateEventExWithFlag:
      return visit("aclrtCreateEventExWithFlag", aclrtCreateEventExWithFlag, made,
                   static_cast<uint32_t>(op.value));
    case Call::kDestroyEvent:
      return visit("aclrtDestroyEvent", aclrtDestroyEvent, event);
    case Call::kRecordEvent:
      return visit("aclrtRecordEvent", aclrtRecordEvent, event, stream);
    case Call::kResetEvent:
      return visit("aclrtResetEvent", aclrtResetEvent, event, stream);
    case Call::kStreamWaitEventWithTimeout:
      return visit("aclrtStreamWaitEventWithTimeout", aclrtStreamWaitEventWithTimeout, stream,
                   event, op.value);
    case Call::kStreamWaitEvent:
      return visit("aclrtStreamWaitEvent", aclrtStreamWaitEvent, stream, event);
    case Call::kSynchronizeEvent:
      return visit("aclrtSynchronizeEvent", aclrtSynchronizeEvent, event);
    default:
      return visit("aclrtQueryEventStatus", aclrtQueryEventStatus, event, EventStatusOut{});
  }
}

template <class Visitor>
aclError visit_notify(const Operation& op, Visitor& visit) {
  const NotifyHandle notify{op.slot};
  const StreamHandle stream{op.stream};
  switch (op.call) {
    case Call::kCreateNotify:
      return visit("aclrtCreateNotify", aclrtCreateNotify, NotifySlot{op.slot},
                   static_cast<uint64_t>(op.value));
    case Call::kDestroyNotify:
      return visit("aclrtDestroyNotify", aclrtDestroyNotify, notify);
    case Call::kRecordNotify:
      return visit("aclrtRecordNotify", aclrtRecordNotify, notify, stream);
    case Call::kWaitAndResetNotify:
      return visit("aclrtWaitAndResetNotify", aclrtWaitAndResetNotify, notify, stream, 0U);
    default:
      return visit("aclrtNotifyBatchReset", aclrtNotifyBatchReset, NotifyList{op.slot}, op.count);
  }
}

template <class Visitor>
aclError visit_callback(const Operation& op, Visitor& visit) {
  const StreamHandle stream{op.stream};
  const HostFunction function{op.missing != 0};
  const HostFill fill{op.dst, op.count, op.value};
  switch (op.call) {
    case Call::kLaunchHostFunc:
      return visit("aclrtLaunchHostFunc", aclrtLaunchHostFunc, stream, function, fill);
    case Call::kSubscribeReport:
      return visit("aclrtSubscribeReport", aclrtSubscribeReport, Server{op.value}, stream);
    case Call::kUnSubscribeReport:
      return visit("aclrtUnSubscribeReport", aclrtUnSubscribeReport, Server{op.value}, stream);
    default:
      return visit("aclrtLaunchCallback", aclrtLaunchCallback, function, fill,
                   static_cast<aclrtCallbackBlockType>(op.kind), stream);
  }
}

inline bool is_between(Call call, Call first, Call last) {
  return first <= call && call <= last;
}
inline bool is_batch(Call call) {
  return is_between(call, Call::kMemcpyBatch, Call::kMemcpyBatchAsyncV2);
}
inline bool is_api_call(Call call) {
  return call < Call::kMapHost;
}
inline bool is_allocation(Call call) {
  return is_between(call, Call::kMalloc, Call::kMallocHost);
}

// Calls `visit` with the API call of the operation, which must be one.
template <class Visitor>
aclError visit_call(const Operation& op, Visitor& visit) {
  if (is_batch(op.call)) return visit_batch(op, visit);
  if (op.call <= Call::kMemsetD32Async) return visit_copy(op, visit);
  if (op.call <= Call::kHostUnregister) return visit_memory(op, visit);
  if (op.call <= Call::kDisablePeer) return visit_context(op, visit);
  if (op.call <= Call::kSynchronizeDevice) return visit_stream(op, visit);
  if (op.call <= Call::kQueryEventStatus) return visit_event(op, visit);
  if (op.call <= Call::kNotifyBatchReset) return visit_notify(op, visit);
  return visit_callback(op, visit);
}

}  // namespace stress
