// SPDX-License-Identifier: Apache-2.0
// The capacity of a device: what happens when it is exhausted, and that freeing makes room again,
// in any order.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/needs.h"

#include <sys/resource.h>

namespace conformance::memory::device_memory_has_a_capacity_test {
namespace {

constexpr size_t kMebibyte = size_t{1} << 20;
constexpr size_t kCapacity = 64 * kMebibyte;

size_t free_bytes() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  EXPECT_EQ(total, kCapacity);
  return free;
}

// Allocates blocks until the device has no room for another one.
std::vector<void*> use_up(size_t size) {
  std::vector<void*> pieces;
  for (;;) {
    void* address = nullptr;
    const aclError result = aclrtMallocAlign32(&address, size, kAnyPolicy);
    if (result != ACL_SUCCESS) {
      EXPECT_EQ(result, ACL_ERROR_RT_MEMORY_ALLOCATION);
      EXPECT_EQ(address, nullptr);
      return pieces;
    }
    pieces.push_back(address);
    if (pieces.size() * size > kCapacity) {
      ADD_FAILURE() << "more than the capacity was allocated";
      return pieces;
    }
  }
}

void free_all(const std::vector<void*>& pieces) {
  for (void* address : pieces)
    EXPECT_OK(aclrtFree(address));
}

void expect_room_for_one_piece_of_all() {
  EXPECT_EQ(free_bytes(), kCapacity);
  void* address = nullptr;
  EXPECT_OK(aclrtMallocAlign32(&address, kCapacity, kAnyPolicy));
  EXPECT_OK(aclrtFree(address));
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, AllOfItCanBeUsed, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  void* address = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_MEMORY_ALLOCATION,
                    aclrtMallocAlign32(&address, kCapacity + 1, kAnyPolicy));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_MEMORY_ALLOCATION);
  ASSERT_OK(aclrtMallocAlign32(&address, kCapacity, kAnyPolicy));
  EXPECT_EQ(free_bytes(), 0u);
  void* other = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_MEMORY_ALLOCATION, aclrtMalloc(&other, 1, kAnyPolicy));
  EXPECT_OK(aclrtMemset(address, kCapacity, 1, kCapacity));
  EXPECT_OK(aclrtFree(address));
  expect_room_for_one_piece_of_all();
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, ExhaustionIsACodeAndFreeingMakesRoom,
                   "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> pieces = use_up(kMebibyte);
    EXPECT_EQ(pieces.size(), 64u);
    EXPECT_LT(free_bytes(), kMebibyte);
    EXPECT_OK(aclrtFree(pieces.back()));
    EXPECT_OK(aclrtMallocAlign32(&pieces.back(), kMebibyte, kAnyPolicy));
    free_all(pieces);
    expect_room_for_one_piece_of_all();
  }
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, FreeBytesFollowEveryCall, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<void*> pieces(8);
  size_t free = kCapacity;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const size_t size = (i + 1) * kMebibyte;
    ASSERT_OK(aclrtMallocAlign32(&pieces[i], size, kAnyPolicy));
    EXPECT_LE(free_bytes(), free - size);
    free = free_bytes();
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_OK(aclrtFree(pieces[i]));
    EXPECT_GE(free_bytes(), free + (i + 1) * kMebibyte);
    free = free_bytes();
  }
  EXPECT_EQ(free, kCapacity);
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, HolesAreFilledAgain, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<void*> pieces = use_up(64 << 10);
  EXPECT_EQ(pieces.size(), 1024u);
  for (size_t i = 0; i < pieces.size(); i += 2)
    EXPECT_OK(aclrtFree(pieces[i]));
  EXPECT_GE(free_bytes(), kCapacity / 2);
  for (size_t i = 0; i < pieces.size(); i += 2)
    EXPECT_OK(aclrtMallocAlign32(&pieces[i], 64 << 10, kAnyPolicy));
  free_all(pieces);
  expect_room_for_one_piece_of_all();
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, ScatteredHolesServeALargePiece, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  const std::vector<void*> pieces = use_up(64 << 10);
  for (size_t i = 0; i < pieces.size(); i += 2)
    EXPECT_OK(aclrtFree(pieces[i]));
  void* large = nullptr;
  EXPECT_OK(aclrtMallocAlign32(&large, kCapacity / 2, kAnyPolicy));
  EXPECT_OK(aclrtFree(large));
  for (size_t i = 1; i < pieces.size(); i += 2)
    EXPECT_OK(aclrtFree(pieces[i]));
  expect_room_for_one_piece_of_all();
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, NothingIsLostInALongLife, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<void*> pieces(200, nullptr);
  uint32_t state = 1;
  for (int round = 0; round < 20000; ++round) {
    state = state * 1664525 + 1013904223;
    void*& piece = pieces[(state >> 8) % pieces.size()];
    if (piece != nullptr) {
      EXPECT_OK(aclrtFree(piece));
      piece = nullptr;
    } else {
      const size_t size = size_t{1} << ((state >> 16) % 20);
      ASSERT_OK(aclrtMalloc(&piece, size + (state >> 28), kAnyPolicy));
    }
  }
  for (void* piece : pieces) {
    if (piece != nullptr) {
      EXPECT_OK(aclrtFree(piece));
    }
  }
  expect_room_for_one_piece_of_all();
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, HostMemoryDoesNotCount, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  void* device = nullptr;
  void* host = nullptr;
  ASSERT_OK(aclrtMallocAlign32(&device, kCapacity, kAnyPolicy));
  EXPECT_OK(aclrtMallocHost(&host, kCapacity));
  EXPECT_OK(aclrtFreeHost(host));
  EXPECT_OK(aclrtFree(device));
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, WorkGoesOnWhenTheDeviceIsFull, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  const PinnedBuffer host(kMebibyte);
  const std::vector<void*> pieces = use_up(kMebibyte);
  ASSERT_EQ(pieces.size(), 64u);
  EXPECT_OK(aclrtCreateStream(&stream));
  EXPECT_OK(aclrtCreateEvent(&event));
  EXPECT_OK(aclrtMemcpyAsync(pieces[0], kMebibyte, host.get(), kMebibyte, ACL_MEMCPY_HOST_TO_DEVICE,
                             stream));
  EXPECT_OK(aclrtMemcpyAsync(pieces[63], kMebibyte, pieces[0], kMebibyte,
                             ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT_OK(aclrtMemsetAsync(pieces[1], kMebibyte, 3, kMebibyte, stream));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtDestroyStream(stream));
  free_all(pieces);
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, ThreadsNeverGetMoreThanThereIs, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<std::vector<void*>> pieces(4);
  at_once(pieces.size(), [&](size_t i) {
    std::vector<void*>& own = pieces[i];
    EXPECT_OK(aclrtSetDevice(0));
    own = use_up(256 << 10);
  });
  size_t count = 0;
  for (const std::vector<void*>& own : pieces)
    count += own.size();
  EXPECT_EQ(count, 256u);
  for (const std::vector<void*>& own : pieces)
    free_all(own);
  expect_room_for_one_piece_of_all();
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, EachDeviceHasItsOwn, "FERRY_MEMORY=64M",
                   "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  const std::vector<void*> first = use_up(kMebibyte);
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_EQ(free_bytes(), kCapacity);
  const std::vector<void*> second = use_up(kMebibyte);
  EXPECT_EQ(second.size(), 64u);
  free_all(first);
  free_all(second);
}

FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, GibibytesAreUnderstood, "FERRY_MEMORY=1G") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  EXPECT_EQ(total, size_t{1} << 30);
}

// A process with little address space (ulimit -v) has devices too. Sanitizers need more than that.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
FERRY_PROCESS_TEST(DeviceMemoryHasACapacity, AlsoWhereAddressesAreFew, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  rlimit few{};
  ASSERT_EQ(0, getrlimit(RLIMIT_AS, &few));
  few.rlim_cur = size_t{4096} * kMebibyte;
  ASSERT_EQ(0, setrlimit(RLIMIT_AS, &few));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(kCapacity, free_bytes());
  {
    DeviceBuffer device(4096);
    device.write(pattern(4096));
    EXPECT_EQ(pattern(4096), device.read());
  }
  EXPECT_OK(aclrtResetDevice(0));
}
#endif

}  // namespace
}  // namespace conformance::memory::device_memory_has_a_capacity_test
