// SPDX-License-Identifier: Apache-2.0
// The runtime of the process: its devices and its memory. Created by the first call that needs it
// and never destroyed: threads of the program may be inside until the process ends.
#pragma once

#include "base/release.h"
#include "base/soc.h"
#include "base/status.h"
#include "core/allocation_registry.h"
#include "core/device.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ferry {

// May be shared between threads.
class Runtime {
 public:
  // Fails with 507033 when the configuration is wrong, and with 507000 in the child of a process
  // that had used the runtime before it forked.
  static Result<Runtime*> get();

  // nullptr unless it has started; starts nothing.
  static Runtime* if_started();

  // Puts a tap (Device::tapped) over all devices, also over those of a runtime that starts later;
  // nullptr: none.
  using Tap = const ferryx_backend* (*)(const ferryx_backend* backend);
  static void set_tap(Tap tap);

  // Why the devices could not be opened; nullptr when they could, or nobody has needed one yet.
  static const Error* problem() { return the_problem.load(std::memory_order_acquire); }

  uint32_t device_count() const { return static_cast<uint32_t>(devices_.size()); }
  // The device a program calls `id`; 107001 when there is none.
  Result<Device*> device(int64_t id, const char* argument = "deviceId") const;

  // The device with this number before ASCEND_RT_VISIBLE_DEVICES picked some; nullptr when the
  // program does not see it.
  Device* device_with_logical_id(int64_t logical_id) const;

  AllocationRegistry& memory() { return memory_; }

  // Whether the devices belong to several backends, which do not know each other's handles and
  // memory. Set before get() first succeeds.
  static bool has_several_backends() { return uses_several_backends; }

  // All devices before ASCEND_RT_VISIBLE_DEVICES picked some: the range of logical ids.
  uint32_t logical_device_count() const { return logical_device_count_; }

 private:
  Runtime() = default;
  static Status start();
  void tap_devices();
  // Why the devices cannot be opened.
  Problem open(const ferryx_runtime& services);

  static inline bool uses_several_backends = false;
  static inline std::atomic<const Error*> the_problem{nullptr};

  std::vector<std::unique_ptr<Device>> devices_;
  uint32_t logical_device_count_ = 0;
  AllocationRegistry memory_;
};

// Runtime::get() and Runtime::device() in one call.
Result<Device*> find_device(int64_t id, const char* argument = "deviceId");

// The emulated product.
const Soc& soc();
// The release of CANN that is emulated.
const Release& release();

}  // namespace ferry
