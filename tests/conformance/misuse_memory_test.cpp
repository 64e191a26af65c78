// SPDX-License-Identifier: Apache-2.0
// Misuse never crashes the process: freed, foreign or unmapped addresses, impossible sizes, and
// calls without a context. The exact codes are tested in each function's file; here every call must
// fail and say so.
#include "support/devices.h"

#include <sys/mman.h>

#include <functional>

namespace conformance::misuse_memory_test {
namespace {

struct Row {
  const char* function;
  std::function<aclError(void*)> call;
};

// A page that can be mapped but is not. It is far below what the kernel hands out by itself, so
// that no other thread's memory can appear there during the test.
void* unmapped_page() {
  void* wanted = reinterpret_cast<void*>(uintptr_t{0x20000000});
  void* page = mmap(wanted, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_EQ(wanted, page);
  EXPECT_EQ(0, munmap(page, 4096));
  return page;
}

class MisuseMemory : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    ASSERT_OK(aclrtMalloc(&device_, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost(&host_, 4096));
    ASSERT_OK(aclrtMalloc(&freed_device_, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtFree(freed_device_));
    ASSERT_OK(aclrtMallocHost(&freed_host_, 1 << 20));
    ASSERT_OK(aclrtFreeHost(freed_host_));
  }
  void TearDown() override {
    EXPECT_OK(aclrtFreeHost(host_));
    EXPECT_OK(aclrtFree(device_));
    WithStream::TearDown();
  }

  // Addresses that no copy may access.
  std::vector<void*> dead_addresses() {
    return {freed_device_,
            unmapped_page(),
            reinterpret_cast<void*>(uintptr_t{1}),
            reinterpret_cast<void*>(uintptr_t{0x1000}),
            reinterpret_cast<void*>(uintptr_t{0x0000800000000000}),
            reinterpret_cast<void*>(uintptr_t{0x123456789ABCD000}),
            reinterpret_cast<void*>(~uintptr_t{0}),
            reinterpret_cast<void*>(~uintptr_t{0} - 31)};
  }

  void expect_failures(const std::vector<Row>& rows, const std::vector<void*>& addresses) {
    for (const Row& row : rows) {
      for (void* address : addresses) {
        clear_errors();
        const aclError code = row.call(address);
        EXPECT_NE(ACL_SUCCESS, code) << row.function << " with " << address;
        const std::string text = recent_text();
        EXPECT_EQ(0u, text.find(std::string(row.function) + ": ")) << address << ": " << text;
      }
    }
    // Nothing was queued that fails later.
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }

  std::vector<Row> copy_rows();

  void* device_ = nullptr;
  void* host_ = nullptr;
  void* freed_device_ = nullptr;
  void* freed_host_ = nullptr;
};

TEST_F(MisuseMemory, OnlyStartsOfLiveMemoryAreFreed) {
  int variable = 0;
  std::vector<char> heap(100);
  std::vector<void*> addresses = dead_addresses();
  addresses.insert(addresses.end(),
                   {&variable, heap.data(), freed_host_, stream_, static_cast<char*>(device_) + 64,
                    static_cast<char*>(host_) + 64});
  expect_failures({{"aclrtFree", aclrtFree},
                   {"aclrtFreeHost", aclrtFreeHost},
                   {"aclrtFreeWithDevSync", aclrtFreeWithDevSync},
                   {"aclrtFreeHostWithDevSync", aclrtFreeHostWithDevSync},
                   {"aclrtHostUnregister", aclrtHostUnregister}},
                  addresses);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(host_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(device_));
}

std::vector<Row> MisuseMemory::copy_rows() {
  const auto batch = [this](void* address, bool is_source, bool is_async) {
    void *destination = is_source ? device_ : address, *source = is_source ? address : device_;
    size_t size = 64, first = 0, fail_index = 0;
    aclrtMemcpyBatchAttr attribute = {};
    (is_source ? attribute.dstLoc : attribute.srcLoc).type = ACL_MEM_LOCATION_TYPE_DEVICE;
    return is_async ? aclrtMemcpyBatchAsync(&destination, &size, &source, &size, 1, &attribute,
                                            &first, 1, &fail_index, stream_)
                    : aclrtMemcpyBatch(&destination, &size, &source, &size, 1, &attribute, &first,
                                       1, &fail_index);
  };
  return {
      {"aclrtMemcpy",
       [this](void* a) { return aclrtMemcpy(device_, 64, a, 64, ACL_MEMCPY_DEFAULT); }},
      {"aclrtMemcpy",
       [this](void* a) { return aclrtMemcpy(a, 64, device_, 64, ACL_MEMCPY_DEFAULT); }},
      {"aclrtMemcpy",
       [this](void* a) { return aclrtMemcpy(a, 64, host_, 64, ACL_MEMCPY_HOST_TO_HOST); }},
      {"aclrtMemcpyAsync",
       [this](void* a) {
         return aclrtMemcpyAsync(device_, 64, a, 64, ACL_MEMCPY_DEFAULT, stream_);
       }},
      {"aclrtMemcpyAsync",
       [this](void* a) {
         return aclrtMemcpyAsync(a, 64, device_, 64, ACL_MEMCPY_DEFAULT, stream_);
       }},
      {"aclrtMemcpyAsync",
       [this](void* a) {
         return aclrtMemcpyAsync(device_, 64, a, 64, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_);
       }},
      {"aclrtMemcpy2d",
       [this](void* a) {
         return aclrtMemcpy2d(device_, 16, a, 16, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE);
       }},
      {"aclrtMemcpy2dAsync",
       [this](void* a) {
         return aclrtMemcpy2dAsync(a, 16, device_, 16, 8, 4, ACL_MEMCPY_DEVICE_TO_HOST, stream_);
       }},
      {"aclrtMemcpyBatch", [batch](void* a) { return batch(a, true, false); }},
      {"aclrtMemcpyBatch", [batch](void* a) { return batch(a, false, false); }},
      {"aclrtMemcpyBatchAsync", [batch](void* a) { return batch(a, true, true); }},
      {"aclrtMemcpyBatchAsync", [batch](void* a) { return batch(a, false, true); }},
      {"aclrtMemset", [](void* a) { return aclrtMemset(a, 64, 0, 64); }},
      {"aclrtMemsetAsync", [this](void* a) { return aclrtMemsetAsync(a, 64, 0, 64, stream_); }},
      {"aclrtMemsetD32", [](void* a) { return aclrtMemsetD32(a, 64, 0, 16); }},
      {"aclrtMemsetD32Async",
       [this](void* a) { return aclrtMemsetD32Async(a, 64, 0, 16, stream_); }},
      {"aclrtMemFlush", [](void* a) { return aclrtMemFlush(a, 64); }},
      {"aclrtMemInvalidate", [](void* a) { return aclrtMemInvalidate(a, 64); }},
  };
}

TEST_F(MisuseMemory, DeadAddressesAreNotTouched) {
  expect_failures(copy_rows(), dead_addresses());
}

TEST_F(MisuseMemory, DeadAddressesAreNotRegisteredOrDescribed) {
  void* on_device = nullptr;
  expect_failures(
      {{"aclrtHostRegister",
        [&](void* a) { return aclrtHostRegister(a, 4096, ACL_HOST_REGISTER_MAPPED, &on_device); }},
       {"aclrtHostRegisterV2",
        [](void* a) { return aclrtHostRegisterV2(a, 4096, ACL_HOST_REG_PINNED); }},
       {"aclrtHostGetDevicePointer",
        [&](void* a) { return aclrtHostGetDevicePointer(a, &on_device, 0); }},
       {"aclrtSetMemcpyDesc",
        [this](void* a) {
          return aclrtSetMemcpyDesc(a, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, device_, device_, 64,
                                    nullptr);
        }},
       {"aclrtSetMemcpyDesc",
        [this](void* a) {
          return aclrtSetMemcpyDesc(device_, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, a, device_, 64,
                                    nullptr);
        }},
       {"aclrtMemcpyAsyncWithDesc",
        [this](void* a) {
          return aclrtMemcpyAsyncWithDesc(a, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream_);
        }}},
      dead_addresses());
  for (void* address : dead_addresses()) {
    aclrtPtrAttributes attributes = {};
    EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
    EXPECT_EQ(ACL_MEM_LOCATION_TYPE_UNREGISTERED, attributes.location.type);
  }
}

TEST_F(MisuseMemory, SizesThatCannotBeAreRefused) {
  void* out = nullptr;
  const auto constant = [](auto call) { return [call](void*) -> aclError { return call(); }; };
  const size_t huge = SIZE_MAX;
  std::vector<Row> rows;
  for (const size_t size : {huge, huge - 63, size_t{1} << 63, size_t{1} << 50}) {
    const std::vector<Row> some = {
        {"aclrtMalloc",
         constant([&out, size] { return aclrtMalloc(&out, size, ACL_MEM_MALLOC_HUGE_FIRST); })},
        {"aclrtMallocAlign32", constant([&out, size] {
           return aclrtMallocAlign32(&out, size, ACL_MEM_MALLOC_HUGE_FIRST);
         })},
        {"aclrtMallocHost", constant([&out, size] { return aclrtMallocHost(&out, size); })},
        {"aclrtMemcpy", constant([this, size] {
           return aclrtMemcpy(device_, size, host_, size, ACL_MEMCPY_DEFAULT);
         })},
        {"aclrtMemcpy", constant([this, size] {
           return aclrtMemcpy(host_, size, device_, size, ACL_MEMCPY_DEFAULT);
         })},
        {"aclrtMemset", constant([this, size] { return aclrtMemset(device_, size, 0, size); })},
        {"aclrtMemset", constant([this, size] { return aclrtMemset(host_, size, 0, size); })},
        {"aclrtMemcpy2d", constant([this, size] {
           return aclrtMemcpy2d(device_, size, host_, size, 8, 3, ACL_MEMCPY_HOST_TO_DEVICE);
         })},
        {"aclrtMemcpy2d", constant([this, size] {
           return aclrtMemcpy2d(device_, size, host_, size, size, size, ACL_MEMCPY_HOST_TO_DEVICE);
         })},
        {"aclrtHostRegisterV2",
         constant([this, size] { return aclrtHostRegisterV2(host_, size, ACL_HOST_REG_PINNED); })},
        {"aclrtMemFlush", constant([this, size] { return aclrtMemFlush(device_, size); })},
    };
    rows.insert(rows.end(), some.begin(), some.end());
  }
  expect_failures(rows, {nullptr});
}

TEST_F(MisuseMemory, QueuedSizesThatCannotBeFailWhenTheyRun) {
  for (const size_t size : {SIZE_MAX, SIZE_MAX - 63, size_t{1} << 63, size_t{4097 + 64}}) {
    EXPECT_OK(aclrtMemcpyAsync(device_, size, host_, size, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_)) << size;
    EXPECT_OK(aclrtMemsetAsync(device_, size, 0, size, stream_));
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_)) << size;
  }
}

TEST_F(MisuseMemory, MemoryFreedUnderQueuedWorkFailsTheWork) {
  void *device = nullptr, *host = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMallocHost(&host, 4096));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(device, 4096, host_, 4096, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtMemcpyAsync(device_, 4096, host, 4096, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtFree(device));
  EXPECT_OK(aclrtFreeHost(host));
  gate.open();
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream_));
}

