// SPDX-License-Identifier: Apache-2.0
// aclrtMemPoolFreeAsync: frees in stream order.
#include "support/pools.h"

namespace conformance::pools::aclrtMemPoolFreeAsync_test {
namespace {

using memory::location_of;
using streams::OtherContext;
using streams::Stream;

using AclrtMemPoolFreeAsync = WithStream;

TEST_F(AclrtMemPoolFreeAsync, ChecksItsArgumentsInTheirOrder) {
  const Pool pool(kUnit);
  void* address = pool.allocate(1, stream_);
  streams::WrongHandles wrong;
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolFreeAsync(nullptr, wrong.dead_stream()));
  EXPECT_FAILS_WITH(107017, aclrtMemPoolFreeAsync(address, wrong.dead_stream()));
  EXPECT_FAILS_WITH(kPoolError, aclrtMemPoolFreeAsync(address, nullptr));
  const OtherContext other;
  {
    const streams::Inside inside(other);
    EXPECT_FAILS(107003, "EE1010", aclrtMemPoolFreeAsync(address, stream_));
  }
  on_new_thread([&] { EXPECT_FAILS_WITH(107002, aclrtMemPoolFreeAsync(address, stream_)); });
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
}

TEST_F(AclrtMemPoolFreeAsync, EndsTheLifeOfTheBlockWhereItIsInTheStream) {
  const Pool pool(2 * kUnit);
  pool.keep(2 * kUnit);
  PinnedBuffer source(64);
  PinnedBuffer target(64);
  source.fill(pattern(64));
  void* address = pool.allocate(64, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyAsync(address, 64, source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtMemcpyAsync(target.get(), 64, address, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_DEVICE);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(target.copy(), pattern(64));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_FAILS_WITH(107000, aclrtMemset(address, 64, 1, 64));
}

TEST_F(AclrtMemPoolFreeAsync, FailsWorkQueuedBehindIt) {
  const Pool pool(2 * kUnit);
  void* address = pool.allocate(64, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_OK(aclrtMemsetAsync(address, 64, 1, 64, stream_));
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), 507001);
}

// The block in use, the free that waits, the free that has run, and the memory that is gone.
TEST_F(AclrtMemPoolFreeAsync, RefusesAddressesOfAPoolThatAreNoBlockInUse) {
  const Pool pool(4 * kUnit);
  pool.keep(4 * kUnit);
  auto* address = static_cast<char*>(pool.allocate(2 * kUnit, stream_));
  EXPECT_FAILS(107000, "EE1011", aclrtMemPoolFreeAsync(address + 1, stream_));
  EXPECT_FAILS(107000, "EE1011", aclrtMemPoolFreeAsync(address + kUnit, stream_));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_FAILS(107000, "EE1011", aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_FAILS_WITH(107000, aclrtFree(address));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS(107000, "EE1011", aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_FAILS_WITH(107000, aclrtFree(address));
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 0));
  EXPECT_FAILS(107000, "EE1011", aclrtMemPoolFreeAsync(address, stream_));
}

TEST_F(AclrtMemPoolFreeAsync, FreesOtherDeviceMemoryWhenTheStreamGetsThere) {
  void* address = nullptr;
  ASSERT_OK(aclrtMalloc(&address, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(address, 64, 1, 64, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_DEVICE);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtMemPoolFreeAsync, SaysNothingOfAddressesThatCannotBeFreed) {
  PinnedBuffer pinned(64);
  char pageable = 0;
  clear_errors();
  for (void* address :
       {pinned.get(), static_cast<void*>(&pageable), reinterpret_cast<void*>(uintptr_t{0x1234})}) {
    EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(recent_text(), "");
  EXPECT_EQ(location_of(pinned.get()).type, ACL_MEM_LOCATION_TYPE_HOST);
}

TEST_F(AclrtMemPoolFreeAsync, IsNotNeededAfterAclrtFree) {
  const Pool pool(2 * kUnit);
  pool.keep(2 * kUnit);
  const size_t before = free_bytes();
  void* address = pool.allocate(kUnit, stream_);
  EXPECT_FAILS_WITH(107000, aclrtFree(static_cast<char*>(address) + 64));
  EXPECT_OK(aclrtFree(address));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_EQ(pool.taken(), 0u);
  EXPECT_EQ(free_bytes(), before);
  EXPECT_FAILS_WITH(107000, aclrtFree(address));
  address = pool.allocate(kUnit, stream_);
  EXPECT_OK(aclrtFreeWithDevSync(address));
  EXPECT_EQ(pool.taken(), 0u);
}

// A free that an earlier life of the address has queued must not end the present one.
TEST_F(AclrtMemPoolFreeAsync, ConcernsOnlyTheLifeItWasCalledFor) {
  const Pool pool(kUnit);
  const Stream other;
  void* address = pool.allocate(kUnit, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  ASSERT_EQ(pool.allocate(kUnit, stream_), address);
  EXPECT_OK(aclrtFree(address));
  void* next = pool.allocate(kUnit, other);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(location_of(next).type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(pool.used(), kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(next, other));
}

TEST_F(AclrtMemPoolFreeAsync, LosesNothingWhenItsStreamIsDestroyedByForce) {
  const size_t before = free_bytes();
  const Pool pool(4 * kUnit);
  void* plain = nullptr;
  ASSERT_OK(aclrtMalloc(&plain, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  void* address = pool.allocate(kUnit, stream);
  const streams::Event never = streams::Event::with_flag();
  EXPECT_OK(aclrtStreamWaitEvent(stream, never));
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream));
  EXPECT_OK(aclrtMemPoolFreeAsync(plain, stream));
  EXPECT_OK(aclrtDestroyStreamForce(stream));
  EXPECT_EQ(pool.used(), 0u);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(AclrtMemPoolFreeAsync, LosesNothingWhenItsStreamIsAborted) {
  const Pool pool(kUnit);
  pool.keep(kUnit);
  const streams::Event never = streams::Event::with_flag();
  void* address = pool.allocate(kUnit, stream_);
  EXPECT_OK(aclrtStreamWaitEvent(stream_, never));
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_OK(aclrtStreamAbort(stream_));
  EXPECT_EQ(pool.used(), 0u);
  const Stream other;
  EXPECT_EQ(pool.allocate(kUnit, other), address);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, other));
}

TEST_F(AclrtMemPoolFreeAsync, RunsWhenItsContextIsDestroyed) {
  const Pool pool(kUnit);
  OtherContext context;
  {
    const streams::Inside inside(context);
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtMemPoolFreeAsync(pool.allocate(kUnit, stream), stream));
  }
  EXPECT_OK(aclrtDestroyContext(context.release()));
  EXPECT_EQ(pool.used(), 0u);
}

FERRY_PROCESS_TEST(AclrtMemPoolFreeAsyncProcess, BlocksAndPoolOutliveAReset) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  const Pool pool(4 * kUnit);
  void* kept = pool.allocate(kUnit, stream);
  EXPECT_OK(aclrtMemPoolFreeAsync(pool.allocate(kUnit, stream), stream));
  ASSERT_OK(aclrtResetDeviceForce(0));
  EXPECT_EQ(pool.used(), kUnit);
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtMemset(kept, kUnit, 1, kUnit));
  const Stream again;
  EXPECT_OK(aclrtMemPoolFreeAsync(kept, again));
  EXPECT_OK(aclrtSynchronizeStream(again));
  EXPECT_EQ(pool.taken(), 0u);
}

TEST_F(AclrtMemPoolFreeAsync, IsRefusedInAStoppedContextAndLeavesTheBlock) {
  const Pool pool(kUnit);
  void* address = nullptr;
  OtherContext context;
  {
    const streams::Inside inside(context);
    const Stream stream;
    address = pool.allocate(kUnit, stream);
    EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
    streams::BadCopy bad;
    EXPECT_OK(bad.queue(stream));
    EXPECT_EQ(aclrtSynchronizeStream(stream), 507001);
    EXPECT_EQ(aclrtMemPoolFreeAsync(address, stream), 507001);
  }
  EXPECT_EQ(pool.used(), kUnit);
  EXPECT_OK(aclrtFree(address));
}

}  // namespace
}  // namespace conformance::pools::aclrtMemPoolFreeAsync_test
