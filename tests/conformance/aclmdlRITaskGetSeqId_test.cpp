// SPDX-License-Identifier: Apache-2.0
// aclmdlRITaskGetSeqId: counts over the whole model in the order of capture.
#include "support/models.h"

namespace conformance::aclmdlRITaskGetSeqId_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRITaskGetSeqId = WithStream;

TEST_F(AclmdlRITaskGetSeqId, ChecksInOrder) {
  const Forked forked(stream_);
  uint32_t id = 0;
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskGetSeqId(nullptr, &id));
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskGetSeqId(forked.task(0, 0), nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskGetSeqId(stream_, &id));
}

TEST_F(AclmdlRITaskGetSeqId, CountsInTheOrderOfCapture) {
  const Forked forked(stream_);
  const auto id_of = [&](size_t lane, size_t task) {
    uint32_t id = 99;
    EXPECT_OK(aclmdlRITaskGetSeqId(forked.task(lane, task), &id));
    return id;
  };
  // record, wait, copy on the side, copy on the main stream, record, wait
  EXPECT_EQ(0u, id_of(0, 0));
  EXPECT_EQ(1u, id_of(1, 0));
  EXPECT_EQ(2u, id_of(1, 1));
  EXPECT_EQ(3u, id_of(0, 1));
  EXPECT_EQ(4u, id_of(1, 2));
  EXPECT_EQ(5u, id_of(0, 2));
}

}  // namespace
}  // namespace conformance::aclmdlRITaskGetSeqId_test
