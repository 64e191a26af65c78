// SPDX-License-Identifier: Apache-2.0
// aclrtMallocHost: pinned host memory.
#include "support/host_allocator.h"

namespace conformance::memory::aclrtMallocHost_test {
namespace {

using AclrtMallocHost = WithStream;

constexpr HostAllocator kFunction = {"aclrtMallocHost", aclrtMallocHost};

TEST_F(AclrtMallocHost, RefusesNullAndSizeZero) {
  expect_refuses_null_and_zero(kFunction);
}

TEST_F(AclrtMallocHost, NeedsAContext) {
  expect_needs_a_context(kFunction);
}

TEST_F(AclrtMallocHost, RefusesMoreThanTheHostHas) {
  expect_refuses_more_than_the_host_has(kFunction);
}

TEST_F(AclrtMallocHost, GivesMemoryTheHostCanUse) {
  expect_gives_memory_the_host_can_use(kFunction);
}

TEST_F(AclrtMallocHost, GivesMemoryThatIsPinned) {
  expect_gives_memory_that_is_pinned(kFunction, stream_);
}

TEST_F(AclrtMallocHost, GivesExactlyTheSize) {
  expect_gives_exactly_the_size(kFunction);
}

TEST_F(AclrtMallocHost, ServesManyThreadsAtOnce) {
  expect_serves_many_threads(kFunction);
}

TEST_F(AclrtMallocHost, TakesADestroyedContextForNone) {
  on_new_thread([] {
    aclrtContext context = nullptr;
    void* address = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    EXPECT_OK(aclrtMallocHost(&address, 64));
    EXPECT_OK(aclrtDestroyContext(context));
    EXPECT_OK(aclrtFreeHost(address));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtMallocHost(&address, 64));
  });
}

TEST_F(AclrtMallocHost, GivesMemoryThatOutlivesItsContext) {
  void* address = nullptr;
  on_new_thread([&] {
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    EXPECT_OK(aclrtMallocHost(&address, 64));
    EXPECT_OK(aclrtDestroyContext(context));
  });
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_HOST);
  static_cast<uint8_t*>(address)[63] = 1;
  EXPECT_OK(aclrtFreeHost(address));
}

FERRY_PROCESS_TEST(AclrtMallocHostProcess, GivesMemoryThatEveryDeviceTakesForPinned,
                   "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  PinnedBuffer host(64);
  host.fill(pattern(64));
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_EQ(location_of(host.get()).id, 0u);
  const DeviceBuffer device(64);
  // A wrong kind: corrected for pinned memory, refused for pageable memory.
  EXPECT_OK(aclrtMemcpyAsync(device.get(), 64, host.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(device.read(), pattern(64));
}

}  // namespace
}  // namespace conformance::memory::aclrtMallocHost_test
