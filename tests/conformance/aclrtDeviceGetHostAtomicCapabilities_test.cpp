// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceGetHostAtomicCapabilities: atomic operations of a device in host memory: none.
#include "support/devices.h"

#include <iterator>

namespace conformance::aclrtDeviceGetHostAtomicCapabilities_test {
namespace {

constexpr aclrtAtomicOperation kOperations[] = {
    ACL_RT_ATOMIC_OPERATION_INTEGER_ADD,     ACL_RT_ATOMIC_OPERATION_FLOAT_MAX,
    ACL_RT_ATOMIC_OPERATION_DMA_ADD,         ACL_RT_ATOMIC_OPERATION_DMA_MAX,
    ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD, ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH};
constexpr uint32_t kCount = std::size(kOperations);

TEST(AclrtDeviceGetHostAtomicCapabilities, HasNone) {
  on_new_thread([] {
    std::vector<uint32_t> bits(kCount + 1, 77);
    EXPECT_OK(aclrtDeviceGetHostAtomicCapabilities(bits.data(), kOperations, kCount, 0));
    EXPECT_EQ(std::vector<uint32_t>({0, 0, 0, 0, 0, 0, 77}), bits);
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(AclrtDeviceGetHostAtomicCapabilities, ChecksPointersThenCountThenOperationsThenDevice) {
  uint32_t bits[kCount] = {1, 2, 3};
  EXPECT_FAILS(107000, "EE1004", aclrtDeviceGetHostAtomicCapabilities(nullptr, nullptr, 0, -1));
  EXPECT_FAILS(107000, "EE1004", aclrtDeviceGetHostAtomicCapabilities(bits, nullptr, 0, -1));
  EXPECT_FAILS(107000, "EE1003", aclrtDeviceGetHostAtomicCapabilities(bits, kOperations, 0, -1));
  for (const int wrong : {-1, 13, 29, 33, 39, 45}) {
    const aclrtAtomicOperation list[] = {kOperations[0], static_cast<aclrtAtomicOperation>(wrong)};
    EXPECT_FAILS(107000, "EE1003", aclrtDeviceGetHostAtomicCapabilities(bits, list, 2, -1));
    EXPECT_OK(aclrtDeviceGetHostAtomicCapabilities(bits, list, 1, 0));
  }
  bits[0] = 1;
  for (const int32_t device : missing_devices())
    EXPECT_FAILS_WITH(107001,
                      aclrtDeviceGetHostAtomicCapabilities(bits, kOperations, kCount, device));
  EXPECT_EQ(1u, bits[0]);
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtDeviceGetHostAtomicCapabilities_test
