// SPDX-License-Identifier: Apache-2.0
// aclGetDataBufferSize: the size in a data buffer, cut to 32 bits.
#include "support/conformance.h"

namespace conformance::aclGetDataBufferSize_test {
namespace {

TEST(AclGetDataBufferSize, CutsTheSizeToItsLow32Bits) {
  struct Row {
    size_t size;
    uint32_t answer;
  };
  char data = 0;
  for (const Row row : {Row{0, 0}, Row{1, 1}, Row{0xffffffff, 0xffffffff}, Row{0x100000000, 0},
                        Row{0x100000005, 5}, Row{SIZE_MAX, 0xffffffff}}) {
    aclDataBuffer* buffer = aclCreateDataBuffer(&data, row.size);
    EXPECT_EQ(aclGetDataBufferSize(buffer), row.answer) << row.size;
    EXPECT_OK(aclDestroyDataBuffer(buffer));
  }
}

// Only the text shows that something was wrong: there is no code.
void expect_refused(void* buffer) {
  clear_errors();
  EXPECT_EQ(aclGetDataBufferSize(static_cast<aclDataBuffer*>(buffer)), 0u);
  const std::string text = recent_text();
  EXPECT_EQ(text.rfind("aclGetDataBufferSize: ", 0), 0u) << text;
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(AclGetDataBufferSize, RefusesNullDestroyedAndForeignBuffers) {
  char data = 0;
  uint64_t variable[8] = {};
  aclDataBuffer* destroyed = aclCreateDataBuffer(&data, 1);
  ASSERT_OK(aclDestroyDataBuffer(destroyed));
  expect_refused(nullptr);
  expect_refused(destroyed);
  expect_refused(variable);
  expect_refused(reinterpret_cast<void*>(uintptr_t{0x1234}));
}

TEST(AclGetDataBufferSize, LeavesNoTextWhenItSucceeds) {
  clear_errors();
  char data = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&data, 0);
  aclGetDataBufferSize(buffer);
  EXPECT_EQ(recent_text(), "");
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

}  // namespace
}  // namespace conformance::aclGetDataBufferSize_test
