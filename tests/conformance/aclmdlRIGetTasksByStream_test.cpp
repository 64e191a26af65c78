// SPDX-License-Identifier: Apache-2.0
// aclmdlRIGetTasksByStream: the tasks of a stream of a model, in the order of submission.
#include "support/models.h"

namespace conformance::aclmdlRIGetTasksByStream_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIGetTasksByStream = WithStream;

TEST_F(AclmdlRIGetTasksByStream, ChecksInOrder) {
  uint32_t count = 0;
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIGetTasksByStream(nullptr, nullptr, &count));
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIGetTasksByStream(stream_, nullptr, nullptr));
  EXPECT_FAILS(kBadValue, "EE1011", aclmdlRIGetTasksByStream(stream_, nullptr, &count));
}

TEST_F(AclmdlRIGetTasksByStream, CountsAndFillsTheArray) {
  Forked forked(stream_);
  const aclrtStream first = forked.stream(0);
  uint32_t count = 0;
  EXPECT_OK(aclmdlRIGetTasksByStream(first, nullptr, &count));
  EXPECT_EQ(3u, count);
  aclmdlRITask tasks[4] = {&count, &count, &count, &count};
  count = 2;
  EXPECT_FAILS_WITH(107039, aclmdlRIGetTasksByStream(first, tasks, &count));
  EXPECT_EQ(2u, count);
  count = 4;
  EXPECT_OK(aclmdlRIGetTasksByStream(first, tasks, &count));
  EXPECT_EQ(3u, count);
  EXPECT_EQ(nullptr, tasks[3]);
  EXPECT_OK(aclmdlRIDestroy(forked.model.release()));
  EXPECT_FAILS(kBadValue, "EE1011", aclmdlRIGetTasksByStream(first, nullptr, &count));
  aclmdlRITaskType type;
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskGetType(tasks[0], &type));
}

}  // namespace
}  // namespace conformance::aclmdlRIGetTasksByStream_test
