// SPDX-License-Identifier: Apache-2.0
// aclmdlRITaskGetParams: what a task with a type of its own does.
#include "support/models.h"

namespace conformance::aclmdlRITaskGetParams_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRITaskGetParams = WithStream;

TEST_F(AclmdlRITaskGetParams, ChecksInOrder) {
  const Forked forked(stream_);
  aclmdlRITaskParams params{};
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskGetParams(nullptr, &params));
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskGetParams(forked.task(0, 0), nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskGetParams(stream_, &params));
  EXPECT_FAILS(kBadValue, "EE1017", aclmdlRITaskGetParams(forked.task(0, 1), &params));
}

TEST_F(AclmdlRITaskGetParams, NamesTheEvent) {
  const Forked forked(stream_);
  aclmdlRITaskParams params;
  std::memset(&params, 0xFF, sizeof params);
  EXPECT_OK(aclmdlRITaskGetParams(forked.task(0, 0), &params));
  EXPECT_EQ(ACL_MODEL_RI_TASK_EVENT_RECORD, params.type);
  EXPECT_EQ(nullptr, params.taskGrp);
  EXPECT_EQ(nullptr, params.opInfoPtr);
  EXPECT_EQ(0u, params.opInfoSize);
  EXPECT_EQ(aclrtEvent(forked.fork), params.eventRecordTaskParams.event);
  EXPECT_EQ(ACL_EVENT_SYNC, params.eventRecordTaskParams.eventFlag);
  EXPECT_EQ(0u, params.eventRecordTaskParams.recordFlag);
  EXPECT_OK(aclmdlRITaskGetParams(forked.task(0, 2), &params));
  EXPECT_EQ(ACL_MODEL_RI_TASK_EVENT_WAIT, params.type);
  EXPECT_EQ(aclrtEvent(forked.back), params.eventWaitTaskParams.event);
}

}  // namespace
}  // namespace conformance::aclmdlRITaskGetParams_test
