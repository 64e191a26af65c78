// SPDX-License-Identifier: Apache-2.0
// aclsysGetCANNVersion: the version of a package, as a whole and in parts.
#include "support/at_once.h"
#include "support/conformance.h"

#include <cstring>

namespace conformance::aclsysGetCANNVersion_test {
namespace {

aclCANNPackageName package(int number) {
  return static_cast<aclCANNPackageName>(number);
}

TEST(AclsysGetCANNVersion, TellsTheSameVersionForEveryPackage) {
  for (int number = 0; number <= 6; ++number) {
    aclCANNPackageVersion version;
    std::memset(&version, 0x5a, sizeof version);
    EXPECT_OK(aclsysGetCANNVersion(package(number), &version));
    EXPECT_STREQ(version.version, "9.1.0");
    EXPECT_STREQ(version.majorVersion, "9");
    EXPECT_STREQ(version.minorVersion, "1");
    EXPECT_STREQ(version.releaseVersion, "0");
    EXPECT_STREQ(version.patchVersion, "0");
    for (const char byte : version.reserved)
      EXPECT_EQ(byte, 0);
  }
}

// Programs compare the first number with 25.
TEST(AclsysGetCANNVersion, TheDriverHasAVersionOfItsOwn) {
  aclCANNPackageVersion version = {};
  EXPECT_OK(aclsysGetCANNVersion(ACL_PKG_NAME_DRIVER, &version));
  EXPECT_STREQ(version.version, "25.5.0");
  EXPECT_STREQ(version.majorVersion, "25");
}

// Programs read the structure whatever the code.
TEST(AclsysGetCANNVersion, RefusesAPackageItDoesNotKnow) {
  clear_errors();
  for (const int number : {-1, 8, 100, 0x7fffffff}) {
    aclCANNPackageVersion version;
    std::memset(&version, 0x5a, sizeof version);
    const aclCANNPackageVersion filler{};
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclsysGetCANNVersion(package(number), &version));
    EXPECT_EQ(std::memcmp(&version, &filler, sizeof filler), 0);
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclsysGetCANNVersion, RefusesNullBeforeThePackage) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclsysGetCANNVersion(ACL_PKG_NAME_CANN, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclsysGetCANNVersion(package(8), nullptr));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclsysGetCANNVersion, AnswersManyThreadsAtOnce) {
  at_once(4, [&](size_t) {
    aclCANNPackageVersion version = {};
    EXPECT_OK(aclsysGetCANNVersion(ACL_PKG_NAME_RUNTIME, &version));
    EXPECT_STREQ(version.version, "9.1.0");
  });
}

}  // namespace
}  // namespace conformance::aclsysGetCANNVersion_test
