// SPDX-License-Identifier: Apache-2.0
// aclrtGetSymbolSize: how large a device variable is.
#include "support/kernels.h"

namespace conformance::kernels::aclrtGetSymbolSize_test {
namespace {

using AclrtGetSymbolSize = WithKernels;

TEST_F(AclrtGetSymbolSize, ChecksItsArgumentsInOrder) {
  size_t size = 0;
  EXPECT_FAILS(100000, "EH0008", aclrtGetSymbolSize(nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtGetSymbolSize(&kUnknownSymbol, nullptr));
  EXPECT_FAILS(107043, "EE1017", aclrtGetSymbolSize(&kUnknownSymbol, &size));
  EXPECT_OK(aclrtGetSymbolSize(&kVariableSymbol, &size));
  EXPECT_EQ(kVariableSize, size);
}

}  // namespace
}  // namespace conformance::kernels::aclrtGetSymbolSize_test
