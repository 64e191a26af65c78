// SPDX-License-Identifier: Apache-2.0
// aclrtMemPoolMallocAsync: which memory a pool gives out, and when it has none.
#include "support/at_once.h"
#include "support/pools.h"

#include <vector>

namespace conformance::pools::aclrtMemPoolMallocAsync_test {
namespace {

using memory::location_of;
using memory::untouched;
using streams::OtherContext;
using streams::Stream;

using AclrtMemPoolMallocAsync = WithStream;

void expect_full(const Pool& pool, size_t size, aclrtStream stream) {
  void* address = untouched();
  EXPECT_FAILS_WITH(kPoolError, aclrtMemPoolMallocAsync(&address, size, pool, stream));
  EXPECT_EQ(address, untouched());
}

TEST_F(AclrtMemPoolMallocAsync, RefusesNull) {
  void* address = untouched();
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolMallocAsync(nullptr, 0, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolMallocAsync(&address, 0, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolMallocAsync(&address, 0, stream_, nullptr));
  EXPECT_EQ(address, untouched());
}

TEST_F(AclrtMemPoolMallocAsync, OfNothingSucceedsWithoutALookAtTheHandles) {
  void* address = untouched();
  EXPECT_OK(aclrtMemPoolMallocAsync(&address, 0, destroyed_pool(), destroyed_pool()));
  EXPECT_EQ(address, untouched());
}

TEST_F(AclrtMemPoolMallocAsync, ChecksTheStreamThenThePoolThenTheSize) {
  const Pool pool(kUnit);
  const aclrtMemPool unknown = destroyed_pool();
  streams::WrongHandles wrong;
  void* address = untouched();
  EXPECT_FAILS_WITH(107017,
                    aclrtMemPoolMallocAsync(&address, SIZE_MAX, unknown, wrong.dead_stream()));
  const OtherContext other;
  {
    const streams::Inside inside(other);
    EXPECT_FAILS(107003, "EE1010", aclrtMemPoolMallocAsync(&address, SIZE_MAX, unknown, stream_));
  }
  on_new_thread([&] {
    EXPECT_FAILS_WITH(107002, aclrtMemPoolMallocAsync(&address, SIZE_MAX, unknown, stream_));
  });
  EXPECT_FAILS_WITH(kPoolError, aclrtMemPoolMallocAsync(&address, SIZE_MAX, unknown, stream_));
  EXPECT_FAILS_WITH(107000, aclrtMemPoolMallocAsync(&address, SIZE_MAX, pool, stream_));
  EXPECT_FAILS_WITH(107000, aclrtMemPoolMallocAsync(&address, SIZE_MAX - kUnit + 2, pool, stream_));
  EXPECT_FAILS_WITH(kPoolError,
                    aclrtMemPoolMallocAsync(&address, SIZE_MAX - kUnit + 1, pool, stream_));
  EXPECT_EQ(address, untouched());
}

TEST_F(AclrtMemPoolMallocAsync, GivesWholeUnitsOfDeviceMemory) {
  const Pool pool(16 * kUnit);
  for (const size_t size : {size_t{1}, kUnit - 1, kUnit, kUnit + 1, 3 * kUnit}) {
    void* address = pool.allocate(size, stream_);
    const size_t rounded = (size + kUnit - 1) / kUnit * kUnit;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(address) % kUnit, 0u);
    aclrtPtrAttributes attributes{};
    EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
    EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(attributes.location.id, 0u);
    EXPECT_EQ(attributes.pageSize, kUnit);
    EXPECT_OK(aclrtMemset(address, rounded, 3, rounded));
    EXPECT_FAILS_WITH(107000, aclrtMemset(address, rounded + 1, 3, rounded + 1));
    EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }
}

TEST_F(AclrtMemPoolMallocAsync, TakesWholeUnitsFromTheDevice) {
  const Pool pool(16 * kUnit);
  const size_t before = free_bytes();
  void* small = pool.allocate(1, stream_);
  void* large = pool.allocate(kUnit + 1, stream_);
  EXPECT_EQ(free_bytes(), before - 3 * kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(small, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(large, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(AclrtMemPoolMallocAsync, GivesMemoryForWorkQueuedLater) {
  const Pool pool(2 * kUnit);
  PinnedBuffer source(4096);
  PinnedBuffer target(4096);
  source.fill(pattern(4096));
  Gate gate(stream_);
  void* address = pool.allocate(4096, stream_);
  EXPECT_OK(
      aclrtMemcpyAsync(address, 4096, source.get(), 4096, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(
      aclrtMemcpyAsync(target.get(), 4096, address, 4096, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(target.copy(), pattern(4096));
}

TEST_F(AclrtMemPoolMallocAsync, IsRefusedWhenThePoolIsFull) {
  const Pool pool(2 * kUnit);
  expect_full(pool, 2 * kUnit + 1, stream_);
  void* first = pool.allocate(1, stream_);
  void* second = pool.allocate(kUnit, stream_);
  expect_full(pool, 1, stream_);
  EXPECT_EQ(pool.taken(), 2 * kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(first, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(second, stream_));
}

FERRY_PROCESS_TEST(AclrtMemPoolMallocAsyncProcess, IsRefusedWhenTheDeviceIsFull,
                   "FERRY_MEMORY=16M") {
  ASSERT_OK(aclrtSetDevice(0));
  const Stream stream;
  const Pool pool(8 * kUnit);
  void* other = nullptr;
  ASSERT_OK(aclrtMallocAlign32(&other, 6 * kUnit, ACL_MEM_MALLOC_HUGE_FIRST));
  expect_full(pool, 3 * kUnit, stream);
  EXPECT_OK(aclrtFree(other));
  EXPECT_OK(aclrtMemPoolFreeAsync(pool.allocate(3 * kUnit, stream), stream));
}

TEST_F(AclrtMemPoolMallocAsync, GivesAFreedBlockToItsOwnStreamAtOnce) {
  const Pool pool(kUnit);
  void* address = pool.allocate(kUnit, stream_);
  Gate gate(stream_);
  for (int round = 0; round < 5; ++round) {
    EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
    EXPECT_EQ(pool.allocate(kUnit, stream_), address);
    EXPECT_OK(aclrtMemsetAsync(address, 64, round, 64, stream_));
  }
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_DEVICE);
  uint8_t byte = 0;
  EXPECT_OK(aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(byte, 4);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
}

TEST_F(AclrtMemPoolMallocAsync, GivesALargerFreedBlockToItsOwnStreamWhenThePoolIsFull) {
  const Pool pool(3 * kUnit);
  void* address = pool.allocate(3 * kUnit, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_EQ(pool.allocate(1, stream_), address);
  EXPECT_EQ(pool.used(), 3 * kUnit);
  gate.open();
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
}

TEST_F(AclrtMemPoolMallocAsync, GivesAFreedBlockToAnotherStreamWhenItsFreeHasRun) {
  const Pool pool(kUnit);
  pool.keep(kUnit);
  const Stream other;
  void* address = pool.allocate(kUnit, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(address, kUnit, 1, kUnit, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  expect_full(pool, kUnit, other);
  EXPECT_OK(aclrtSynchronizeStream(other));
  expect_full(pool, kUnit, other);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pool.allocate(kUnit, other), address);
  EXPECT_OK(aclrtMemsetAsync(address, kUnit, 2, kUnit, other));
  EXPECT_OK(aclrtMemPoolFreeAsync(address, other));
}

// The settings promise reuse in more cases; nothing depends on them.
TEST_F(AclrtMemPoolMallocAsync, TheReuseSettingsChangeNothing) {
  const Pool pool(kUnit);
  for (const int attribute : {1, 2, 3}) {
    uint32_t one = 1;
    EXPECT_OK(aclrtMemPoolSetAttr(pool, static_cast<aclrtMemPoolAttr>(attribute), &one));
  }
  const Stream other;
  const streams::Event event = streams::Event::ex();
  void* address = pool.allocate(kUnit, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  expect_full(pool, kUnit, other);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(other));
}

TEST_F(AclrtMemPoolMallocAsync, ServesALargeRequestFromPieces) {
  const Pool pool(8 * kUnit);
  pool.keep(8 * kUnit);
  std::vector<void*> pieces;
  for (int i = 0; i < 8; ++i)
    pieces.push_back(pool.allocate(kUnit, stream_));
  for (void* piece : pieces)
    EXPECT_OK(aclrtMemPoolFreeAsync(piece, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pool.taken(), 8 * kUnit);
  void* large = pool.allocate(7 * kUnit, stream_);
  EXPECT_EQ(pool.taken(), 8 * kUnit);
  EXPECT_EQ(pool.used(), 7 * kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(large, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  void* small = pool.allocate(2 * kUnit, stream_);
  EXPECT_EQ(pool.taken(), 8 * kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(small, stream_));
}

TEST_F(AclrtMemPoolMallocAsync, ServesManyThreadsAndStreamsAtOnce) {
  const Pool pool(64 * kUnit);
  at_once(4, [&](size_t index) {
    EXPECT_OK(aclrtSetDevice(0));
    {
      const Stream stream;
      for (size_t round = 0; round < 20; ++round) {
        void* first = pool.allocate((1 + (index + round) % 3) * kUnit, stream);
        void* second = pool.allocate(1, stream);
        EXPECT_NE(first, second);
        EXPECT_OK(aclrtMemsetAsync(first, 64, 1, 64, stream));
        EXPECT_OK(aclrtMemsetAsync(second, 64, 2, 64, stream));
        EXPECT_OK(aclrtMemPoolFreeAsync(first, stream));
        EXPECT_OK(aclrtMemPoolFreeAsync(second, stream));
      }
      EXPECT_OK(aclrtSynchronizeStream(stream));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(pool.used(), 0u);
  EXPECT_EQ(pool.taken(), 0u);
}

}  // namespace
}  // namespace conformance::pools::aclrtMemPoolMallocAsync_test
