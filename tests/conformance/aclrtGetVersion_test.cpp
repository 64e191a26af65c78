// SPDX-License-Identifier: Apache-2.0
// aclrtGetVersion: the version of the interface.
#include "support/at_once.h"
#include "support/conformance.h"

namespace conformance::aclrtGetVersion_test {
namespace {

TEST(AclrtGetVersion, IsTheOneOfTheHeaders) {
  int32_t major = -1;
  int32_t minor = -1;
  int32_t patch = -1;
  EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
  EXPECT_EQ(major, 1);
  EXPECT_EQ(minor, 17);
  EXPECT_EQ(patch, 0);
  EXPECT_EQ(major, ACL_MAJOR_VERSION);
  EXPECT_EQ(minor, ACL_MINOR_VERSION);
  EXPECT_EQ(patch, ACL_PATCH_VERSION);
}

TEST(AclrtGetVersion, RefusesEachNull) {
  clear_errors();
  int32_t first = -1;
  int32_t second = -1;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetVersion(nullptr, &first, &second));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetVersion(&first, nullptr, &second));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetVersion(&first, &second, nullptr));
  EXPECT_EQ(first, -1);
  EXPECT_EQ(second, -1);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclrtGetVersion, AnswersManyThreadsWithoutAContext) {
  at_once(4, [&](size_t) {
    int32_t major = -1;
    int32_t minor = -1;
    int32_t patch = -1;
    EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
    EXPECT_EQ(minor, 17);
  });
}

FERRY_PROCESS_TEST(AclrtGetVersionProcess, WorksInAWrongEnvironment, "FERRY_DEVICES=abacus") {
  int32_t major = -1;
  int32_t minor = -1;
  int32_t patch = -1;
  EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
  EXPECT_EQ(major, 1);
}

}  // namespace
}  // namespace conformance::aclrtGetVersion_test
