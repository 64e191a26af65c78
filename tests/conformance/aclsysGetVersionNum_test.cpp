// SPDX-License-Identifier: Apache-2.0
// aclsysGetVersionNum: the version of a package as a number.
#include "support/at_once.h"
#include "support/conformance.h"
namespace conformance::aclsysGetVersionNum_test {
namespace {

// The interface takes names that are not const.
char* name(const char* text) {
  return const_cast<char*>(text);
}

TEST(AclsysGetVersionNum, TellsTheSameVersionForEveryPackage) {
  for (const char* package :
       {"runtime", "cann", "compiler", "hccl", "toolkit", "opp", "opp_kernel"}) {
    int32_t version = -77;
    EXPECT_OK(aclsysGetVersionNum(name(package), &version));
    EXPECT_EQ(version, 90100000);
  }
}

TEST(AclsysGetVersionNum, TheDriverHasAVersionOfItsOwn) {
  int32_t version = 0;
  EXPECT_OK(aclsysGetVersionNum(name("driver"), &version));
  EXPECT_EQ(version, 250500000);
}

TEST(AclsysGetVersionNum, RefusesAPackageItDoesNotKnow) {
  clear_errors();
  for (const char* package : {"", "ferry", "runtime ", "runtim", "runtimes", "/etc", "%s%n"}) {
    int32_t version = -77;
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclsysGetVersionNum(name(package), &version));
    EXPECT_EQ(version, -77);
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclsysGetVersionNum, RefusesAVeryLongName) {
  const std::string package(100000, 'x');
  int32_t version = -77;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclsysGetVersionNum(name(package.c_str()), &version));
  EXPECT_EQ(version, -77);
}

TEST(AclsysGetVersionNum, RefusesNullBeforeThePackage) {
  clear_errors();
  int32_t version = -77;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclsysGetVersionNum(nullptr, &version));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclsysGetVersionNum(name("runtime"), nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclsysGetVersionNum(name("ferry"), nullptr));
  EXPECT_EQ(version, -77);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclsysGetVersionNum, AnswersManyThreadsAtOnce) {
  at_once(4, [&](size_t) {
    int32_t version = -77;
    EXPECT_OK(aclsysGetVersionNum(name("runtime"), &version));
    EXPECT_EQ(version, 90100000);
  });
}

}  // namespace
}  // namespace conformance::aclsysGetVersionNum_test
