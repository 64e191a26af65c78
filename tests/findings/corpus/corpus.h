// SPDX-License-Identifier: Apache-2.0
// Shared by the programs of the corpus: a device, streams, events and memory that release
// themselves. The misuse that a program shows is in its own file, as plain calls.
#pragma once

#include "acl/acl.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace corpus {

constexpr size_t kPage = 4096;

// For calls that must succeed: without them the program would not show its bug.
inline void need(aclError code, int line = __builtin_LINE()) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: error %d: %s\n", line, code, text != nullptr ? text : "");
  std::_Exit(3);
}

// Makes the use of a value visible to the compiler.
inline volatile int used_value = 0;
inline void use(int value) {
  used_value = value;
}

// Device 0, from the beginning of the program to its end.
class Device {
 public:
  Device() {
    need(aclInit(nullptr));
    need(aclrtSetDevice(0));
  }
  ~Device() {
    aclrtResetDevice(0);
    aclFinalize();
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
};

class Stream {
 public:
  Stream() { need(aclrtCreateStream(&stream_)); }
  ~Stream() { aclrtDestroyStream(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator aclrtStream() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

class Event {
 public:
  Event() { need(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_SYNC)); }
  ~Event() { aclrtDestroyEvent(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator aclrtEvent() const { return event_; }

 private:
  aclrtEvent event_ = nullptr;
};

enum class Contents { kZeros, kNone };

// Memory of the current device, filled with zeros unless requested otherwise.
class DeviceMemory {
 public:
  explicit DeviceMemory(size_t size, Contents contents = Contents::kZeros) {
    need(aclrtMalloc(&address_, size, ACL_MEM_MALLOC_HUGE_FIRST));
    if (contents == Contents::kZeros) need(aclrtMemset(address_, size, 0, size));
  }
  ~DeviceMemory() { aclrtFree(address_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  operator char*() const { return static_cast<char*>(address_); }

 private:
  void* address_ = nullptr;
};

class PinnedMemory {
 public:
  explicit PinnedMemory(size_t size) { need(aclrtMallocHost(&address_, size)); }
  ~PinnedMemory() { aclrtFreeHost(address_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  operator char*() const { return static_cast<char*>(address_); }

 private:
  void* address_ = nullptr;
};

// Reserved addresses with physical memory mapped behind each other, as caching allocators have
// them.
class Segment {
 public:
  static constexpr size_t kPiece = size_t{2} << 20;

  explicit Segment(size_t pieces) : handles_(pieces) {
    void* start = nullptr;
    need(aclrtReserveMemAddress(&start, pieces * kPiece, 0, nullptr, 0));
    start_ = static_cast<char*>(start);
    for (size_t i = 0; i < pieces; ++i) {
      handles_[i] = make_piece();
      need(aclrtMapMem(piece(i), kPiece, 0, handles_[i], 0));
    }
  }
  ~Segment() {
    for (size_t i = 0; i < handles_.size(); ++i) {
      if (handles_[i] != nullptr) release(i);
    }
    aclrtReleaseMemAddress(start_);
  }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  static aclrtDrvMemHandle make_piece() {
    const aclrtPhysicalMemProp properties{ACL_MEM_HANDLE_TYPE_NONE,
                                          ACL_MEM_ALLOCATION_TYPE_PINNED,
                                          ACL_HBM_MEM_HUGE,
                                          {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                          0};
    aclrtDrvMemHandle handle = nullptr;
    need(aclrtMallocPhysical(&handle, kPiece, &properties, 0));
    return handle;
  }

  char* piece(size_t i) const { return start_ + i * kPiece; }
  // Unmaps a piece and gives its memory back.
  void release(size_t i) {
    need(aclrtUnmapMem(piece(i)));
    need(aclrtFreePhysical(handles_[i]));
    handles_[i] = nullptr;
  }

 private:
  char* start_ = nullptr;
  std::vector<aclrtDrvMemHandle> handles_;
};

// A memory pool of the first device.
class Pool {
 public:
  Pool() {
    aclrtMemPoolProps properties{};
    properties.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    need(aclrtMemPoolCreate(&pool_, &properties));
  }
  ~Pool() { aclrtMemPoolDestroy(pool_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void* allocate(size_t size, aclrtStream stream) const {
    void* block = nullptr;
    need(aclrtMemPoolMallocAsync(&block, size, pool_, stream));
    return block;
  }

 private:
  aclrtMemPool pool_ = nullptr;
};

// A model of what a function queues on a stream, and on those that join it.
class Model {
 public:
  template <class Queue>
  Model(aclrtStream stream, Queue queue) {
    need(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
    queue();
    need(aclmdlRICaptureEnd(stream, &model_));
  }
  ~Model() { aclmdlRIDestroy(model_); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  operator aclmdlRI() const { return model_; }

 private:
  aclmdlRI model_ = nullptr;
};

// The arrays of a batch, with one attribute for all items and the sizes as destMaxs, as most
// callers do it.
class Batch {
 public:
  void add(void* dst, void* src, size_t size) {
    dsts_.push_back(dst);
    srcs_.push_back(src);
    sizes_.push_back(size);
  }
  aclError queue_to_device(aclrtStream stream) { return queue(kToDevice, stream); }
  aclError queue_to_host(aclrtStream stream) { return queue(kToHost, stream); }
  aclError copy_to_device() { return copy(kToDevice); }
  aclError copy_to_host() { return copy(kToHost); }

 private:
  static constexpr aclrtMemLocation kHost{0, ACL_MEM_LOCATION_TYPE_HOST};
  static constexpr aclrtMemLocation kDevice{0, ACL_MEM_LOCATION_TYPE_DEVICE};
  static constexpr aclrtMemcpyBatchAttr kToDevice{kDevice, kHost, {}};
  static constexpr aclrtMemcpyBatchAttr kToHost{kHost, kDevice, {}};

  aclError queue(aclrtMemcpyBatchAttr attribute, aclrtStream stream) {
    size_t first = 0;
    size_t fail_index = SIZE_MAX;
    return aclrtMemcpyBatchAsync(dsts_.data(), sizes_.data(), srcs_.data(), sizes_.data(),
                                 sizes_.size(), &attribute, &first, 1, &fail_index, stream);
  }
  aclError copy(aclrtMemcpyBatchAttr attribute) {
    size_t first = 0;
    size_t fail_index = SIZE_MAX;
    return aclrtMemcpyBatch(dsts_.data(), sizes_.data(), srcs_.data(), sizes_.data(), sizes_.size(),
                            &attribute, &first, 1, &fail_index);
  }

  std::vector<void*> dsts_;
  std::vector<void*> srcs_;
  std::vector<size_t> sizes_;
};

}  // namespace corpus
