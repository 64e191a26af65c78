// SPDX-License-Identifier: Apache-2.0
// On a thread without a context, every memory call that needs one sets the default device of
// aclInit itself.
#include "support/config_file.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"

namespace conformance::memory::memory_calls_use_the_default_device_test {
namespace {

constexpr const char* kConfiguration = "{\"defaultDevice\": {\"default_device\": \"1\"}}";

// Each call runs on its own thread, so that none finds the context of another.

FERRY_PROCESS_TEST(MemoryCallsUseTheDefaultDevice, WhenTheyAllocateDeviceMemory,
                   "FERRY_DEVICES=cpu:2") {
  const ConfigFile file(kConfiguration);
  ASSERT_OK(aclInit(file.path()));
  void* memory[6] = {};
  on_new_thread([&] { EXPECT_OK(aclrtMalloc(&memory[0], 64, kAnyPolicy)); });
  on_new_thread([&] { EXPECT_OK(aclrtMallocAlign32(&memory[1], 64, kAnyPolicy)); });
  on_new_thread([&] { EXPECT_OK(aclrtMallocCached(&memory[2], 64, kAnyPolicy)); });
  on_new_thread([&] { EXPECT_OK(aclrtMallocWithCfg(&memory[3], 64, kAnyPolicy, nullptr)); });
  on_new_thread(
      [&] { EXPECT_OK(aclrtMallocForTaskScheduler(&memory[4], 64, kAnyPolicy, nullptr)); });
  on_new_thread([&] {
    aclrtMallocAttribute attribute = {ACL_RT_MEM_ATTR_DEVICE_ID, {}};
    attribute.value.deviceId = 1;
    aclrtMallocConfig config = {&attribute, 1};
    EXPECT_OK(aclrtMallocWithCfg(&memory[5], 64, kAnyPolicy, &config));
  });
  for (void* address : memory) {
    EXPECT_EQ(location_of(address).id, 1u);
    EXPECT_OK(aclrtFree(address));
  }
}

FERRY_PROCESS_TEST(MemoryCallsUseTheDefaultDevice, WhenTheyUseDeviceMemory, "FERRY_DEVICES=cpu:2") {
  const ConfigFile file(kConfiguration);
  ASSERT_OK(aclInit(file.path()));
  void* memory = nullptr;
  on_new_thread([&] { EXPECT_OK(aclrtMalloc(&memory, 64, kAnyPolicy)); });
  on_new_thread([&] { EXPECT_OK(aclrtMemFlush(memory, 64)); });
  on_new_thread([&] { EXPECT_OK(aclrtMemInvalidate(memory, 64)); });
  on_new_thread([&] { EXPECT_OK(aclrtFreeWithDevSync(memory)); });
}

FERRY_PROCESS_TEST(MemoryCallsUseTheDefaultDevice, WhenTheyUseHostMemory, "FERRY_DEVICES=cpu:2") {
  const ConfigFile file(kConfiguration);
  ASSERT_OK(aclInit(file.path()));
  void* memory[2] = {};
  on_new_thread([&] { EXPECT_OK(aclrtMallocHost(&memory[0], 64)); });
  on_new_thread([&] { EXPECT_OK(aclrtMallocHostWithCfg(&memory[1], 64, nullptr)); });
  on_new_thread([&] { EXPECT_OK(aclrtFreeHostWithDevSync(memory[0])); });
  EXPECT_OK(aclrtFreeHost(memory[1]));
}

FERRY_PROCESS_TEST(MemoryCallsUseTheDefaultDevice, WhenTheyRegisterMemory, "FERRY_DEVICES=cpu:2") {
  const ConfigFile file(kConfiguration);
  ASSERT_OK(aclInit(file.path()));
  const HostPages pages;
  void* mapped = nullptr;
  on_new_thread([&] {
    EXPECT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  });
  on_new_thread([&] { EXPECT_OK(aclrtHostGetDevicePointer(pages.get(), &mapped, 0)); });
  on_new_thread([&] { EXPECT_OK(aclrtHostUnregister(pages.get())); });
  on_new_thread(
      [&] { EXPECT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED)); });
  on_new_thread([&] { EXPECT_OK(aclrtHostUnregister(pages.get())); });
}

FERRY_PROCESS_TEST(MemoryCallsUseTheDefaultDevice, WhenTheyAskForTheMemoryLeft,
                   "FERRY_DEVICES=cpu:2", "FERRY_MEMORY=64M") {
  const ConfigFile file(kConfiguration);
  ASSERT_OK(aclInit(file.path()));
  ASSERT_OK(aclrtSetDevice(1));
  const DeviceBuffer device(size_t{1} << 20);
  on_new_thread([] {
    size_t free = 0;
    size_t total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    EXPECT_LT(free, total);
  });
}

}  // namespace
}  // namespace conformance::memory::memory_calls_use_the_default_device_test
