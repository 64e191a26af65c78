// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of values in memory: one value, at an address that device and host can reach.
#pragma once

#include "support/argument_checks.h"
#include "support/streams.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace conformance::values {

// 64 bits of device memory, 0 at first.
class DeviceValue {
 public:
  DeviceValue() { set(0); }
  void* get() const { return buffer_.get(); }
  // A blocking copy: a store that is not a task.
  void set(uint64_t value) {
    EXPECT_OK(aclrtMemcpy(get(), sizeof value, &value, sizeof value, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  uint64_t value() const {
    uint64_t read = 0;
    EXPECT_OK(aclrtMemcpy(&read, sizeof read, get(), sizeof read, ACL_MEMCPY_DEVICE_TO_HOST));
    return read;
  }

 private:
  DeviceBuffer buffer_{sizeof(uint64_t)};
};

// 64 bits of host memory that a device can reach at an address of its own, 0 at first.
class MappedValue {
 public:
  MappedValue() {
    EXPECT_OK(aclrtHostRegister(page_, sizeof page_, ACL_HOST_REGISTER_MAPPED, &device_));
  }
  ~MappedValue() { EXPECT_OK(aclrtHostUnregister(page_)); }
  MappedValue(const MappedValue&) = delete;
  MappedValue& operator=(const MappedValue&) = delete;

  void* get() const { return device_; }
  void store(uint64_t value) { word().store(value); }
  uint64_t load() { return word().load(); }

 private:
  std::atomic_ref<uint64_t> word() {
    return std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(page_));
  }

  alignas(4096) uint8_t page_[4096] = {};
  void* device_ = nullptr;
};

struct Arguments {
  void* address = nullptr;
  uint32_t flag = 0;
  aclrtStream stream = nullptr;
};

// `call(address, flag, stream)` queues a task with a value. `flag` is one that it refuses.
template <class Call>
void expect_value_arguments_checked_in_order(const char* function, aclrtStream stream,
                                             uint32_t flag, Call call) {
  const DeviceBuffer buffer(64);
  const PinnedBuffer pinned(64);
  const streams::OtherContext other;
  auto foreign = [&] {
    const streams::Inside inside(other);
    return std::make_unique<streams::Stream>();
  }();
  const aclrtStream dead = streams::Stream().release();
  EXPECT_OK(aclrtDestroyStream(dead));
  expect_checked_in_order<Arguments>(
      function, {.address = buffer.get(), .flag = 0, .stream = stream},
      [&](const Arguments& a) { return call(a.address, a.flag, a.stream); },
      {{"NULL", [](Arguments& a) { a.address = nullptr; }, streams::kBadArgument, "EH0008"},
       {"dead stream", [&](Arguments& a) { a.stream = dead; }, streams::kBadHandle, "EE1017"},
       {"flag", [&](Arguments& a) { a.flag = flag; }, streams::kBadValue, "EE1003"},
       {"host memory",
        [&](Arguments& a) {
          if (a.address != nullptr) a.address = pinned.get();
        },
        streams::kBadValue},
       {"other context",
        [&](Arguments& a) {
          if (a.stream == stream) a.stream = *foreign;
        },
        streams::kOtherContext, "EE1010"}});
  const streams::Inside inside(other);
  foreign.reset();
}

}  // namespace conformance::values
