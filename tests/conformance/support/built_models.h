// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of models that are built from bound streams, of labels and of conditions.
#pragma once

#include "support/models.h"

namespace conformance::models {

constexpr uint32_t kHead = 0;
constexpr uint32_t kActivated = 0x7FFFFFFF;

// A persistent stream for binding.
class BoundStream : public Stream {
 public:
  BoundStream() : Stream(kPersistent) {}
};

// A model that is being built. It destroys itself, before its streams.
class Building {
 public:
  Building() { EXPECT_OK(aclmdlRIBuildBegin(&handle_, 0)); }
  ~Building() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclmdlRIDestroy(handle_));
    }
  }
  Building(const Building&) = delete;
  Building& operator=(const Building&) = delete;

  void bind(aclrtStream stream, uint32_t flag = kHead) {
    EXPECT_OK(aclmdlRIBindStream(handle_, stream, flag));
  }
  void finish(aclrtStream last) {
    EXPECT_OK(aclmdlRIEndTask(handle_, last));
    EXPECT_OK(aclmdlRIBuildEnd(handle_, nullptr));
  }
  void run() { EXPECT_OK(aclmdlRIExecute(handle_, -1)); }

  operator aclmdlRI() const { return handle_; }
  aclmdlRI release() { return std::exchange(handle_, nullptr); }

 private:
  aclmdlRI handle_ = nullptr;
};

// A number in device memory.
class DeviceNumber {
 public:
  explicit DeviceNumber(uint64_t value = 0) { set(value); }
  void set(uint64_t value) {
    EXPECT_OK(
        aclrtMemcpy(memory_.get(), sizeof value, &value, sizeof value, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  void* get() const { return memory_.get(); }

 private:
  DeviceBuffer memory_{64};
};

}  // namespace conformance::models
