// SPDX-License-Identifier: Apache-2.0
// Every copy call, failing calls and reports of the checker work on a thread with the smallest
// stack that the system allows.
#include "support/batch.h"
#include "support/captured_process.h"
#include "support/host_pages.h"
#include "support/needs.h"

#include <limits.h>
#include <pthread.h>

#include <functional>

// A sanitizer's own frames do not fit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace conformance::small_stacks_test {
namespace {

// Calls `body` on a thread with the smallest stack. The checks are left to the caller: googletest
// needs more.
aclError on_small_stack(const std::function<aclError()>& body) {
  struct Thread {
    const std::function<aclError()>& body;
    aclrtContext context;
    aclError code;
  } thread{body, nullptr, -1};
  EXPECT_OK(aclrtGetCurrentContext(&thread.context));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT_EQ(0, pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN));
  pthread_t handle = {};
  const auto run = [](void* argument) -> void* {
    auto& self = *static_cast<Thread*>(argument);
    volatile char frames_of_the_program[2048];
    frames_of_the_program[0] = 0;
    self.code = aclrtSetCurrentContext(self.context);
    if (self.code == ACL_SUCCESS) self.code = self.body();
    frames_of_the_program[sizeof frames_of_the_program - 1] = 0;
    return nullptr;
  };
  EXPECT_EQ(0, pthread_create(&handle, &attributes, run, &thread));
  pthread_attr_destroy(&attributes);
  pthread_join(handle, nullptr);
  return thread.code;
}

using SmallStacks = WithStream;

TEST_F(SmallStacks, SufficeForEveryCopy) {
  constexpr size_t kLarge = size_t{16} << 20;
  constexpr size_t kGap = 8192;
  DeviceBuffer device(kLarge);
  device.write(pattern(kLarge));
  PinnedBuffer pinned(4096);
  std::vector<uint8_t> pageable(kLarge);
  void* const d = device.get();
  const auto sync = [this](aclError code) {
    return code != ACL_SUCCESS ? code : aclrtSynchronizeStream(stream_);
  };
  for (const size_t size : {size_t{64}, kLarge}) {
    void* const host = pageable.data();
    EXPECT_OK(on_small_stack(
        [&] { return aclrtMemcpy(host, size, d, size, ACL_MEMCPY_DEVICE_TO_HOST); }));
    EXPECT_OK(on_small_stack(
        [&] { return aclrtMemcpy(d, size, host, size, ACL_MEMCPY_HOST_TO_DEVICE); }));
    EXPECT_OK(on_small_stack([&] {
      return sync(aclrtMemcpyAsync(host, size, d, size, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
    }));
    EXPECT_OK(on_small_stack([&] { return aclrtMemset(host, size, 1, size); }));
    EXPECT_OK(on_small_stack([&] { return sync(aclrtMemsetAsync(d, size, 1, size, stream_)); }));
  }
  void* const host = pageable.data();
  EXPECT_OK(on_small_stack(
      [&] { return aclrtMemcpy2d(host, kGap, d, 64, 64, 16, ACL_MEMCPY_DEVICE_TO_HOST); }));
  EXPECT_OK(on_small_stack([&] {
    return sync(aclrtMemcpy2dAsync(host, kGap, d, 64, 64, 16, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  }));
  EXPECT_OK(on_small_stack([&] {
    return sync(aclrtMemcpyAsync(pinned.get(), 4096, d, 4096, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  }));
  for (const copies::BatchForm& form : copies::kBatchForms) {
    for (const copies::HostMemory memory :
         {copies::HostMemory::kPinned, copies::HostMemory::kPageable, copies::HostMemory::kMixed}) {
      copies::Batch batch(copies::Way::kToHost, memory, 100);
      EXPECT_OK(on_small_stack([&] { return sync(call_batch(form, batch.arguments(stream_))); }));
      EXPECT_TRUE(batch.has_copied_all()) << form.name;
    }
  }
}

TEST_F(SmallStacks, SufficeForFailures) {
  const DeviceBuffer device(4096);
  std::vector<uint8_t> host(4096);
  EXPECT_EQ(107000, on_small_stack([&] {
              return aclrtMemcpy(host.data(), 64, device.get(), 65, ACL_MEMCPY_DEVICE_TO_HOST);
            }));
  EXPECT_EQ(107000, on_small_stack([&] {
              return aclrtMemcpy(copies::unmapped_address(), 64, device.get(), 64,
                                 ACL_MEMCPY_DEVICE_TO_HOST);
            }));
  clear_errors();
}

TEST_F(SmallStacks, SufficeForAFault) {
  NEEDS_CPU_DEVICE("other devices do not register memory that they cannot write");
  DeviceBuffer device(4096);
  device.write(pattern(4096));
  memory::HostPages pages(1);
  ASSERT_EQ(0, mprotect(pages.get(), pages.size(), PROT_READ));
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
  EXPECT_EQ(107000, on_small_stack([&] {
              return aclrtMemcpy(pages.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST);
            }));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

// A copy of memory that was never written, and a touch of memory in flight.
TEST(SmallStacksProcess, SufficeForReportsOfTheChecker) {
  NEEDS_CPU_DEVICE("others do not watch pinned memory");
  if (is_child()) {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    const DeviceBuffer device(4096);
    PinnedBuffer pinned(4096);
    EXPECT_OK(on_small_stack([&] {
      const aclError code = aclrtMemcpyAsync(pinned.get(), 4096, device.get(), 4096,
                                             ACL_MEMCPY_DEVICE_TO_HOST, stream);
      pinned.bytes()[7] = 1;
      return code;
    }));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    std::fflush(nullptr);
    _exit(0);
  }
  const EndedProcess ended = run_this_test_apart({"FERRY_CHECK=1", "FERRY_SCHEDULE=lazy"});
  EXPECT_EQ(0, ended.status) << ended.standard_error;
  for (const char* rule : {"uninitialised-read", "host-write-in-flight"}) {
    EXPECT_NE(std::string::npos, ended.standard_error.find(rule)) << ended.standard_error;
  }
}

}  // namespace
}  // namespace conformance::small_stacks_test

#endif
