// SPDX-License-Identifier: Apache-2.0
// aclrtMemManagedPrefetchBatchAsync: moves many ranges of managed memory as one task.
#include "support/managed.h"

#include <algorithm>

namespace conformance::copies::aclrtMemManagedPrefetchBatchAsync_test {
namespace {

using AclrtMemManagedPrefetchBatchAsync = WithManagedMemory;

// Three pages; the first goes to the device, the others to the host.
struct Moves {
  ManagedBuffer managed{3 * kManagedPage};
  const void* ptrs[3] = {managed.get(), managed.at(kManagedPage), managed.at(2 * kManagedPage)};
  size_t sizes[3] = {kManagedPage, kManagedPage, 1};
  aclrtMemManagedLocation locations[2] = {kOnDevice0, kOnHost};
  size_t indexes[2] = {0, 1};
};

// The call with the arguments of `moves`, of which a test may have changed some.
aclError prefetch(Moves& moves, aclrtStream stream, size_t count = 3, size_t locations = 2,
                  uint64_t flags = 0) {
  return aclrtMemManagedPrefetchBatchAsync(moves.ptrs, moves.sizes, count, moves.locations,
                                           moves.indexes, locations, flags, stream);
}

::testing::AssertionResult refused(aclError code, const char* message_code, aclError actual) {
  return failed_as("aclrtMemManagedPrefetchBatchAsync", code, message_code, actual);
}

TEST_F(AclrtMemManagedPrefetchBatchAsync, MovesEachRangeToItsPlaceInStreamOrder) {
  Moves moves;
  const void* const base = moves.managed.get();
  Gate gate(stream_);
  EXPECT_OK(prefetch(moves, stream_));
  // The arrays were copied during the call.
  std::fill(std::begin(moves.ptrs), std::end(moves.ptrs), nullptr);
  std::fill(std::begin(moves.locations), std::end(moves.locations), kNowhere);
  expect_place(kPrefetched, base, 3 * kManagedPage, ACL_MEM_LOCATIONTYPE_INVALID, -2);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  expect_place(kPrefetched, base, kManagedPage, ACL_MEM_LOCATIONTYPE_DEVICE, 0);
  expect_place(kPrefetched, moves.managed.at(kManagedPage), 2 * kManagedPage,
               ACL_MEM_LOCATIONTYPE_HOST, -1);
}

TEST_F(AclrtMemManagedPrefetchBatchAsync, NullNamesTheDefaultStream) {
  Moves moves;
  EXPECT_OK(prefetch(moves, nullptr, 3, 1));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  expect_place(kPrefetched, moves.managed.get(), 3 * kManagedPage, ACL_MEM_LOCATIONTYPE_DEVICE, 0);
}

TEST_F(AclrtMemManagedPrefetchBatchAsync, RefusesArraysAndNumbersInOrder) {
  Moves moves;
  const BadStreams bad;
  const auto call = [&](const void** ptrs, size_t* sizes, size_t count,
                        aclrtMemManagedLocation* locations, size_t* indexes, size_t location_count,
                        uint64_t flags) {
    return aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, count, locations, indexes, location_count,
                                             flags, bad.destroyed());
  };
  auto* const ptrs = moves.ptrs;
  auto* const sizes = moves.sizes;
  auto* const locations = moves.locations;
  auto* const indexes = moves.indexes;
  const aclError invalid = ACL_ERROR_INVALID_PARAM;
  EXPECT_TRUE(refused(invalid, "EH0008", call(nullptr, nullptr, 0, nullptr, nullptr, 0, 1)));
  EXPECT_TRUE(refused(invalid, "EH0008", call(ptrs, nullptr, 0, nullptr, nullptr, 0, 1)));
  EXPECT_TRUE(refused(invalid, "EH0008", call(ptrs, sizes, 0, nullptr, nullptr, 0, 1)));
  EXPECT_TRUE(refused(invalid, "EH0008", call(ptrs, sizes, 0, locations, nullptr, 0, 1)));
  EXPECT_TRUE(refused(invalid, "EH0007", call(ptrs, sizes, 0, locations, indexes, 0, 1)));
  EXPECT_TRUE(refused(invalid, "EH0007", call(ptrs, sizes, 1, locations, indexes, 0, 1)));
  EXPECT_TRUE(refused(invalid, "EH0007", call(ptrs, sizes, 1, locations, indexes, 2, 1)));
  EXPECT_TRUE(refused(invalid, "EH0007", call(ptrs, sizes, 1, locations, indexes, 2, 0)));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_TRUE(refused(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                      call(ptrs, sizes, 2, locations, indexes, 2, 0)));
}

TEST_F(AclrtMemManagedPrefetchBatchAsync, RefusesContentsInOrderAndMovesNothing) {
  const aclError invalid = ACL_ERROR_RT_PARAM_INVALID;
  Moves moves;
  moves.locations[1] = on_missing_device();
  EXPECT_TRUE(refused(invalid, "EE1003", prefetch(moves, stream_)));
  EXPECT_OK(prefetch(moves, stream_, 3, 1)) << "locations that are not used are not looked at";
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  for (const size_t index : {size_t{0}, size_t{3}, SIZE_MAX}) {
    moves.indexes[1] = index;
    EXPECT_TRUE(refused(invalid, "EE1003", prefetch(moves, stream_)));
  }
  moves.ptrs[2] = nullptr;
  EXPECT_TRUE(refused(invalid, "EE1004", prefetch(moves, stream_)));
  moves.indexes[0] = 1;
  EXPECT_TRUE(refused(invalid, "EE1003", prefetch(moves, stream_)));
}

TEST_F(AclrtMemManagedPrefetchBatchAsync, RefusesAMissingContextAndOneOfAnotherStream) {
  Moves moves;
  const OtherContext other;
  on_new_thread([&] {
    EXPECT_TRUE(refused(ACL_ERROR_RT_INTERNAL_ERROR, "", prefetch(moves, nullptr)));
    EXPECT_TRUE(refused(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", prefetch(moves, stream_)));
  });
  EXPECT_TRUE(refused(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010", prefetch(moves, other.stream())));
}

TEST_F(AclrtMemManagedPrefetchBatchAsync, OtherMemoryFailsOnTheStreamAndTheRestIsMoved) {
  Moves moves;
  const DeviceBuffer device(64);
  moves.ptrs[1] = device.get();
  moves.sizes[1] = 64;
  EXPECT_OK(prefetch(moves, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemManagedPrefetchBatchAsync"));
  expect_place(kPrefetched, moves.managed.at(2 * kManagedPage), 1, ACL_MEM_LOCATIONTYPE_HOST, -1);
}

}  // namespace
}  // namespace conformance::copies::aclrtMemManagedPrefetchBatchAsync_test
