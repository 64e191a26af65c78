// SPDX-License-Identifier: Apache-2.0
// aclGetDataBufferSizeV2: the size in a data buffer.
#include "support/conformance.h"

namespace conformance::aclGetDataBufferSizeV2_test {
namespace {

TEST(AclGetDataBufferSizeV2, GivesTheWholeSize) {
  char data = 0;
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{0xffffffff}, size_t{0x100000000}, SIZE_MAX}) {
    aclDataBuffer* buffer = aclCreateDataBuffer(&data, 7);
    EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 7u);
    EXPECT_OK(aclUpdateDataBuffer(buffer, &data, size));
    EXPECT_EQ(aclGetDataBufferSizeV2(buffer), size);
    EXPECT_OK(aclDestroyDataBuffer(buffer));
  }
}

// Only the text shows that something was wrong: there is no code.
void expect_refused(void* buffer) {
  clear_errors();
  EXPECT_EQ(aclGetDataBufferSizeV2(static_cast<aclDataBuffer*>(buffer)), 0u);
  const std::string text = recent_text();
  EXPECT_EQ(text.rfind("aclGetDataBufferSizeV2: ", 0), 0u) << text;
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclGetDataBufferSizeV2, RefusesNullDestroyedAndForeignBuffers) {
  char data = 0;
  uint64_t variable[8] = {};
  aclDataBuffer* destroyed = aclCreateDataBuffer(&data, 1);
  ASSERT_OK(aclDestroyDataBuffer(destroyed));
  expect_refused(nullptr);
  expect_refused(destroyed);
  expect_refused(variable);
  expect_refused(reinterpret_cast<void*>(uintptr_t{0x1234}));
}

TEST(AclGetDataBufferSizeV2, LeavesNoTextWhenItSucceeds) {
  clear_errors();
  char data = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&data, 0);
  aclGetDataBufferSizeV2(buffer);
  EXPECT_EQ(recent_text(), "");
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

}  // namespace
}  // namespace conformance::aclGetDataBufferSizeV2_test
