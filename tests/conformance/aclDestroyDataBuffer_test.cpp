// SPDX-License-Identifier: Apache-2.0
// aclDestroyDataBuffer: destroys a data buffer, not the memory it names.
#include "support/at_once.h"
#include "support/conformance.h"

namespace conformance::aclDestroyDataBuffer_test {
namespace {

TEST(AclDestroyDataBuffer, LeavesTheMemoryAlone) {
  std::vector<uint8_t> data = pattern(100);
  aclDataBuffer* buffer = aclCreateDataBuffer(data.data(), data.size());
  EXPECT_OK(aclDestroyDataBuffer(buffer));
  EXPECT_EQ(data, pattern(100));
}

TEST(AclDestroyDataBuffer, RefusesNull) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclDestroyDataBuffer(nullptr));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclDestroyDataBuffer, RefusesABufferThatWasDestroyed) {
  clear_errors();
  char data = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&data, 1);
  ASSERT_OK(aclDestroyDataBuffer(buffer));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclDestroyDataBuffer(buffer));
  aclDataBuffer* next = aclCreateDataBuffer(&data, 2);
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclDestroyDataBuffer(buffer));
  EXPECT_EQ(aclGetDataBufferSizeV2(next), 2u);
  EXPECT_OK(aclDestroyDataBuffer(next));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclDestroyDataBuffer, RefusesWhatIsNoBuffer) {
  uint64_t variable[8] = {};
  for (void* address : {static_cast<void*>(variable), reinterpret_cast<void*>(uintptr_t{0x1234}),
                        reinterpret_cast<void*>(UINTPTR_MAX)}) {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                      aclDestroyDataBuffer(static_cast<aclDataBuffer*>(address)));
  }
}

TEST(AclDestroyDataBuffer, RefusesOtherHandles) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtEvent event = nullptr;
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  ASSERT_OK(aclrtGetCurrentContext(&context));
  for (void* handle : {event, context}) {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                      aclDestroyDataBuffer(static_cast<aclDataBuffer*>(handle)));
  }
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(AclDestroyDataBuffer, ServesManyThreadsAtOnce) {
  char data = 0;
  std::vector<std::vector<aclDataBuffer*>> shares(4);
  for (std::vector<aclDataBuffer*>& share : shares) {
    for (int i = 0; i < 50; ++i)
      share.push_back(aclCreateDataBuffer(&data, 1));
  }
  at_once(shares.size(), [&](size_t i) {
    const std::vector<aclDataBuffer*>& share = shares[i];
    for (aclDataBuffer* buffer : share)
      EXPECT_OK(aclDestroyDataBuffer(buffer));
    for (aclDataBuffer* buffer : share)
      EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclDestroyDataBuffer(buffer));
  });
}

}  // namespace
}  // namespace conformance::aclDestroyDataBuffer_test
