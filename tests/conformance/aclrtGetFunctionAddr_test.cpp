// SPDX-License-Identifier: Apache-2.0
// aclrtGetFunctionAddr: where the code of a kernel is.
#include "support/kernels.h"

namespace conformance::kernels::aclrtGetFunctionAddr_test {
namespace {

using AclrtGetFunctionAddr = WithKernels;

TEST_F(AclrtGetFunctionAddr, ChecksItsArgumentsInOrder) {
  void* cube = untouched();
  void* vector = untouched();
  EXPECT_FAILS(100000, "EH0008", aclrtGetFunctionAddr(nullptr, nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtGetFunctionAddr(function(), nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtGetFunctionAddr(function(), &cube, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtGetFunctionAddr(dead_function(), &cube, &vector));
  EXPECT_FAILS_WITH(107000, aclrtGetFunctionAddr(function("ct_cpu"), &cube, &vector));
  EXPECT_EQ(untouched(), cube);
}

TEST_F(AclrtGetFunctionAddr, LiesInTheBinaryOnTheCoresOfTheKernel) {
  char* start = nullptr;
  size_t size = 0;
  ASSERT_OK(aclrtBinaryGetDevAddress(binary_, reinterpret_cast<void**>(&start), &size));
  void* cube = nullptr;
  void* vector = untouched();
  EXPECT_OK(aclrtGetFunctionAddr(function("ct_record"), &cube, &vector));
  EXPECT_LT(static_cast<size_t>(static_cast<char*>(cube) - start), size);
  EXPECT_EQ(nullptr, vector);
  void* other = nullptr;
  EXPECT_OK(aclrtGetFunctionAddr(function("ct_table"), &other, &vector));
  EXPECT_EQ(nullptr, other);
  EXPECT_NE(cube, vector);
}

}  // namespace
}  // namespace conformance::kernels::aclrtGetFunctionAddr_test
