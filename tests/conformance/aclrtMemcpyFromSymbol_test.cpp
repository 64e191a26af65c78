// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyFromSymbol: copies from a device variable.
#include "support/kernels.h"

namespace conformance::kernels::aclrtMemcpyFromSymbol_test {
namespace {

using AclrtMemcpyFromSymbol = WithKernels;

TEST_F(AclrtMemcpyFromSymbol, ChecksItsArgumentsInOrder) {
  uint8_t bytes[80] = {};
  const auto copy = [&](void* dst, size_t capacity, const void* symbol, size_t count, size_t offset,
                        int kind) {
    return aclrtMemcpyFromSymbol(dst, capacity, symbol, count, offset,
                                 static_cast<aclrtMemcpyKind>(kind));
  };
  EXPECT_OK(copy(nullptr, 0, nullptr, 0, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbol", 100000, "EH0008", copy(nullptr, 0, nullptr, 8, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbol", 100000, "EH0008", copy(bytes, 0, nullptr, 8, 99, 9));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbol", 100000, "EH0007",
                  copy(bytes, 7, &kUnknownSymbol, 8, 99, 9));
  for (const int kind : {0, 1, 3, 5, 9})
    EXPECT_FAILS_IN("aclrtMemcpyFromSymbol", 100000, "EH0007",
                    copy(bytes, 8, &kUnknownSymbol, 8, 99, kind));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbol", 107043, "EE1017",
                  copy(bytes, 8, &kUnknownSymbol, 8, 99, 2));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbol", 100000, "EH0007",
                  copy(bytes, 8, &kVariableSymbol, 8, 57, 2));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbol", 100000, "EH0007",
                  copy(bytes, 80, &kVariableSymbol, 65, 0, 4));
  EXPECT_FAILS_IN("aclrtMemcpyFromSymbol", 100000, "EH0007",
                  copy(bytes, 8, &kVariableSymbol, 8, SIZE_MAX, 4));
  on_new_thread([&] { EXPECT_EQ(107002, copy(bytes, 8, &kVariableSymbol, 8, 0, 2)); });
  EXPECT_OK(copy(bytes, 8, &kVariableSymbol, 8, 56, 4));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemcpyFromSymbol, CopiesTheBytes) {
  NEEDS_CPU_DEVICE("the bytes are compared");
  const std::vector<uint8_t> bytes = pattern(16, 9);
  EXPECT_OK(aclrtMemcpyToSymbol(&kVariableSymbol, bytes.data(), 16, 8, ACL_MEMCPY_DEFAULT));
  std::vector<uint8_t> read(16);
  EXPECT_OK(aclrtMemcpyFromSymbol(read.data(), 16, &kVariableSymbol, 16, 8, ACL_MEMCPY_DEFAULT));
  EXPECT_EQ(bytes, read);
}

TEST_F(AclrtMemcpyFromSymbol, CapturesForbidIt) {
  std::vector<uint8_t> bytes = pattern(16, 9);
  constexpr auto kind = ACL_MEMCPY_DEVICE_TO_HOST;
  EXPECT_OK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT_FAILS(107030, "EE1016",
               aclrtMemcpyFromSymbol(bytes.data(), 16, &kVariableSymbol, 16, 8, kind));
  aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
  EXPECT_OK(aclrtMemcpyFromSymbol(bytes.data(), 16, &kVariableSymbol, 16, 8, kind));
  EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
  EXPECT_OK(aclmdlRIDestroy(model));
}

}  // namespace
}  // namespace conformance::kernels::aclrtMemcpyFromSymbol_test
