// SPDX-License-Identifier: Apache-2.0
// acldumpGetExceptionInfoPath: checks its arguments, then fails.
#include "support/dump.h"

namespace conformance::dump::acldumpGetExceptionInfoPath_test {
namespace {

TEST(AcldumpGetExceptionInfoPath, RefusesBadArgumentsAndFailsOtherwise) {
  char path[16] = "untouched";
  EXPECT_FAILS(100000, "EH0008", acldumpGetExceptionInfoPath(nullptr, 0));
  EXPECT_FAILS(100000, "EH0007", acldumpGetExceptionInfoPath(path, 0));
  EXPECT_FAILS(100000, "EH0007", acldumpGetExceptionInfoPath(path, 1));
  EXPECT_FAILS_WITH(500001, acldumpGetExceptionInfoPath(path, 2));
  EXPECT_FAILS_WITH(500001, acldumpGetExceptionInfoPath(path, sizeof path));
  EXPECT_STREQ(path, "untouched");
}

}  // namespace
}  // namespace conformance::dump::acldumpGetExceptionInfoPath_test
