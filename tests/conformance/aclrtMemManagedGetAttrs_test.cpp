// SPDX-License-Identifier: Apache-2.0
// aclrtMemManagedGetAttrs: several properties of a range of managed memory.
#include "support/managed.h"

namespace conformance::copies::aclrtMemManagedGetAttrs_test {
namespace {

using AclrtMemManagedGetAttrs = WithManagedMemory;

// The arguments of one call, for two attributes.
struct Queries {
  aclrtMemManagedRangeAttribute attributes[2] = {ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                                 ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY};
  int32_t read_mostly = 77;
  int32_t users[2] = {77, 77};
  void* data[2] = {&read_mostly, users};
  size_t sizes[2] = {sizeof read_mostly, sizeof users};

  bool is_untouched() const { return read_mostly == 77 && users[0] == 77 && users[1] == 77; }
};

TEST_F(AclrtMemManagedGetAttrs, TellsEachAttribute) {
  const ManagedBuffer managed(kManagedPage);
  EXPECT_OK(
      aclrtMemManagedAdvise(managed.get(), kManagedPage, ACL_MEM_ADVISE_SET_READ_MOSTLY, kNowhere));
  EXPECT_OK(aclrtMemManagedAdvise(managed.get(), kManagedPage, ACL_MEM_ADVISE_SET_ACCESSED_BY,
                                  kOnDevice0));
  Queries queries;
  on_new_thread([&] {
    EXPECT_OK(aclrtMemManagedGetAttrs(queries.attributes, 2, managed.get(), kManagedPage,
                                      queries.data, queries.sizes));
  });
  EXPECT_EQ(queries.read_mostly, 1);
  EXPECT_EQ(queries.users[0], 0);
  EXPECT_EQ(queries.users[1], -2);
}

TEST_F(AclrtMemManagedGetAttrs, RefusesNullAndSizeZeroInOrder) {
  Queries queries;
  char pageable = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemManagedGetAttrs(nullptr, 2, nullptr, 0, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemManagedGetAttrs(nullptr, 2, &pageable, 0, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemManagedGetAttrs(queries.attributes, 2, &pageable, 0, nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemManagedGetAttrs(queries.attributes, 2, &pageable, 0, queries.data, nullptr));
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM, "EH0007",
      aclrtMemManagedGetAttrs(queries.attributes, 2, &pageable, 0, queries.data, queries.sizes));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_FAILS(
      ACL_ERROR_RT_PARAM_INVALID, "EE1011",
      aclrtMemManagedGetAttrs(queries.attributes, 2, &pageable, 1, queries.data, queries.sizes));
  EXPECT_TRUE(queries.is_untouched());
}

TEST_F(AclrtMemManagedGetAttrs, AWrongEntryIsNamedAndNothingIsWritten) {
  const ManagedBuffer managed(kManagedPage);
  const auto expect_wrong = [&](Queries& queries, const char* argument) {
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID,
              aclrtMemManagedGetAttrs(queries.attributes, 2, managed.get(), kManagedPage,
                                      queries.data, queries.sizes));
    EXPECT_TRUE(text_has(argument));
    EXPECT_TRUE(queries.is_untouched());
  };
  Queries unknown;
  unknown.attributes[1] = static_cast<aclrtMemManagedRangeAttribute>(9);
  expect_wrong(unknown, "attributes[1]");
  Queries short_data;
  short_data.sizes[1] = 6;
  expect_wrong(short_data, "dataSizes[1]");
  Queries no_data;
  no_data.data[1] = nullptr;
  expect_wrong(no_data, "data[1]");
}

}  // namespace
}  // namespace conformance::copies::aclrtMemManagedGetAttrs_test
