// SPDX-License-Identifier: Apache-2.0
// aclrtMallocForTaskScheduler: device memory for the task scheduler, with attributes.
#include "support/configured_allocator.h"

namespace conformance::memory::aclrtMallocForTaskScheduler_test {
namespace {

using AclrtMallocForTaskScheduler = WithDevice;

constexpr DeviceAllocator kFunction = {
    "aclrtMallocForTaskScheduler",
    [](void** address, size_t size, aclrtMemMallocPolicy policy) {
      return aclrtMallocForTaskScheduler(address, size, policy, nullptr);
    },
    32};

constexpr ConfiguredAllocator kConfigured = {"aclrtMallocForTaskScheduler",
                                             aclrtMallocForTaskScheduler};

TEST_F(AclrtMallocForTaskScheduler, RefusesNullAndSizeZero) {
  expect_refuses_null_and_zero(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, RefusesSizesThatOverflowWithTheirPadding) {
  expect_refuses_sizes_that_overflow(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, RefusesMoreThanTheDeviceHas) {
  expect_refuses_more_than_the_device_has(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, NeedsAContext) {
  expect_needs_a_context(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, TakesADestroyedContextForNone) {
  expect_takes_a_destroyed_context_for_none(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, GivesMemoryThatKeepsBytes) {
  expect_gives_memory_that_keeps_bytes(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, TakesEveryPolicy) {
  expect_takes_every_policy(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, PadsTheMemory) {
  expect_pads(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, ServesManyThreadsAtOnce) {
  expect_serves_many_threads(kFunction);
}

TEST_F(AclrtMallocForTaskScheduler, LeavesOutTheExtraBytesWithPagesOfOneGibibyte) {
  for (const aclrtMemMallocPolicy policy :
       {ACL_MEM_MALLOC_HUGE1G_ONLY, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P}) {
    for (const size_t size : {size_t{1}, size_t{32}, size_t{33}, size_t{4096}}) {
      void* address = nullptr;
      ASSERT_OK(aclrtMallocForTaskScheduler(&address, size, policy, nullptr));
      expect_usable_bytes(address, (size + 31) / 32 * 32);
      EXPECT_OK(aclrtFree(address));
    }
  }
}

TEST_F(AclrtMallocForTaskScheduler, TakesTheAttributesItKnows) {
  expect_takes_the_attributes_it_knows(kConfigured);
}

TEST_F(AclrtMallocForTaskScheduler, TakesAListOfLengthZero) {
  expect_takes_a_list_of_length_zero(kConfigured);
}

TEST_F(AclrtMallocForTaskScheduler, RefusesALengthWithoutAListBeforeSizeZero) {
  expect_refuses_a_length_without_a_list(kConfigured);
}

TEST_F(AclrtMallocForTaskScheduler, RefusesAConfigurationWithoutAListBeforeTheContext) {
  expect_refuses_a_configuration_without_a_list(kConfigured);
}

TEST_F(AclrtMallocForTaskScheduler, RefusesOtherAttributes) {
  expect_refuses_other_attributes(kConfigured);
}

TEST_F(AclrtMallocForTaskScheduler, RefusesAnotherDevice) {
  expect_refuses_another_device(kConfigured);
}

FERRY_PROCESS_TEST(AclrtMallocForTaskSchedulerProcess, ComparesTheDeviceWithTheCurrentOne,
                   "FERRY_DEVICES=cpu:2") {
  expect_compares_with_the_current_device(kConfigured);
}

}  // namespace
}  // namespace conformance::memory::aclrtMallocForTaskScheduler_test
