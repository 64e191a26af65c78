// SPDX-License-Identifier: Apache-2.0
// aclopStopDumpArgs: only what was started.
#include "support/dump.h"

namespace conformance::dump::aclopStopDumpArgs_test {
namespace {

TEST(AclopStopDumpArgs, NeedsAStart) {
  EXPECT_FAILS_WITH(500001, aclopStopDumpArgs(1));
  EXPECT_OK(aclopStartDumpArgs(1, "/tmp"));
  EXPECT_FAILS_WITH(500001, aclopStopDumpArgs(2));
  EXPECT_OK(aclopStopDumpArgs(1));
  EXPECT_FAILS_WITH(500001, aclopStopDumpArgs(1));
}

}  // namespace
}  // namespace conformance::dump::aclopStopDumpArgs_test
