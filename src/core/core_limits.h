// SPDX-License-Identifier: Apache-2.0
// How many cores of a device kernels may use: limits of a device, of a stream, and of a thread that
// takes those of a stream. Kernels of the program ask for them.
#pragma once

#include "acl/acl_rt.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ferry {

class Device;
class Stream;

// The limits of one device or stream. May be shared between threads.
class CoreLimits {
 public:
  static constexpr size_t kTypes = 2;  // of aclrtDevResLimitType

  void set(aclrtDevResLimitType type, uint32_t value) { values_[type].store(value); }
  void reset() {
    for (std::atomic<uint32_t>& value : values_)
      value.store(kUnset);
  }
  // Empty when there is none.
  std::optional<uint32_t> get(aclrtDevResLimitType type) const {
    const uint32_t value = values_[type].load();
    return value == kUnset ? std::nullopt : std::optional(value);
  }

 private:
  static constexpr uint32_t kUnset = UINT32_MAX;  // no product has as many

  std::array<std::atomic<uint32_t>, kTypes> values_{kUnset, kUnset};
};

// How many the emulated product has.
uint32_t hardware_cores(aclrtDevResLimitType type);
// The limit of a device, else what the product has; that of a stream, else of its device.
uint32_t cores_of(const Device& device, aclrtDevResLimitType type);
uint32_t cores_of(const Stream& stream, aclrtDevResLimitType type);

// The calling thread takes the limits of a stream; the handle of one that has ended counts as none.
void use_limits_of(const Stream& stream);
void stop_using_limits_of(const Stream& stream);
// The limit of the stream in use, else that of the device.
uint32_t cores_of_thread(const Device& device, aclrtDevResLimitType type);

}  // namespace ferry
