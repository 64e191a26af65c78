// SPDX-License-Identifier: Apache-2.0
// aclUpdateDataBuffer: changes the address and size in a data buffer.
#include "support/at_once.h"
#include "support/conformance.h"

namespace conformance::aclUpdateDataBuffer_test {
namespace {

TEST(AclUpdateDataBuffer, ReplacesAddressAndSize) {
  char first = 1;
  char second[20] = {};
  aclDataBuffer* buffer = aclCreateDataBuffer(&first, 1);
  for (const size_t size : {size_t{20}, size_t{0}, SIZE_MAX}) {
    EXPECT_OK(aclUpdateDataBuffer(buffer, second, size));
    EXPECT_EQ(aclGetDataBufferAddr(buffer), second);
    EXPECT_EQ(aclGetDataBufferSizeV2(buffer), size);
  }
  EXPECT_OK(aclUpdateDataBuffer(buffer, nullptr, 0));
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 0u);
  EXPECT_EQ(first, 1);
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(AclUpdateDataBuffer, LeavesOtherBuffersAlone) {
  char data[4] = {};
  aclDataBuffer* one = aclCreateDataBuffer(data, 1);
  aclDataBuffer* two = aclCreateDataBuffer(data, 2);
  EXPECT_OK(aclUpdateDataBuffer(one, data + 1, 3));
  EXPECT_EQ(aclGetDataBufferAddr(two), data);
  EXPECT_EQ(aclGetDataBufferSizeV2(two), 2u);
  EXPECT_OK(aclDestroyDataBuffer(one));
  EXPECT_OK(aclDestroyDataBuffer(two));
}

TEST(AclUpdateDataBuffer, RefusesNullDestroyedAndForeignBuffers) {
  clear_errors();
  char data = 0;
  uint64_t variable[8] = {};
  aclDataBuffer* destroyed = aclCreateDataBuffer(&data, 1);
  ASSERT_OK(aclDestroyDataBuffer(destroyed));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclUpdateDataBuffer(nullptr, &data, 1));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclUpdateDataBuffer(destroyed, &data, 1));
  for (void* address : {static_cast<void*>(variable), reinterpret_cast<void*>(uintptr_t{8})}) {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                      aclUpdateDataBuffer(static_cast<aclDataBuffer*>(address), &data, 1));
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  for (const uint64_t word : variable)
    EXPECT_EQ(word, 0u);
}

TEST(AclUpdateDataBuffer, ServesManyThreadsOnBuffersOfTheirOwn) {
  at_once(4, [&](size_t) {
    char data[100] = {};
    aclDataBuffer* buffer = aclCreateDataBuffer(data, 0);
    for (size_t round = 0; round < 100; ++round) {
      EXPECT_OK(aclUpdateDataBuffer(buffer, data + round, round));
      EXPECT_EQ(aclGetDataBufferAddr(buffer), data + round);
      EXPECT_EQ(aclGetDataBufferSizeV2(buffer), round);
    }
    EXPECT_OK(aclDestroyDataBuffer(buffer));
  });
}

}  // namespace
}  // namespace conformance::aclUpdateDataBuffer_test
