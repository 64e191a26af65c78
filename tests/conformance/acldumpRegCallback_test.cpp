// SPDX-License-Identifier: Apache-2.0
// acldumpRegCallback: accepted, and never called.
#include "support/dump.h"

namespace conformance::dump::acldumpRegCallback_test {
namespace {

int32_t take_chunk(const acldumpChunk* /*chunk*/, int32_t /*length*/) {
  ADD_FAILURE() << "there are no dump files";
  return 0;
}

TEST(AcldumpRegCallback, RefusesNullAndFlags) {
  EXPECT_FAILS_WITH(500001, acldumpRegCallback(nullptr, 0));
  for (const int32_t flag : {1, -1, INT32_MAX})
    EXPECT_FAILS_WITH(500001, acldumpRegCallback(take_chunk, flag));
}

TEST(AcldumpRegCallback, ReplacesAnEarlierOne) {
  EXPECT_OK(acldumpRegCallback(take_chunk, 0));
  EXPECT_OK(acldumpRegCallback(take_chunk, 0));
  acldumpUnregCallback();
}

}  // namespace
}  // namespace conformance::dump::acldumpRegCallback_test
