// SPDX-License-Identifier: Apache-2.0
// aclrtMallocCached: device memory that the device caches.
#include "support/device_allocator.h"

namespace conformance::memory::aclrtMallocCached_test {
namespace {

using AclrtMallocCached = WithDevice;

constexpr DeviceAllocator kFunction = {"aclrtMallocCached", aclrtMallocCached, 32};

TEST_F(AclrtMallocCached, RefusesNullAndSizeZero) {
  expect_refuses_null_and_zero(kFunction);
}

TEST_F(AclrtMallocCached, RefusesSizesThatOverflowWithTheirPadding) {
  expect_refuses_sizes_that_overflow(kFunction);
}

TEST_F(AclrtMallocCached, RefusesMoreThanTheDeviceHas) {
  expect_refuses_more_than_the_device_has(kFunction);
}

TEST_F(AclrtMallocCached, NeedsAContext) {
  expect_needs_a_context(kFunction);
}

TEST_F(AclrtMallocCached, TakesADestroyedContextForNone) {
  expect_takes_a_destroyed_context_for_none(kFunction);
}

TEST_F(AclrtMallocCached, GivesMemoryThatKeepsBytes) {
  expect_gives_memory_that_keeps_bytes(kFunction);
}

TEST_F(AclrtMallocCached, TakesEveryPolicy) {
  expect_takes_every_policy(kFunction);
}

TEST_F(AclrtMallocCached, PadsTheMemory) {
  expect_pads(kFunction);
}

TEST_F(AclrtMallocCached, ServesManyThreadsAtOnce) {
  expect_serves_many_threads(kFunction);
}

}  // namespace
}  // namespace conformance::memory::aclrtMallocCached_test
