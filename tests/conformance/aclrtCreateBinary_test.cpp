// SPDX-License-Identifier: Apache-2.0
// aclrtCreateBinary: wraps bytes of the program.
#include "support/kernels.h"

namespace conformance::kernels::aclrtCreateBinary_test {
namespace {

using AclrtCreateBinary = WithKernels;

TEST_F(AclrtCreateBinary, KeepsPointerAndLengthOnly) {
  aclrtBinary binary = aclrtCreateBinary(kElf.data(), kElf.size());
  ASSERT_NE(nullptr, binary);
  EXPECT_NE(binary, kElf.data());
  EXPECT_OK(aclrtDestroyBinary(binary));
}

TEST_F(AclrtCreateBinary, GivesNullForNull) {
  clear_errors();
  EXPECT_EQ(nullptr, aclrtCreateBinary(nullptr, 8));
  EXPECT_NE(std::string::npos, recent_text().find("data is NULL"));
}

TEST_F(AclrtCreateBinary, ParsesNothingAndNeedsNoContext) {
  on_new_thread([] {
    const char text[] = "not a binary";
    aclrtBinary binary = aclrtCreateBinary(text, 0);
    EXPECT_NE(nullptr, binary);
    EXPECT_OK(aclrtDestroyBinary(binary));
  });
}

}  // namespace
}  // namespace conformance::kernels::aclrtCreateBinary_test
