// SPDX-License-Identifier: Apache-2.0
// aclprofRegisterDeviceCallback: succeeds, in a session and without one.
#include "support/profiling.h"

namespace conformance::profiling::aclprofRegisterDeviceCallback_test {
namespace {

TEST(AclprofRegisterDeviceCallback, Succeeds) {
  EXPECT_OK(aclprofRegisterDeviceCallback());
  const Session session;
  EXPECT_OK(aclprofRegisterDeviceCallback());
}

}  // namespace
}  // namespace conformance::profiling::aclprofRegisterDeviceCallback_test
