// SPDX-License-Identifier: Apache-2.0
// aclrtBinaryGetGlobal: finds device variables by name.
#include "support/kernels.h"

namespace conformance::kernels::aclrtBinaryGetGlobal_test {
namespace {

using AclrtBinaryGetGlobal = WithKernels;

TEST_F(AclrtBinaryGetGlobal, ChecksItsArgumentsInOrder) {
  void* address = untouched();
  size_t size = 7;
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetGlobal(nullptr, nullptr, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetGlobal(binary_, nullptr, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetGlobal(binary_, "ct_variable", nullptr, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtBinaryGetGlobal(stream_, "ct_variable", &address, &size));
  EXPECT_FAILS(107042, "EE1017", aclrtBinaryGetGlobal(binary_, "ct_nothing", &address, &size));
  EXPECT_FAILS(107042, "EE1017", aclrtBinaryGetGlobal(binary_, "", &address, &size));
  EXPECT_EQ(untouched(), address);
  EXPECT_EQ(7u, size);
}

TEST_F(AclrtBinaryGetGlobal, AgreesWithTheSymbolAndTakesOneOutput) {
  void* address = nullptr;
  void* of_symbol = nullptr;
  size_t size = 0;
  EXPECT_OK(aclrtBinaryGetGlobal(binary_, "ct_variable", &address, nullptr));
  EXPECT_OK(aclrtBinaryGetGlobal(binary_, "ct_variable", nullptr, &size));
  EXPECT_OK(aclrtGetSymbolAddress(&kVariableSymbol, &of_symbol));
  EXPECT_EQ(of_symbol, address);
  EXPECT_EQ(kVariableSize, size);
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinaryGetGlobal_test
