// SPDX-License-Identifier: Apache-2.0
// A program of API calls as data: what the generator makes, the model predicts, the executor runs,
// the shrinker shortens and the writer prints. Objects are named by the number of their slot.
#pragma once

#include "acl/acl.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stress {

constexpr int kDevices = 2;
constexpr int kThreads = 3;
constexpr int kContexts = 4;  // the first kDevices are the default contexts of the devices
constexpr int kStreams = 6;
constexpr int kEvents = 6;
constexpr int kNotifies = 4;
constexpr int kBuffers = 12;

constexpr size_t kPage = 4096;       // of pageable buffers, and the inaccessible one behind them
constexpr size_t kAddressBytes = 8;  // of an address in device memory
constexpr size_t kDescriptorBytes = 32;  // of what aclrtSetMemcpyDesc writes

constexpr int kNull = -1;     // the argument is NULL
constexpr int kGarbage = -2;  // the handle is kGarbageHandle, which never was an object
inline void* const kGarbageHandle = reinterpret_cast<void*>(uintptr_t{0x10});

enum class Call : uint8_t {
  kMemcpy,
  kMemcpyAsync,
  kMemcpyAsyncWithCondition,
  kMemcpy2d,
  kMemcpy2dAsync,
  kMemcpyBatch,
  kMemcpyBatchV2,
  kMemcpyBatchAsync,
  kMemcpyBatchAsyncV2,
  kSetMemcpyDesc,
  kMemcpyAsyncWithDesc,
  kMemcpyAsyncWithOffset,
  kMemset,
  kMemsetAsync,
  kMemsetD32,
  kMemsetD32Async,
  kMalloc,
  kMallocAlign32,
  kMallocHost,
  kFree,
  kFreeHost,
  kFreeWithDevSync,
  kHostRegister,
  kHostUnregister,
  kSetDevice,
  kCreateContext,
  kSetCurrentContext,
  kDestroyContext,
  kEnablePeer,
  kDisablePeer,
  kCreateStream,
  kDestroyStream,
  kDestroyStreamForce,
  kStreamAbort,
  kSetStreamFailureMode,
  kSynchronizeStream,
  kSynchronizeStreamWithTimeout,
  kStreamQuery,
  kSynchronizeDeviceWithTimeout,
  kSynchronizeDevice,
  kCreateEvent,
  kCreateEventWithFlag,
  kCreateEventExWithFlag,
  kDestroyEvent,
  kRecordEvent,
  kResetEvent,
  kStreamWaitEventWithTimeout,
  kStreamWaitEvent,
  kSynchronizeEvent,
  kQueryEventStatus,
  kCreateNotify,
  kDestroyNotify,
  kRecordNotify,
  kWaitAndResetNotify,
  kNotifyBatchReset,
  kLaunchHostFunc,
  kSubscribeReport,
  kUnSubscribeReport,
  kLaunchCallback,
  // Steps that are no API calls.
  kMapHost,       // maps pageable memory
  kUnmapHost,     // unmaps it
  kStoreAddress,  // writes the address `src` into device memory at `dst`
  kTouchHost,     // the host fills `count` bytes of host memory at `dst` with `value`
  kCompare,       // compares `count` bytes at `dst` with the model
  kMeet,          // the thread waits until all earlier operations of all threads have returned
  kCount
};

// An address: a byte of a buffer, or NULL.
struct Place {
  int buffer = kNull;
  size_t offset = 0;
  bool operator==(const Place&) const = default;
};

struct Item {
  Place dst{};
  Place src{};
  size_t dest_max = 0;
  size_t size = 0;
};

struct Attribute {
  aclrtMemLocation dst{};
  aclrtMemLocation src{};
  size_t first = 0;      // entry of attrsIndexes
  uint8_t reserved = 0;  // last byte of rsv
};

// Arrays of a batch that are passed as NULL; bits of Operation::missing.
enum Missing : unsigned {
  kNoDsts = 1,
  kNoDestMaxs = 2,
  kNoSrcs = 4,
  kNoSizes = 8,
  kNoAttrs = 16,
  kNoIndexes = 32,
  kNoFailIndex = 64
};

// Which fields count depends on the call; calls.h shows where each is passed.
struct Operation {
  Call call = Call::kMeet;
  int thread = 0;
  int slot = kNull;  // the context, event, notify or buffer the call is about
  int stream = kNull;
  Place dst{};
  Place src{};
  size_t dest_max = 0;
  size_t count = 0;
  int kind = ACL_MEMCPY_DEFAULT;
  size_t dst_step = 0;  // pitch, or offset of aclrtMemcpyAsyncWithOffset
  size_t src_step = 0;
  size_t height = 0;
  int32_t value = 0;  // byte, word, pattern, flag, mode, device or time limit
  std::vector<Item> items{};
  std::vector<Attribute> attributes{};
  unsigned missing = 0;
};

using Program = std::vector<Operation>;

// How many bytes the memory that the operation makes can hold, documented padding included.
constexpr size_t capacity_of(const Operation& op) {
  const size_t rounded = (op.count + 31) / 32 * 32;
  if (op.call == Call::kMalloc) return rounded + 32;
  return op.call == Call::kMallocAlign32 ? rounded : op.count;
}

// The byte a new buffer holds at `offset`; `pattern` is the value of the operation that made it.
constexpr uint8_t initial_byte(int32_t pattern, size_t offset) {
  return static_cast<uint8_t>(static_cast<size_t>(pattern) + offset * 37 + (offset >> 8));
}

}  // namespace stress
