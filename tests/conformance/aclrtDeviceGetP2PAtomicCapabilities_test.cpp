// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceGetP2PAtomicCapabilities: atomic operations in memory of another device: none.
#include "support/devices.h"

#include <iterator>

namespace conformance::aclrtDeviceGetP2PAtomicCapabilities_test {
namespace {

constexpr aclrtAtomicOperation kOperations[] = {
    ACL_RT_ATOMIC_OPERATION_INTEGER_ADD,     ACL_RT_ATOMIC_OPERATION_FLOAT_MAX,
    ACL_RT_ATOMIC_OPERATION_DMA_ADD,         ACL_RT_ATOMIC_OPERATION_DMA_MAX,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD, ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH};
constexpr uint32_t kCount = std::size(kOperations);

FERRY_PROCESS_TEST(AclrtDeviceGetP2PAtomicCapabilitiesProcess, HasNone, "FERRY_DEVICES=cpu:2") {
  std::vector<uint32_t> bits(kCount + 1, 77);
  EXPECT_OK(aclrtDeviceGetP2PAtomicCapabilities(bits.data(), kOperations, kCount, 0, 1));
  EXPECT_EQ(std::vector<uint32_t>({0, 0, 0, 0, 0, 0, 77}), bits);
  EXPECT_OK(aclrtDeviceGetP2PAtomicCapabilities(bits.data(), kOperations, kCount, 1, 0));
  EXPECT_FAILS_WITH(107001,
                    aclrtDeviceGetP2PAtomicCapabilities(bits.data(), kOperations, kCount, 1, 1));
}

TEST(AclrtDeviceGetP2PAtomicCapabilities, ChecksPointersThenCountThenOperationsThenDevices) {
  uint32_t bits[kCount] = {1, 2, 3};
  EXPECT_FAILS(107000, "EE1004", aclrtDeviceGetP2PAtomicCapabilities(nullptr, nullptr, 0, -1, -1));
  EXPECT_FAILS(107000, "EE1004", aclrtDeviceGetP2PAtomicCapabilities(bits, nullptr, 0, -1, -1));
  EXPECT_FAILS(107000, "EE1003", aclrtDeviceGetP2PAtomicCapabilities(bits, kOperations, 0, -1, -1));
  for (const int wrong : {-1, 13, 29, 33, 39, 45}) {
    const aclrtAtomicOperation list[] = {kOperations[0], static_cast<aclrtAtomicOperation>(wrong)};
    EXPECT_FAILS(107000, "EE1003", aclrtDeviceGetP2PAtomicCapabilities(bits, list, 2, -1, -1));
  }
  for (const int32_t device : missing_devices()) {
    EXPECT_FAILS_WITH(107001,
                      aclrtDeviceGetP2PAtomicCapabilities(bits, kOperations, kCount, device, 0));
    EXPECT_FAILS_WITH(107001,
                      aclrtDeviceGetP2PAtomicCapabilities(bits, kOperations, kCount, 0, device));
  }
  EXPECT_FAILS_WITH(107001, aclrtDeviceGetP2PAtomicCapabilities(bits, kOperations, kCount, 0, 0));
  EXPECT_EQ(1u, bits[0]);
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtDeviceGetP2PAtomicCapabilities_test
