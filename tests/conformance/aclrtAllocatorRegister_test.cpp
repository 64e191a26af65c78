// SPDX-License-Identifier: Apache-2.0
// aclrtAllocatorRegister: the allocator of a stream.
#include "support/custom_allocators.h"

namespace conformance::custom_allocators::aclrtAllocatorRegister_test {
namespace {

using AclrtAllocatorRegister = WithStream;

TEST_F(AclrtAllocatorRegister, RefusesNullAndDestroyedDescriptions) {
  const Desc desc;
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorRegister(nullptr, desc));
  EXPECT_FAILS(100000, "EH0008", aclrtAllocatorRegister(stream_, nullptr));
  EXPECT_FAILS(100000, "EH0009", aclrtAllocatorRegister(stream_, destroyed_desc()));
}

TEST_F(AclrtAllocatorRegister, NeedsAllButTheFunctionThatAllocatesAtAnAddress) {
  for (const Part part : {kObject, kAllocate, kFree, kAddressOf}) {
    const Desc desc(kAll & ~part);
    EXPECT_FAILS(100000, "EH0009", aclrtAllocatorRegister(stream_, desc)) << part;
    EXPECT_FALSE(has_allocator(stream_));
  }
  const Desc desc(kAll & ~kAllocateAt);
  EXPECT_OK(aclrtAllocatorRegister(stream_, desc));
  Registered found;
  EXPECT_OK(get(stream_, found));
  EXPECT_EQ(found.allocate_at, nullptr);
}

TEST_F(AclrtAllocatorRegister, CopiesTheDescription) {
  const Desc desc;
  EXPECT_OK(aclrtAllocatorRegister(stream_, desc));
  Registered before;
  EXPECT_OK(get(stream_, before));
  int other = 0;
  EXPECT_OK(aclrtAllocatorSetObjToDesc(desc, &other));
  Registered found;
  EXPECT_OK(get(stream_, found));
  EXPECT_EQ(found.object, before.object);
}

TEST_F(AclrtAllocatorRegister, ReplacesTheOneBefore) {
  const Desc first;
  const Desc second;
  EXPECT_OK(aclrtAllocatorRegister(stream_, first));
  EXPECT_OK(aclrtAllocatorRegister(stream_, second));
  Registered found;
  EXPECT_OK(get(stream_, found));
  EXPECT_EQ(found.desc, second);
}

TEST_F(AclrtAllocatorRegister, TakesAnyValueForAStreamOnAnyThread) {
  int key = 0;
  on_new_thread([&] {
    const Desc desc;
    EXPECT_OK(aclrtAllocatorRegister(&key, desc));
    EXPECT_OK(aclrtAllocatorUnregister(&key));
  });
}

TEST_F(AclrtAllocatorRegister, HoldsUntilTheStreamIsDestroyed) {
  const Desc desc;
  aclrtStream streams[2] = {};
  for (aclrtStream& stream : streams) {
    ASSERT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtAllocatorRegister(stream, desc));
  }
  EXPECT_OK(aclrtDestroyStream(streams[0]));
  EXPECT_OK(aclrtDestroyStreamForce(streams[1]));
  for (const aclrtStream stream : streams)
    EXPECT_FALSE(has_allocator(stream));
}

// Nothing asks the allocator: its functions would fail the test.
TEST_F(AclrtAllocatorRegister, LeavesAllocationsAndCopiesToTheRuntime) {
  const Desc desc;
  EXPECT_OK(aclrtAllocatorRegister(stream_, desc));
  DeviceBuffer device(64);
  PinnedBuffer host(64);
  EXPECT_OK(aclrtMemcpyAsync(device.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

}  // namespace
}  // namespace conformance::custom_allocators::aclrtAllocatorRegister_test
