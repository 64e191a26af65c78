// SPDX-License-Identifier: Apache-2.0
// aclrtMemManagedGetAttr: one property of a range of managed memory.
#include "support/managed.h"

namespace conformance::copies::aclrtMemManagedGetAttr_test {
namespace {

using AclrtMemManagedGetAttr = WithManagedMemory;

TEST_F(AclrtMemManagedGetAttr, TellsWhatWasNeverSet) {
  const ManagedBuffer managed(kManagedPage);
  const std::pair<int, int32_t> cases[] = {{1, 0},  {2, -2}, {3, -2}, {4, 0},
                                           {5, -2}, {6, -2}, {7, 0},  {8, -2}};
  for (const auto& [attribute, value] : cases) {
    EXPECT_EQ(managed_attribute(static_cast<aclrtMemManagedRangeAttribute>(attribute),
                                managed.get(), kManagedPage),
              value)
        << attribute;
  }
}

TEST_F(AclrtMemManagedGetAttr, ConcernsEveryPageThatTheRangeTouches) {
  const ManagedBuffer managed(2 * kManagedPage);
  EXPECT_OK(
      aclrtMemManagedAdvise(managed.get(), kManagedPage, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  const auto read = [&](size_t offset, size_t size) {
    return managed_attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.at(offset), size);
  };
  EXPECT_EQ(read(kManagedPage - 1, 1), 1);
  EXPECT_EQ(read(kManagedPage - 1, 2), 0);
  EXPECT_EQ(read(kManagedPage, 1), 0);
}

TEST_F(AclrtMemManagedGetAttr, NeedsNoContext) {
  const ManagedBuffer managed(kManagedPage);
  on_new_thread([&] {
    EXPECT_EQ(managed_attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.get(), 1), 0);
    EXPECT_EQ(ACL_SUCCESS, last_error());
  });
}

TEST_F(AclrtMemManagedGetAttr, RefusesInTheOrderOfTheContract) {
  const auto read_mostly = ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  const auto unknown = static_cast<aclrtMemManagedRangeAttribute>(9);
  const auto zero = static_cast<aclrtMemManagedRangeAttribute>(0);
  int32_t value = 77;
  char pageable = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemManagedGetAttr(unknown, nullptr, 0, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemManagedGetAttr(unknown, &pageable, 0, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
               aclrtMemManagedGetAttr(unknown, &pageable, 0, &value, 0));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  for (const aclrtMemManagedRangeAttribute attribute : {zero, unknown}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemManagedGetAttr(attribute, &pageable, 1, &value, 0));
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
               aclrtMemManagedGetAttr(read_mostly, &pageable, 1, &value, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
               aclrtMemManagedGetAttr(read_mostly, &pageable, 1, &value, 4));
  EXPECT_EQ(value, 77);
}

TEST_F(AclrtMemManagedGetAttr, TakesFourBytesOrAListOfThem) {
  const ManagedBuffer managed(kManagedPage);
  int32_t values[3] = {77, 77, 77};
  for (int attribute = 1; attribute <= 8; ++attribute) {
    const bool is_list = attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    for (const size_t size : {0, 1, 3, 4, 5, 8, 12}) {
      const bool is_right = is_list ? size != 0 && size % 4 == 0 : size == 4;
      EXPECT_EQ(aclrtMemManagedGetAttr(static_cast<aclrtMemManagedRangeAttribute>(attribute),
                                       managed.get(), 1, values, size),
                is_right ? ACL_SUCCESS : ACL_ERROR_RT_PARAM_INVALID)
          << attribute << " with " << size << " bytes";
    }
  }
}

TEST_F(AclrtMemManagedGetAttr, RefusesRangesThatLeaveTheMemory) {
  const ManagedBuffer managed(1);
  int32_t value = 0;
  for (const size_t size : {kManagedPage + 1, SIZE_MAX}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                 aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.get(), size,
                                        &value, 4));
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
               aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed.at(1),
                                      kManagedPage, &value, 4));
}

FERRY_PROCESS_TEST(AclrtMemManagedGetAttrProcess, TellsTheDevicesThatUseTheMemory,
                   "FERRY_DEVICES=cpu:3") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const ManagedBuffer managed(kManagedPage);
    for (const int32_t device : {2, 1}) {
      EXPECT_OK(aclrtMemManagedAdvise(managed.get(), kManagedPage, ACL_MEM_ADVISE_SET_ACCESSED_BY,
                                      {ACL_MEM_LOCATIONTYPE_DEVICE, device}));
    }
    int32_t users[3] = {};
    EXPECT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, managed.get(), 1, users,
                                     sizeof users));
    EXPECT_EQ(users[0], 1);
    EXPECT_EQ(users[1], 2);
    EXPECT_EQ(users[2], -2);
    EXPECT_EQ(managed_attribute(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, managed.get(), 1), 1)
        << "a list too short for all";
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemManagedGetAttr_test
