// SPDX-License-Identifier: Apache-2.0
// What only aclrtMemcpyBatchAsyncV2 needs. It is aclrtMemcpyBatchAsync without failIndex: the tests
// of the aclrtMemcpyBatch and aclrtMemcpyBatchAsync files run for it too.
#include "support/batch.h"

namespace conformance::copies::aclrtMemcpyBatchAsyncV2_test {
namespace {

using AclrtMemcpyBatchAsyncV2 = WithStream;

TEST_F(AclrtMemcpyBatchAsyncV2, CopiesWithoutAFailIndex) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 9);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemcpyBatchAsyncV2(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                                    batch.sizes.data(), 9, batch.attrs.data(),
                                    batch.attrs_indexes.data(), 1, stream_));
  EXPECT_TRUE(batch.has_copied_nothing());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(batch.has_copied_all());
}

TEST_F(AclrtMemcpyBatchAsyncV2, TheTextNamesTheItemInstead) {
  Batch batch(Way::kToDevice, HostMemory::kPinned, 9);
  batch.dsts[7] = nullptr;
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID,
            aclrtMemcpyBatchAsyncV2(batch.dsts.data(), batch.dest_maxs.data(), batch.srcs.data(),
                                    batch.sizes.data(), 9, batch.attrs.data(),
                                    batch.attrs_indexes.data(), 1, stream_));
  EXPECT_TRUE(text_has("aclrtMemcpyBatchAsyncV2: dsts[7]"));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(batch.has_copied_nothing());
}

TEST_F(AclrtMemcpyBatchAsyncV2, RefusesNullSizesFirst) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpyBatchAsyncV2(nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0,
                                       unmapped_address()));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyBatchAsyncV2_test
