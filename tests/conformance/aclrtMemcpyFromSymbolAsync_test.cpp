// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyFromSymbolAsync: queues a copy from a device variable.
#include "support/kernels.h"

namespace conformance::kernels::aclrtMemcpyFromSymbolAsync_test {
namespace {

using AclrtMemcpyFromSymbolAsync = WithKernels;

TEST_F(AclrtMemcpyFromSymbolAsync, ChecksItsArgumentsInOrder) {
  uint8_t bytes[80] = {};
  const auto copy = [&](void* dst, size_t capacity, const void* symbol, size_t count, size_t offset,
                        int kind) {
    return aclrtMemcpyFromSymbolAsync(dst, capacity, symbol, count, offset,
                                      static_cast<aclrtMemcpyKind>(kind), stream_);
  };
  EXPECT_OK(copy(nullptr, 0, nullptr, 0, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbolAsync", 100000, "EH0008",
                  copy(nullptr, 0, nullptr, 8, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbolAsync", 100000, "EH0008",
                  copy(bytes, 0, nullptr, 8, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbolAsync", 100000, "EH0007",
                  copy(bytes, 7, &kUnknownSymbol, 8, 99, 9));
  for (const int kind : {0, 1, 3, 5, 9})
    EXPECT_FAILS_IN("aclrtMemcpyFromSymbolAsync", 100000, "EH0007",
                    copy(bytes, 8, &kUnknownSymbol, 8, 99, kind));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbolAsync", 107043, "EE1017",
                  copy(bytes, 8, &kUnknownSymbol, 8, 99, 2));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbolAsync", 100000, "EH0007",
                  copy(bytes, 8, &kVariableSymbol, 8, 57, 2));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbolAsync", 100000, "EH0007",
                  copy(bytes, 80, &kVariableSymbol, 65, 0, 4));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbolAsync", 100000, "EH0007",
                  copy(bytes, 8, &kVariableSymbol, 8, SIZE_MAX, 4));
  on_new_thread([&] { EXPECT_EQ(107002, copy(bytes, 8, &kVariableSymbol, 8, 0, 2)); });
  EXPECT_OK(copy(bytes, 8, &kVariableSymbol, 8, 56, 4));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemcpyFromSymbolAsync, CopiesInTheOrderOfTheStream) {
  NEEDS_CPU_DEVICE("the bytes are compared");
  PinnedBuffer bytes(16);
  PinnedBuffer read(16);
  bytes.fill(pattern(16, 3));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyToSymbolAsync(&kVariableSymbol, bytes.get(), 16, 8,
                                     ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtMemcpyFromSymbolAsync(read.get(), 16, &kVariableSymbol, 16, 8,
                                       ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(16, 3), read.copy());
}

TEST_F(AclrtMemcpyFromSymbolAsync, RefusesADeadStream) {
  PinnedBuffer bytes(16);
  EXPECT_FAILS(107017, "EE1017",
               aclrtMemcpyFromSymbolAsync(bytes.get(), 16, &kVariableSymbol, 16, 8,
                                          ACL_MEMCPY_DEVICE_TO_HOST, binary_));
}

}  // namespace
}  // namespace conformance::kernels::aclrtMemcpyFromSymbolAsync_test
