// SPDX-License-Identifier: Apache-2.0
// aclopStartDumpArgs: path and type.
#include "support/dump.h"

namespace conformance::dump::aclopStartDumpArgs_test {
namespace {

TEST(AclopStartDumpArgs, RefusesNullAndOtherTypes) {
  EXPECT_FAILS_WITH(500001, aclopStartDumpArgs(1, nullptr));
  EXPECT_FAILS_WITH(500001, aclopStartDumpArgs(0, "/tmp"));
  EXPECT_FAILS_WITH(500001, aclopStartDumpArgs(0xFFFFFFFE, "/tmp"));
  EXPECT_FAILS_WITH(500001, aclopStopDumpArgs(1));
}

TEST(AclopStartDumpArgs, MayBeCalledAgain) {
  EXPECT_OK(aclopStartDumpArgs(1, "/tmp"));
  EXPECT_OK(aclopStartDumpArgs(3, "/tmp/other"));
  EXPECT_OK(aclopStopDumpArgs(1));
}

}  // namespace
}  // namespace conformance::dump::aclopStartDumpArgs_test
