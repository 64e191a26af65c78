// SPDX-License-Identifier: Apache-2.0
// acldumpUnregCallback: with a callback and without.
#include "support/dump.h"

namespace conformance::dump::acldumpUnregCallback_test {
namespace {

int32_t take_chunk(const acldumpChunk* /*chunk*/, int32_t /*length*/) {
  return 0;
}

TEST(AcldumpUnregCallback, MayBeCalledAnyTime) {
  clear_errors();
  acldumpUnregCallback();
  EXPECT_OK(acldumpRegCallback(take_chunk, 0));
  acldumpUnregCallback();
  acldumpUnregCallback();
  EXPECT_EQ(recent_text(), "");
  EXPECT_OK(acldumpRegCallback(take_chunk, 0));
  acldumpUnregCallback();
}

}  // namespace
}  // namespace conformance::dump::acldumpUnregCallback_test
