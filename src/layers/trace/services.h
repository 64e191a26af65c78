// SPDX-License-Identifier: Apache-2.0
// What the trace needs of the runtime and of other layers. The composition root fills it in: layers
// know neither.
#pragma once

#include "layers/trace/records.h"

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ferry::layers::trace {

struct DeviceFacts {
  int32_t id = 0;
  std::string kind;
  std::string name;
  uint64_t memory = 0;
};

struct Services {
  // The id of a stream of the calling thread, NULL being the default one; -1: none.
  int32_t (*stream_of)(void* handle);
  // The number of an open device; -1: none.
  int32_t (*device_of)(const ferryx_device* device);
  // As ferryx_runtime.find_memory.
  bool (*find_memory)(const void* address, ferryx_memory* found);
  // The devices that the runtime has now; does not start it.
  std::vector<DeviceFacts> (*devices)();
  // Begins and ends the recording of work: puts the tap over all devices, which exist or not, and
  // watches all queues.
  void (*set_tap)(bool on);
};

// Call once, before the first trace.
void set_services(const Services& services);
const Services& services();

}  // namespace ferry::layers::trace
