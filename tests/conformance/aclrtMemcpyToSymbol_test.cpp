// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyToSymbol: copies to a device variable.
#include "support/kernels.h"

namespace conformance::kernels::aclrtMemcpyToSymbol_test {
namespace {

using AclrtMemcpyToSymbol = WithKernels;

TEST_F(AclrtMemcpyToSymbol, ChecksItsArgumentsInOrder) {
  uint8_t bytes[80] = {};
  const auto copy = [&](const void* symbol, const void* src, size_t count, size_t offset,
                        int kind) {
    return aclrtMemcpyToSymbol(symbol, src, count, offset, static_cast<aclrtMemcpyKind>(kind));
  };
  EXPECT_OK(copy(nullptr, nullptr, 0, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbol", 100000, "EH0008", copy(nullptr, nullptr, 8, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbol", 100000, "EH0008",
                  copy(&kUnknownSymbol, nullptr, 8, 99, 9));
  for (const int kind : {0, 2, 3, 5, 9})
    EXPECT_FAILS_IN("aclrtMemcpyToSymbol", 100000, "EH0007",
                    copy(&kUnknownSymbol, bytes, 8, 99, kind));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbol", 107043, "EE1017", copy(&kUnknownSymbol, bytes, 8, 99, 1));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbol", 100000, "EH0007", copy(&kVariableSymbol, bytes, 8, 57, 1));
  EXPECT_FAILS_IN("aclrtMemcpyToSymbol", 100000, "EH0007", copy(&kVariableSymbol, bytes, 65, 0, 4));
  on_new_thread([&] { EXPECT_EQ(107002, copy(&kVariableSymbol, bytes, 8, 0, 1)); });
  EXPECT_OK(copy(&kVariableSymbol, bytes, 8, 56, 4));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemcpyToSymbol, CopiesTheBytes) {
  NEEDS_CPU_DEVICE("the bytes are compared");
  const std::vector<uint8_t> bytes = pattern(16, 9);
  EXPECT_OK(aclrtMemcpyToSymbol(&kVariableSymbol, bytes.data(), 16, 8, ACL_MEMCPY_DEFAULT));
  std::vector<uint8_t> read(16);
  EXPECT_OK(aclrtMemcpyFromSymbol(read.data(), 16, &kVariableSymbol, 16, 8, ACL_MEMCPY_DEFAULT));
  EXPECT_EQ(bytes, read);
}

TEST_F(AclrtMemcpyToSymbol, CapturesForbidIt) {
  std::vector<uint8_t> bytes = pattern(16, 9);
  constexpr auto kind = ACL_MEMCPY_HOST_TO_DEVICE;
  EXPECT_OK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT_FAILS(107030, "EE1016", aclrtMemcpyToSymbol(&kVariableSymbol, bytes.data(), 16, 8, kind));
  aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
  EXPECT_OK(aclrtMemcpyToSymbol(&kVariableSymbol, bytes.data(), 16, 8, kind));
  EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_OK(aclmdlRIDestroy(model));
}

}  // namespace
}  // namespace conformance::kernels::aclrtMemcpyToSymbol_test
