// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy: a copy that is done when the call returns.
#include "support/conformance.h"

namespace conformance {
namespace {

using AclrtMemcpy = WithDevice;

TEST_F(AclrtMemcpy, CopiesFromHostToDeviceAndBack) {
  for (const size_t size : {size_t{1}, size_t{63}, size_t{4096}, size_t{3} << 20}) {
    const DeviceBuffer device(size);
    const std::vector<uint8_t> sent = pattern(size);
    std::vector<uint8_t> received(size);
    EXPECT_OK(aclrtMemcpy(device.get(), size, sent.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(received.data(), size, device.get(), size, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(sent, received);
  }
}

}  // namespace
}  // namespace conformance
