// SPDX-License-Identifier: Apache-2.0
// aclrtMallocAlign32: device memory without the extra 32 bytes.
#include "support/device_allocator.h"

namespace conformance::memory::aclrtMallocAlign32_test {
namespace {

using AclrtMallocAlign32 = WithDevice;

constexpr DeviceAllocator kFunction = {"aclrtMallocAlign32", aclrtMallocAlign32, 0};

TEST_F(AclrtMallocAlign32, RefusesNullAndSizeZero) {
  expect_refuses_null_and_zero(kFunction);
}

TEST_F(AclrtMallocAlign32, RefusesSizesThatOverflowWithTheirPadding) {
  expect_refuses_sizes_that_overflow(kFunction);
}

TEST_F(AclrtMallocAlign32, RefusesMoreThanTheDeviceHas) {
  expect_refuses_more_than_the_device_has(kFunction);
}

TEST_F(AclrtMallocAlign32, NeedsAContext) {
  expect_needs_a_context(kFunction);
}

TEST_F(AclrtMallocAlign32, TakesADestroyedContextForNone) {
  expect_takes_a_destroyed_context_for_none(kFunction);
}

TEST_F(AclrtMallocAlign32, GivesMemoryThatKeepsBytes) {
  expect_gives_memory_that_keeps_bytes(kFunction);
}

TEST_F(AclrtMallocAlign32, TakesEveryPolicy) {
  expect_takes_every_policy(kFunction);
}

TEST_F(AclrtMallocAlign32, PadsTheMemory) {
  expect_pads(kFunction);
}

TEST_F(AclrtMallocAlign32, ServesManyThreadsAtOnce) {
  expect_serves_many_threads(kFunction);
}

}  // namespace
}  // namespace conformance::memory::aclrtMallocAlign32_test
