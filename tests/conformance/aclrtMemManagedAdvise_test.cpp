// SPDX-License-Identifier: Apache-2.0
// aclrtMemManagedAdvise: advice is recorded per page of 2 MiB.
#include "support/managed.h"

#include <array>

namespace conformance::copies::aclrtMemManagedAdvise_test {
namespace {

using AclrtMemManagedAdvise = WithManagedMemory;

constexpr size_t kPage = kManagedPage;

aclError advise(const void* address, size_t size, aclrtMemManagedAdviseType advice,
                aclrtMemManagedLocation location = kNowhere) {
  return aclrtMemManagedAdvise(address, size, advice, location);
}

std::array<int32_t, 4> users_of(const void* address, size_t size) {
  std::array<int32_t, 4> users = {9, 9, 9, 9};
  EXPECT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, address, size, users.data(),
                                   sizeof users));
  return users;
}

TEST_F(AclrtMemManagedAdvise, RecordsReadMostlyAndIgnoresTheLocation) {
  const ManagedBuffer managed(3 * kPage);
  const auto is_read_mostly = [&](size_t page, size_t count) {
    return managed_attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.at(page * kPage),
                             count * kPage);
  };
  EXPECT_OK(advise(managed.at(kPage), kPage, ACL_MEM_ADVISE_SET_READ_MOSTLY, on_missing_device()));
  EXPECT_EQ(is_read_mostly(0, 1), 0);
  EXPECT_EQ(is_read_mostly(1, 1), 1);
  EXPECT_EQ(is_read_mostly(1, 2), 0);
  EXPECT_OK(advise(managed.get(), 3 * kPage, ACL_MEM_ADVISE_SET_READ_MOSTLY));
  EXPECT_EQ(is_read_mostly(0, 3), 1);
  EXPECT_OK(advise(managed.get(), kPage, ACL_MEM_ADVISE_UNSET_READ_MOSTLY));
  EXPECT_EQ(is_read_mostly(0, 3), 0);
  EXPECT_EQ(is_read_mostly(1, 2), 1);
}

TEST_F(AclrtMemManagedAdvise, RecordsThePreferredLocation) {
  const ManagedBuffer managed(2 * kPage);
  expect_place(kPreferred, managed.get(), 2 * kPage, ACL_MEM_LOCATIONTYPE_INVALID, -2);
  EXPECT_OK(advise(managed.get(), 2 * kPage, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, kOnDevice0));
  expect_place(kPreferred, managed.get(), 2 * kPage, ACL_MEM_LOCATIONTYPE_DEVICE, 0);
  EXPECT_OK(advise(managed.at(kPage), kPage, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, kOnHost));
  expect_place(kPreferred, managed.at(kPage), kPage, ACL_MEM_LOCATIONTYPE_HOST, -1);
  expect_place(kPreferred, managed.get(), 2 * kPage, ACL_MEM_LOCATIONTYPE_INVALID, -2);
  EXPECT_OK(advise(managed.get(), kPage, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION,
                   {ACL_MEM_LOCATIONTYPE_HOST_NUMA, 3}));
  expect_place(kPreferred, managed.get(), kPage, ACL_MEM_LOCATIONTYPE_HOST_NUMA, 3);
  EXPECT_OK(advise(managed.get(), 2 * kPage, ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION));
  expect_place(kPreferred, managed.get(), 2 * kPage, ACL_MEM_LOCATIONTYPE_INVALID, -2);
}

TEST_F(AclrtMemManagedAdvise, TheCurrentNodeIsANode) {
  const ManagedBuffer managed(kPage);
  EXPECT_OK(advise(managed.get(), kPage, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION,
                   {ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT, -7}));
  EXPECT_EQ(managed_attribute(kPreferred.type, managed.get(), kPage),
            ACL_MEM_LOCATIONTYPE_HOST_NUMA);
  EXPECT_GE(managed_attribute(kPreferred.id, managed.get(), kPage), 0);
}

