// SPDX-License-Identifier: Apache-2.0
// aclsysGetVersionStr: the version of a package as a string.
#include "support/at_once.h"
#include "support/conformance.h"
namespace conformance::aclsysGetVersionStr_test {
namespace {

// The interface takes names that are not const.
char* name(const char* text) {
  return const_cast<char*>(text);
}

TEST(AclsysGetVersionStr, TellsTheSameVersionForEveryPackage) {
  for (const char* package :
       {"runtime", "cann", "compiler", "hccl", "toolkit", "opp", "opp_kernel", "opp-kernel",
        "bisheng-compiler", "bisheng_compiler", "ops_math", "ops-math", "pyACL", "tbe-tik"}) {
    char version[ACL_PKG_VERSION_MAX_SIZE] = "untouched";
    EXPECT_OK(aclsysGetVersionStr(name(package), version));
    EXPECT_STREQ(version, "9.1.0");
  }
}

TEST(AclsysGetVersionStr, TheDriverHasAVersionOfItsOwn) {
  char version[ACL_PKG_VERSION_MAX_SIZE] = "untouched";
  EXPECT_OK(aclsysGetVersionStr(name("driver"), version));
  EXPECT_STREQ(version, "25.5.0");
}

TEST(AclsysGetVersionStr, RefusesAPackageItDoesNotKnow) {
  clear_errors();
  for (const char* package : {"", "ferry", "runtime ", "runtim", "runtimes", "/etc", "%s%n"}) {
    char version[ACL_PKG_VERSION_MAX_SIZE] = "untouched";
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclsysGetVersionStr(name(package), version));
    EXPECT_STREQ(version, "untouched");
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclsysGetVersionStr, RefusesAVeryLongName) {
  const std::string package(100000, 'x');
  char version[ACL_PKG_VERSION_MAX_SIZE] = "untouched";
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclsysGetVersionStr(name(package.c_str()), version));
  EXPECT_STREQ(version, "untouched");
}

TEST(AclsysGetVersionStr, RefusesNullBeforeThePackage) {
  clear_errors();
  char version[ACL_PKG_VERSION_MAX_SIZE] = "untouched";
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclsysGetVersionStr(nullptr, version));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclsysGetVersionStr(name("runtime"), nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclsysGetVersionStr(name("ferry"), nullptr));
  EXPECT_STREQ(version, "untouched");
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclsysGetVersionStr, AnswersManyThreadsAtOnce) {
  at_once(4, [&](size_t) {
    char version[ACL_PKG_VERSION_MAX_SIZE] = "untouched";
    EXPECT_OK(aclsysGetVersionStr(name("runtime"), version));
    EXPECT_STREQ(version, "9.1.0");
  });
}

}  // namespace
}  // namespace conformance::aclsysGetVersionStr_test
