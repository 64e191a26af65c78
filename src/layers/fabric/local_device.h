// SPDX-License-Identifier: Apache-2.0
// Devices of this process whose memory the host cannot address: they copy between it and pinned
// host memory, from where the fabric sends.
#pragma once

#include "ferry/backend.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace ferry::layers::fabric {

// May be shared between threads; never destroyed.
class LocalDevice {
 public:
  LocalDevice(const ferryx_backend* backend, ferryx_device* device)
      : backend_(backend), device_(device) {}

  // Pinned host memory of kBuffer bytes; false, with the error recorded, when there is none.
  static constexpr uint64_t kBuffer = uint64_t{1} << 20;
  bool take_buffer(ferryx_memory& buffer);
  void give_buffer(const ferryx_memory& buffer);

  // Copies between memory of the device and a buffer, during the call. An aclError.
  int copy(const std::vector<ferryx_copy>& items, ferryx_direction direction, uint64_t epoch) const;

 private:
  const ferryx_backend* const backend_;
  ferryx_device* const device_;
  std::mutex mutex_;  // guards free_
  std::vector<ferryx_memory> free_;
};

// The front has opened the device with this number of the runtime.
void note_device(uint32_t number, const ferryx_backend* backend, ferryx_device* device);

// The device that must move bytes of the memory; nullptr when code of the host can.
LocalDevice* device_that_moves(const ferryx_memory& memory);

}  // namespace ferry::layers::fabric
