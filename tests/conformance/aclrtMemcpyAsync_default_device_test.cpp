// SPDX-License-Identifier: Apache-2.0
// Copies and fills on threads without a context when aclInit was given a default device: some set
// it themselves, others still refuse.
#include "support/batch.h"
#include "support/config_file.h"

namespace conformance::copies::aclrtMemcpyAsync_default_device_test {
namespace {

constexpr size_t kSize = 48;
constexpr aclrtMemcpyKind kInside = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;

// Memory that was allocated in a context which the test's threads do not have.
struct Memory {
  Batch batch{Way::kToDevice, HostMemory::kPinned, 1, kSize};
  DeviceBuffer device{kSize};
  DeviceBuffer other_device{kSize};
  DeviceBuffer desc{64};
  DeviceBuffer table{2 * sizeof(void*)};
  PinnedBuffer pinned{kSize};
};

void check_calls_that_refuse(Memory& memory) {
  void* const device = memory.device.get();
  void* const pinned = memory.pinned.get();
  on_new_thread([&] {
    for (const AsyncCopyForm& form : kAsyncCopyForms) {
      EXPECT_TRUE(failed_as(form.name, ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                            form.call(device, kSize, pinned, kSize, ACL_MEMCPY_DEFAULT, nullptr)));
    }
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtMemcpy2d(device, 8, pinned, 8, 8, 2, ACL_MEMCPY_DEFAULT));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
                 aclrtMemcpy2dAsync(device, 8, pinned, 8, 8, 2, ACL_MEMCPY_DEFAULT, nullptr));
    for (const BatchForm& form : kAsyncBatchForms) {
      EXPECT_TRUE(failed_as(form.name, ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                            call_batch(form, memory.batch.arguments())));
    }
    aclrtContext context = nullptr;
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetCurrentContext(&context));
  });
}

// Calls `call` on a thread without a context, and expects the thread to have one afterwards.
template <class Call>
void check_sets_the_device(const char* name, Call call) {
  SCOPED_TRACE(name);
  on_new_thread([&] {
    EXPECT_EQ(ACL_SUCCESS, call()) << recent_text();
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    int32_t device = -1;
    EXPECT_OK(aclrtGetDevice(&device));
    EXPECT_EQ(0, device);
  });
}

FERRY_PROCESS_TEST(CopiesWithADefaultDevice, SomeSetItAndSomeRefuse, "FERRY_SOC=Ascend910B1") {
  const ConfigFile file("{\"defaultDevice\": {\"default_device\": \"0\"}}");
  ASSERT_OK(aclInit(file.path()));
  ASSERT_OK(aclrtSetDevice(0));
  {
    Memory memory;
    void* const device = memory.device.get();
    void* const pinned = memory.pinned.get();
    memory.other_device.write(pattern(kSize));
    const void* const addresses[] = {device, memory.other_device.get()};
    EXPECT_OK(aclrtMemcpy(memory.table.get(), 16, addresses, 16, ACL_MEMCPY_HOST_TO_DEVICE));
    check_calls_that_refuse(memory);
    check_sets_the_device("aclrtMemcpy", [&] {
      return aclrtMemcpy(device, kSize, pinned, kSize, ACL_MEMCPY_DEFAULT);
    });
    check_sets_the_device("aclrtMemset", [&] { return aclrtMemset(device, kSize, 1, kSize); });
    check_sets_the_device("aclrtMemsetAsync",
                          [&] { return aclrtMemsetAsync(device, kSize, 1, kSize, nullptr); });
    check_sets_the_device("aclrtMemsetD32", [&] { return aclrtMemsetD32(device, kSize, 1, 4); });
    check_sets_the_device("aclrtMemsetD32Async",
                          [&] { return aclrtMemsetD32Async(device, kSize, 1, 4, nullptr); });
    check_sets_the_device("aclrtSetMemcpyDesc", [&] {
      return aclrtSetMemcpyDesc(memory.desc.get(), kInside, memory.other_device.get(), device,
                                kSize, nullptr);
    });
    check_sets_the_device("aclrtMemcpyAsyncWithOffset", [&] {
      return aclrtMemcpyAsyncWithOffset(
          static_cast<void**>(memory.table.get()), kSize, 0,
          reinterpret_cast<const void**>(memory.table.at(8)),  // NOLINT
          kSize, 0, kInside, nullptr);
    });
  }
  EXPECT_OK(aclFinalize());
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsync_default_device_test
