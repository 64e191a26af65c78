// SPDX-License-Identifier: Apache-2.0
// acldumpSaveExceptionInfo: checks its arguments, then fails: there are no such dumps.
#include "support/dump.h"

namespace conformance::dump::acldumpSaveExceptionInfo_test {
namespace {

TEST(AcldumpSaveExceptionInfo, RefusesBadArguments) {
  const acldumpTensorInfo tensor{};
  const struct {
    const char* file;
    const char* tag;
    const acldumpTensorInfo* tensors;
    size_t count;
  } rows[] = {{nullptr, "tag", &tensor, 1},   {"file", nullptr, &tensor, 1},
              {"file", "tag", nullptr, 1},    {"", "tag", &tensor, 1},
              {"../file", "tag", &tensor, 1}, {"..", "tag", &tensor, 1},
              {"file", "a/../b", &tensor, 1}, {"file", "tag", &tensor, 0}};
  for (const auto& row : rows) {
    EXPECT_FAILS_WITH(100000, acldumpSaveExceptionInfo(row.file, row.tag, row.tensors, row.count));
  }
}

TEST(AcldumpSaveExceptionInfo, FailsOtherwise) {
  const acldumpTensorInfo tensor{};
  EXPECT_FAILS_WITH(500001, acldumpSaveExceptionInfo("file", "tag", &tensor, 1));
  EXPECT_FAILS_WITH(500001, acldumpSaveExceptionInfo("file", "", &tensor, 1));
}

}  // namespace
}  // namespace conformance::dump::acldumpSaveExceptionInfo_test
