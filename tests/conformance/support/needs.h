// SPDX-License-Identifier: Apache-2.0
// What a test needs beyond any device. The tests run on every kind of device (FERRY_DEVICES); those
// that concern one kind say so in their first line. Header only.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace conformance {

// Whether device 0 is one of this backend, by the start of its name.
inline bool has_device_of(const char* backend) {
  const char* devices = std::getenv("FERRY_DEVICES");
  if (devices == nullptr || *devices == '\0') devices = "cpu";
  return std::strncmp(devices, backend, std::strlen(backend)) == 0;
}

// Whether device 0 is a CPU device.
inline bool has_cpu_device() {
  return has_device_of("cpu");
}

}  // namespace conformance

// Skips the test unless device 0 is a CPU device. `reason` completes the sentence.
#define NEEDS_CPU_DEVICE(reason) \
  if (!::conformance::has_cpu_device()) GTEST_SKIP() << "needs a CPU device because " << (reason)
