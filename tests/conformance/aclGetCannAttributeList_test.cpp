// SPDX-License-Identifier: Apache-2.0
// aclGetCannAttributeList: the attributes that aclGetCannAttribute knows.
#include "support/conformance.h"

#include <set>

namespace conformance::aclGetCannAttributeList_test {
namespace {

TEST(AclGetCannAttributeList, ListsEachAttributeOnce) {
  const aclCannAttr* list = nullptr;
  size_t count = 0;
  ASSERT_OK(aclGetCannAttributeList(&list, &count));
  ASSERT_NE(list, nullptr);
  ASSERT_GE(count, 1u);
  const std::set<int> attributes(list, list + count);
  EXPECT_EQ(attributes.size(), count);
  EXPECT_GE(*attributes.begin(), ACL_CANN_ATTR_INF_NAN);
  EXPECT_LE(*attributes.rbegin(), ACL_CANN_ATTR_JIT_COMPILE);
}

TEST(AclGetCannAttributeList, GivesTheSameListEveryTimeAndToEveryThread) {
  const aclCannAttr* first = nullptr;
  size_t first_count = 0;
  ASSERT_OK(aclGetCannAttributeList(&first, &first_count));
  const std::vector<aclCannAttr> kept(first, first + first_count);
  for (int round = 0; round < 3; ++round) {
    on_new_thread([&] {
      const aclCannAttr* list = nullptr;
      size_t count = 0;
      EXPECT_OK(aclGetCannAttributeList(&list, &count));
      EXPECT_EQ(list, first);
      EXPECT_EQ(std::vector<aclCannAttr>(list, list + count), kept);
    });
  }
}

TEST(AclGetCannAttributeList, RefusesNull) {
  clear_errors();
  const aclCannAttr* list = nullptr;
  size_t count = 77;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclGetCannAttributeList(nullptr, &count));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclGetCannAttributeList(&list, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclGetCannAttributeList(nullptr, nullptr));
  EXPECT_EQ(list, nullptr);
  EXPECT_EQ(count, 77u);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

}  // namespace
}  // namespace conformance::aclGetCannAttributeList_test
