// SPDX-License-Identifier: Apache-2.0
// aclrtBinaryLoad: puts a wrapped binary on the device.
#include "support/kernels.h"

namespace conformance::kernels::aclrtBinaryLoad_test {
namespace {

using AclrtBinaryLoad = WithKernels;

TEST_F(AclrtBinaryLoad, ChecksItsArgumentsInOrder) {
  aclrtBinHandle loaded = untouched();
  aclrtBinary binary = aclrtCreateBinary(kElf.data(), kElf.size());
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryLoad(nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryLoad(binary, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtBinaryLoad(untouched(), &loaded));
  aclrtBinary empty = aclrtCreateBinary(kElf.data(), 0);
  EXPECT_FAILS(107000, "EE1003", aclrtBinaryLoad(empty, &loaded));
  on_new_thread([&] { EXPECT_FAILS(107002, "EE1018", aclrtBinaryLoad(binary, &loaded)); });
  EXPECT_EQ(untouched(), loaded);
  EXPECT_OK(aclrtDestroyBinary(empty));
  EXPECT_OK(aclrtDestroyBinary(binary));
}

TEST_F(AclrtBinaryLoad, ReadsTheBytesNow) {
  std::vector<char> bytes(kElf.begin(), kElf.end());
  aclrtBinary binary = aclrtCreateBinary(bytes.data(), bytes.size());
  aclrtBinHandle loaded = nullptr;
  ASSERT_OK(aclrtBinaryLoad(binary, &loaded));
  void* address = nullptr;
  size_t size = 0;
  ASSERT_OK(aclrtBinaryGetDevAddress(loaded, &address, &size));
  ASSERT_EQ(bytes.size(), size);
  std::vector<char> read(size);
  EXPECT_OK(aclrtMemcpy(read.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST));
  if (devices_are_real()) {
    EXPECT_EQ(bytes, read);
  }
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
  EXPECT_OK(aclrtDestroyBinary(binary));
}

FERRY_PROCESS_TEST(AclrtBinaryLoadProcess, TakesOnlyElfFilesWhileNothingIsRegistered) {
  ASSERT_OK(aclrtSetDevice(0));
  const char text[] = "not a binary";
  aclrtBinHandle loaded = nullptr;
  aclrtBinary binary = aclrtCreateBinary(text, sizeof text);
  EXPECT_FAILS(107000, "EE1012", aclrtBinaryLoad(binary, &loaded));
  ASSERT_OK(ferryRegisterKernel("ct_any", record, nullptr));
  EXPECT_OK(aclrtBinaryLoad(binary, &loaded));
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
  EXPECT_OK(aclrtDestroyBinary(binary));
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinaryLoad_test
