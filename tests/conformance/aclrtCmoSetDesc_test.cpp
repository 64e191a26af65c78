// SPDX-License-Identifier: Apache-2.0
// aclrtCmoSetDesc: writes a descriptor into device memory, during the call.
#include "support/copies.h"

#include <cstring>

namespace conformance::copies::aclrtCmoSetDesc_test {
namespace {

using AclrtCmoSetDesc = WithDevice;

TEST_F(AclrtCmoSetDesc, WritesLengthAndAddressAndZeros) {
  DeviceBuffer descriptor(64);
  const DeviceBuffer device(64);
  descriptor.write(std::vector<uint8_t>(64, 0xee));
  EXPECT_OK(aclrtCmoSetDesc(descriptor.get(), device.get(), 0x12345678));
  std::vector<uint8_t> expected(64, 0xee);
  std::fill_n(expected.begin(), 32, uint8_t{0});
  const uint32_t length = 0x12345678;
  void* const address = device.get();
  std::memcpy(&expected[12], &length, sizeof length);
  std::memcpy(&expected[16], &address, sizeof address);
  EXPECT_EQ(descriptor.read(), expected);
}

TEST_F(AclrtCmoSetDesc, RefusesNullAndSizeZeroBeforeTheContext) {
  const DeviceBuffer descriptor(64);
  void* const desc = descriptor.get();
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004", aclrtCmoSetDesc(nullptr, desc, 64));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004", aclrtCmoSetDesc(desc, nullptr, 64));
    for (const size_t size : {size_t{0}, (size_t{1} << 32) + 1}) {
      EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003", aclrtCmoSetDesc(desc, desc, size));
    }
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtCmoSetDesc(desc, desc, 64));
  });
}

TEST_F(AclrtCmoSetDesc, RefusesADescriptorOutsideDeviceMemory) {
  const DeviceBuffer device(64);
  const PinnedBuffer pinned(64);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1017",
               aclrtCmoSetDesc(pinned.get(), device.get(), 64));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtCmoSetDesc(device.at(padded(64) - 31), device.get(), 64));
}

}  // namespace
}  // namespace conformance::copies::aclrtCmoSetDesc_test
