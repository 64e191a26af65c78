// SPDX-License-Identifier: Apache-2.0
// aclrtGetSymbolAddress: where a device variable is.
#include "support/kernels.h"

namespace conformance::kernels::aclrtGetSymbolAddress_test {
namespace {

using AclrtGetSymbolAddress = WithKernels;

TEST_F(AclrtGetSymbolAddress, ChecksItsArgumentsInOrder) {
  void* address = untouched();
  EXPECT_FAILS(100000, "EH0008", aclrtGetSymbolAddress(nullptr, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtGetSymbolAddress(&kUnknownSymbol, nullptr));
  EXPECT_FAILS(107043, "EE1017", aclrtGetSymbolAddress(&kUnknownSymbol, &address));
  on_new_thread(
      [&] { EXPECT_FAILS(107002, "EE1018", aclrtGetSymbolAddress(&kVariableSymbol, &address)); });
  EXPECT_EQ(untouched(), address);
}

TEST_F(AclrtGetSymbolAddress, IsZeroedDeviceMemoryThatStaysWhereItIs) {
  void* address = nullptr;
  void* again = nullptr;
  ASSERT_OK(aclrtGetSymbolAddress(&kVariableSymbol, &address));
  ASSERT_OK(aclrtGetSymbolAddress(&kVariableSymbol, &again));
  EXPECT_EQ(address, again);
  EXPECT_FAILS_WITH(107000, aclrtFree(address));
}

FERRY_PROCESS_TEST(AclrtGetSymbolAddressProcess, IsAnotherOneOnEachDevice, "FERRY_DEVICES=cpu:2") {
  register_kernels();
  void* address[2] = {};
  for (int32_t device : {0, 1}) {
    ASSERT_OK(aclrtSetDevice(device));
    ASSERT_OK(aclrtGetSymbolAddress(&kVariableSymbol, &address[device]));
    aclrtPtrAttributes about{};
    EXPECT_OK(aclrtPointerGetAttributes(address[device], &about));
    EXPECT_EQ(static_cast<uint32_t>(device), about.location.id);
    uint8_t bytes[kVariableSize];
    std::memset(bytes, 1, sizeof bytes);
    EXPECT_OK(aclrtMemcpyFromSymbol(bytes, kVariableSize, &kVariableSymbol, kVariableSize, 0,
                                    ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(std::vector<uint8_t>(kVariableSize, 0),
              std::vector<uint8_t>(bytes, bytes + kVariableSize));
    EXPECT_OK(aclrtMemcpyToSymbol(&kVariableSymbol, "x", 1, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  EXPECT_NE(address[0], address[1]);
}

}  // namespace
}  // namespace conformance::kernels::aclrtGetSymbolAddress_test
