// SPDX-License-Identifier: Apache-2.0
// The plugin's table over the GPU made of host memory, with a runtime that knows its live memory.
#pragma once

#include "gpu.h"

#include "ferry/backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

extern "C" const ferryx_backend* ferryx_backend_table();

namespace host_gpu {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// The runtime's side. One per process, as the backend is.
struct FakeRuntime {
  std::mutex mutex;
  std::map<uintptr_t, ferryx_memory> live;
  std::atomic<uint64_t> epoch{1};
  std::string text;    // of the latest failure
  int fault_code = 0;  // of the latest work that failed

  void add(const ferryx_memory& memory) {
    const std::lock_guard lock(mutex);
    live[reinterpret_cast<uintptr_t>(memory.address)] = memory;
    ++epoch;
  }
  void remove(const ferryx_memory& memory) {
    const std::lock_guard lock(mutex);
    live.erase(reinterpret_cast<uintptr_t>(memory.address));
    ++epoch;
  }
};

FakeRuntime& fake_runtime();

// Opens the backend with the devices of HOST_GPU_DEVICES, once per process.
class BackendTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  void SetUp() override;
  void TearDown() override;

  static const ferryx_backend& backend() { return *ferryx_backend_table(); }
  static ferryx_instance* instance;
  static std::vector<ferryx_device*> devices;
  static ferryx_device* device() { return devices[0]; }

  // Queued work.
  int copy(void* dst, const void* src, uint64_t size, uint32_t direction);
  int synchronize() { return backend().queue_synchronize(queue_, FERRYX_FOREVER); }
  // During the call.
  static int copy_now(void* dst, const void* src, uint64_t size, uint32_t direction);

  // Pinned memory that lives as long as the test.
  char* pinned(uint64_t size);

  ferryx_queue* queue_ = nullptr;

 private:
  std::vector<ferryx_memory> pinned_;
};

ferryx_work copies_of(const ferryx_copy* items, size_t count, uint32_t direction);

}  // namespace host_gpu
