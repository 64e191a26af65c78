// SPDX-License-Identifier: Apache-2.0
// What only aclrtMemcpyBatchV2 needs. It is aclrtMemcpyBatch without failIndex: the tests of the
// aclrtMemcpyBatch files run for it too.
#include "support/batch.h"

namespace conformance::copies::aclrtMemcpyBatchV2_test {
namespace {

using AclrtMemcpyBatchV2 = WithDevice;

TEST_F(AclrtMemcpyBatchV2, CopiesWithoutAFailIndex) {
  Batch batch(Way::kToHost, HostMemory::kMixed, 9);
  EXPECT_OK(aclrtMemcpyBatchV2(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                               batch.sizes.data(), 9, batch.attrs.data(),
                               batch.attrs_indexes.data(), 1));
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_F(AclrtMemcpyBatchV2, TheTextNamesTheItemInstead) {
  Batch batch(Way::kToHost, HostMemory::kPinned, 9);
  batch.srcs[7] = nullptr;
  EXPECT_EQ(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpyBatchV2(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                         batch.sizes.data(), 9, batch.attrs.data(), batch.attrs_indexes.data(), 1));
  EXPECT_TRUE(text_has("aclrtMemcpyBatchV2: srcs[7]"));
  EXPECT_TRUE(batch.has_copied_nothing());
}

TEST_F(AclrtMemcpyBatchV2, RefusesNullSizesFirst) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpyBatchV2(nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyBatchV2_test
