// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyToSymbolAsync: queues a copy to a device variable.
#include "support/kernels.h"

namespace conformance::kernels::aclrtMemcpyToSymbolAsync_test {
namespace {

using AclrtMemcpyToSymbolAsync = WithKernels;

TEST_F(AclrtMemcpyToSymbolAsync, ChecksItsArgumentsInOrder) {
  uint8_t bytes[80] = {};
  const auto copy = [&](const void* symbol, const void* src, size_t count, size_t offset,
                        int kind) {
    return aclrtMemcpyToSymbolAsync(symbol, src, count, offset, static_cast<aclrtMemcpyKind>(kind),
                                    stream_);
  };
  EXPECT_OK(copy(nullptr, nullptr, 0, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbolAsync", 100000, "EH0008", copy(nullptr, nullptr, 8, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbolAsync", 100000, "EH0008",
                  copy(&kUnknownSymbol, nullptr, 8, 99, 9));
  for (const int kind : {0, 2, 3, 5, 9})
    EXPECT_FAILS_IN("aclrtMemcpyToSymbolAsync", 100000, "EH0007",
                    copy(&kUnknownSymbol, bytes, 8, 99, kind));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbolAsync", 107043, "EE1017",
                  copy(&kUnknownSymbol, bytes, 8, 99, 1));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbolAsync", 100000, "EH0007",
                  copy(&kVariableSymbol, bytes, 8, 57, 1));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbolAsync", 100000, "EH0007",
                  copy(&kVariableSymbol, bytes, 65, 0, 4));
  on_new_thread([&] { EXPECT_EQ(107002, copy(&kVariableSymbol, bytes, 8, 0, 1)); });
  EXPECT_OK(copy(&kVariableSymbol, bytes, 8, 56, 4));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemcpyToSymbolAsync, CopiesInTheOrderOfTheStream) {
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

TEST_F(AclrtMemcpyToSymbolAsync, RefusesADeadStream) {
  PinnedBuffer bytes(16);
  EXPECT_FAILS(107017, "EE1017",
               aclrtMemcpyToSymbolAsync(&kVariableSymbol, bytes.get(), 16, 8,
                                        ACL_MEMCPY_HOST_TO_DEVICE, binary_));
}

}  // namespace
}  // namespace conformance::kernels::aclrtMemcpyToSymbolAsync_test
