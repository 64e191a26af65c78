// SPDX-License-Identifier: Apache-2.0
// aclrtCmoAsyncWithDesc: a cache operation by descriptor is a task that changes nothing.
#include "support/copies.h"

namespace conformance::copies::aclrtCmoAsyncWithDesc_test {
namespace {

using AclrtCmoAsyncWithDesc = WithStream;

aclrtCmoType type_of(int number) {
  return static_cast<aclrtCmoType>(number);
}

TEST_F(AclrtCmoAsyncWithDesc, EveryTypeIsQueuedAndChangesNothing) {
  DeviceBuffer device(64);
  const DeviceBuffer descriptor(64);
  device.write(pattern(64));
  EXPECT_OK(aclrtCmoSetDesc(descriptor.get(), device.get(), 64));
  for (int type = ACL_RT_CMO_TYPE_PREFETCH; type <= ACL_RT_CMO_TYPE_FLUSH; ++type) {
    EXPECT_OK(aclrtCmoAsyncWithDesc(descriptor.get(), type_of(type), stream_, nullptr));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(device.read(), pattern(64));
}

TEST_F(AclrtCmoAsyncWithDesc, RefusesInTheOrderOfTheContract) {
  const DeviceBuffer descriptor(128);
  const PinnedBuffer pinned(64);
  const BadStreams bad;
  const OtherContext other;
  void* const desc = descriptor.get();
  const aclrtCmoType unknown = type_of(4);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
               aclrtCmoAsyncWithDesc(nullptr, unknown, bad.destroyed(), desc));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
               aclrtCmoAsyncWithDesc(nullptr, unknown, bad.destroyed(), nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
               aclrtCmoAsyncWithDesc(desc, unknown, bad.destroyed(), nullptr));
  const auto prefetch = [&](void* address, aclrtStream stream) {
    return aclrtCmoAsyncWithDesc(address, ACL_RT_CMO_TYPE_PREFETCH, stream, nullptr);
  };
  const auto refused = [](aclError code, const char* message_code, aclError actual) {
    return failed_as("aclrtCmoAsyncWithDesc", code, message_code, actual);
  };
  void* const unaligned = descriptor.at(32);
  EXPECT_TRUE(refused(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", prefetch(unaligned, bad.destroyed())));
  on_new_thread([&] {
    EXPECT_TRUE(refused(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", prefetch(unaligned, stream_)));
  });
  EXPECT_TRUE(refused(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010", prefetch(unaligned, other.stream())));
  EXPECT_TRUE(refused(ACL_ERROR_RT_PARAM_INVALID, "EE1011", prefetch(unaligned, stream_)));
  EXPECT_TRUE(refused(ACL_ERROR_RT_PARAM_INVALID, "EE1017", prefetch(pinned.get(), stream_)));
}

}  // namespace
}  // namespace conformance::copies::aclrtCmoAsyncWithDesc_test