TEST_F(AclrtMemManagedAdvise, RecordsTheUsersThatAllPagesHave) {
  const ManagedBuffer managed(2 * kPage);
  EXPECT_EQ(users_of(managed.get(), 2 * kPage), (std::array{-2, -2, -2, -2}));
  EXPECT_OK(advise(managed.get(), 2 * kPage, ACL_MEM_ADVISE_SET_ACCESSED_BY, kOnDevice0));
  EXPECT_OK(advise(managed.get(), kPage, ACL_MEM_ADVISE_SET_ACCESSED_BY, kOnHost));
  EXPECT_EQ(users_of(managed.get(), 2 * kPage), (std::array{0, -2, -2, -2}));
  EXPECT_EQ(users_of(managed.get(), kPage), (std::array{-1, 0, -2, -2}));
  EXPECT_OK(advise(managed.get(), kPage, ACL_MEM_ADVISE_UNSET_ACCESSED_BY, kOnDevice0));
  EXPECT_EQ(users_of(managed.get(), kPage), (std::array{-1, -2, -2, -2}));
  EXPECT_EQ(users_of(managed.at(kPage), kPage), (std::array{0, -2, -2, -2}));
}

TEST_F(AclrtMemManagedAdvise, ForgetsItsAdviceWithTheMemory) {
  void* address = nullptr;
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(aclrtMemAllocManaged(&address, kPage, ACL_RT_MEM_ATTACH_GLOBAL));
    EXPECT_EQ(managed_attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, address, kPage), 0);
    EXPECT_OK(advise(address, kPage, ACL_MEM_ADVISE_SET_READ_MOSTLY));
    EXPECT_OK(aclrtFree(address));
  }
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemManagedAdvise(address, kPage, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
}

TEST_F(AclrtMemManagedAdvise, RefusesInTheOrderOfTheContract) {
  const auto unknown = static_cast<aclrtMemManagedAdviseType>(6);
  const aclrtMemManagedLocation missing = on_missing_device();
  char pageable = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemManagedAdvise(nullptr, 0, unknown, missing));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
               aclrtMemManagedAdvise(&pageable, 0, unknown, missing));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemManagedAdvise(&pageable, 1, unknown, missing));
    for (const aclrtMemManagedAdviseType advice :
         {ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
          ACL_MEM_ADVISE_SET_ACCESSED_BY, ACL_MEM_ADVISE_UNSET_ACCESSED_BY}) {
      EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                   aclrtMemManagedAdvise(&pageable, 1, advice, missing));
    }
    EXPECT_FAILS(
        ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
        aclrtMemManagedAdvise(&pageable, 1, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, kOnDevice0));
  });
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemManagedAdvise(&pageable, kPage, ACL_MEM_ADVISE_SET_READ_MOSTLY, kOnDevice0));
}

TEST_F(AclrtMemManagedAdvise, RefusesMemoryThatIsNotManaged) {
  const DeviceBuffer device(kPage);
  const PinnedBuffer pinned(kPage);
  const ManagedBuffer managed(kPage);
  for (const void* const address :
       {device.get(), pinned.get(), static_cast<void*>(managed.at(kPage)), unmapped_address()}) {
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_PARAM_INVALID,
        aclrtMemManagedAdvise(address, kPage, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  }
}

TEST_F(AclrtMemManagedAdvise, RefusesPartsOfPagesAndRangesThatLeaveTheMemory) {
  const ManagedBuffer managed(2 * kPage);
  for (const size_t size : {size_t{1}, kPage - 1, kPage + 1, 3 * kPage, SIZE_MAX - kPage + 1}) {
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_PARAM_INVALID,
        aclrtMemManagedAdvise(managed.get(), size, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  }
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemManagedAdvise(managed.at(1), 2 * kPage, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
}

TEST_F(AclrtMemManagedAdvise, RefusesLocationsOfNoKnownType) {
  const ManagedBuffer managed(kPage);
  for (const int type : {-1, 0, 5}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemManagedAdvise(managed.get(), kPage, ACL_MEM_ADVISE_SET_ACCESSED_BY,
                                       {static_cast<aclrtMemManagedLocationType>(type), 0}));
  }
}

}  // namespace
}  // namespace conformance::copies::aclrtMemManagedAdvise_test
