// SPDX-License-Identifier: Apache-2.0
// aclrtSetTsDevice: selects a task scheduler; without effect here.
#include "support/devices.h"

namespace conformance::aclrtSetTsDevice_test {
namespace {

using AclrtSetTsDevice = WithDevice;

TEST_F(AclrtSetTsDevice, AcceptsBothSchedulers) {
  EXPECT_OK(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR));
  EXPECT_OK(aclrtSetTsDevice(ACL_TS_ID_AICORE));
}

TEST_F(AclrtSetTsDevice, RefusesOtherValues) {
  for (const int value : {-1, int{ACL_TS_ID_RESERVED}, 3, INT_MAX, INT_MIN}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 aclrtSetTsDevice(static_cast<aclrtTsId>(value)));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

}  // namespace
}  // namespace conformance::aclrtSetTsDevice_test