TEST_F(MisuseMemory, CallsWithoutAContextSaySo) {
  void* out = nullptr;
  size_t first = 0, second = 0;
  uint32_t word = 0;
  const std::vector<Row> rows = {
      {"aclrtMalloc", [&](void*) { return aclrtMalloc(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST); }},
      {"aclrtMallocCached",
       [&](void*) { return aclrtMallocCached(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST); }},
      {"aclrtMallocHost", [&](void*) { return aclrtMallocHost(&out, 64); }},
      {"aclrtFreeWithDevSync", [&](void*) { return aclrtFreeWithDevSync(device_); }},
      {"aclrtHostRegisterV2",
       [&](void*) { return aclrtHostRegisterV2(host_, 64, ACL_HOST_REG_PINNED); }},
      {"aclrtMemcpy",
       [&](void*) { return aclrtMemcpy(device_, 64, host_, 64, ACL_MEMCPY_DEFAULT); }},
      {"aclrtMemcpyAsync",
       [&](void*) {
         return aclrtMemcpyAsync(device_, 64, host_, 64, ACL_MEMCPY_DEFAULT, stream_);
       }},
      {"aclrtMemset", [&](void*) { return aclrtMemset(device_, 64, 0, 64); }},
      {"aclrtMemsetAsync", [&](void*) { return aclrtMemsetAsync(device_, 64, 0, 64, stream_); }},
      {"aclrtMemsetD32", [&](void*) { return aclrtMemsetD32(device_, 64, 0, 16); }},
      {"aclrtCreateStream", [&](void*) { return aclrtCreateStream(&out); }},
      {"aclrtDestroyStream", [&](void*) { return aclrtDestroyStream(stream_); }},
      {"aclrtSynchronizeStream", [&](void*) { return aclrtSynchronizeStream(stream_); }},
      {"aclrtSynchronizeDevice", [&](void*) { return aclrtSynchronizeDevice(); }},
      {"aclrtStreamAbort", [&](void*) { return aclrtStreamAbort(stream_); }},
      {"aclrtCreateEvent", [&](void*) { return aclrtCreateEvent(&out); }},
      {"aclrtCreateNotify", [&](void*) { return aclrtCreateNotify(&out, 0); }},
      {"aclrtGetMemInfo", [&](void*) { return aclrtGetMemInfo(ACL_HBM_MEM, &first, &second); }},
      {"aclrtGetStreamAvailableNum", [&](void*) { return aclrtGetStreamAvailableNum(&word); }},
      {"aclrtGetEventAvailNum", [&](void*) { return aclrtGetEventAvailNum(&word); }},
  };
  on_new_thread([&] {
    for (const Row& row : rows) {
      EXPECT_TRUE(
          fails_as("", "", row.function, ACL_ERROR_RT_CONTEXT_NULL, "EE1018", row.call(nullptr)));
    }
  });
}

}  // namespace
}  // namespace conformance::misuse_memory_test
