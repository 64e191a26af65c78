// SPDX-License-Identifier: Apache-2.0
// aclGetCannAttribute: whether the software has an attribute.
#include "support/at_once.h"
#include "support/conformance.h"

#include <algorithm>

namespace conformance::aclGetCannAttribute_test {
namespace {

std::vector<int> listed() {
  const aclCannAttr* list = nullptr;
  size_t count = 0;
  EXPECT_OK(aclGetCannAttributeList(&list, &count));
  return {list, list + count};
}

TEST(AclGetCannAttribute, AnswersYesOrNoForEveryListedAttribute) {
  for (const int attribute : listed()) {
    int32_t value = 77;
    EXPECT_OK(aclGetCannAttribute(static_cast<aclCannAttr>(attribute), &value));
    EXPECT_TRUE(value == 0 || value == 1) << "attribute " << attribute << " is " << value;
  }
}

TEST(AclGetCannAttribute, KeepsInfinitiesAndNan) {
  int32_t value = 0;
  EXPECT_OK(aclGetCannAttribute(ACL_CANN_ATTR_INF_NAN, &value));
  EXPECT_EQ(value, 1);
}

TEST(AclGetCannAttribute, RefusesWhatIsNotListed) {
  const std::vector<int> known = listed();
  clear_errors();
  for (const int attribute : {-2, -1, 0, 1, 2, 3, 4, 100, 0x7fffffff}) {
    if (std::count(known.begin(), known.end(), attribute) != 0) continue;
    int32_t value = 77;
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                      aclGetCannAttribute(static_cast<aclCannAttr>(attribute), &value));
    EXPECT_EQ(value, 77);
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclGetCannAttribute, RefusesNullBeforeTheAttribute) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclGetCannAttribute(ACL_CANN_ATTR_INF_NAN, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, nullptr));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclGetCannAttribute, AnswersManyThreadsAlike) {
  int32_t expected = 0;
  ASSERT_OK(aclGetCannAttribute(ACL_CANN_ATTR_BF16, &expected));
  at_once(4, [&](size_t) {
    int32_t value = 77;
    EXPECT_OK(aclGetCannAttribute(ACL_CANN_ATTR_BF16, &value));
    EXPECT_EQ(value, expected);
  });
}

}  // namespace
}  // namespace conformance::aclGetCannAttribute_test
