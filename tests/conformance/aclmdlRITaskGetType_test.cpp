// SPDX-License-Identifier: Apache-2.0
// aclmdlRITaskGetType: events have types of their own, most tasks are DEFAULT.
#include "support/models.h"

namespace conformance::aclmdlRITaskGetType_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRITaskGetType = WithStream;

TEST_F(AclmdlRITaskGetType, ChecksInOrder) {
  const Forked forked(stream_);
  aclmdlRITaskType type;
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskGetType(nullptr, &type));
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRITaskGetType(forked.task(0, 0), nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskGetType(stream_, &type));
}

TEST_F(AclmdlRITaskGetType, TellsEvents) {
  const Forked forked(stream_);
  const auto type_of = [&](size_t lane, size_t task) {
    aclmdlRITaskType type = ACL_MODEL_RI_TASK_KERNEL;
    EXPECT_OK(aclmdlRITaskGetType(forked.task(lane, task), &type));
    return type;
  };
  EXPECT_EQ(ACL_MODEL_RI_TASK_EVENT_RECORD, type_of(0, 0));
  EXPECT_EQ(ACL_MODEL_RI_TASK_DEFAULT, type_of(0, 1));
  EXPECT_EQ(ACL_MODEL_RI_TASK_EVENT_WAIT, type_of(0, 2));
  EXPECT_EQ(ACL_MODEL_RI_TASK_EVENT_WAIT, type_of(1, 0));
  EXPECT_EQ(ACL_MODEL_RI_TASK_EVENT_RECORD, type_of(1, 2));
}

}  // namespace
}  // namespace conformance::aclmdlRITaskGetType_test
