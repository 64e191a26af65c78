// SPDX-License-Identifier: Apache-2.0
// aclrtPersistentTaskClean: a bound stream of a built model gets other tasks.
#include "support/built_models.h"

namespace conformance::aclrtPersistentTaskClean_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

constexpr aclError kRunning = 107037;

using AclrtPersistentTaskClean = WithStream;

uint32_t count_tasks(aclmdlRI model, size_t lane) {
  aclrtStream streams[4] = {};
  uint32_t count = 4;
  EXPECT_OK(aclmdlRIGetStreams(model, streams, &count));
  EXPECT_OK(aclmdlRIGetTasksByStream(streams[lane], nullptr, &count));
  return count;
}

TEST_F(AclrtPersistentTaskClean, ChecksInOrder) {
  EXPECT_FAILS(kBadValue, "EE1004", aclrtPersistentTaskClean(nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclrtPersistentTaskClean(dead_model(stream_)));
  on_new_thread([&] { EXPECT_FAILS_WITH(kInternal, aclrtPersistentTaskClean(stream_)); });
  const BoundStream bound;
  EXPECT_FAILS_WITH(kInternal, aclrtPersistentTaskClean(bound));
  Building building;
  building.bind(bound);
  EXPECT_FAILS_WITH(kInternal, aclrtPersistentTaskClean(bound));
  building.finish(bound);
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclrtPersistentTaskClean(bound)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclrtPersistentTaskClean(bound));
  }
  EXPECT_OK(aclrtPersistentTaskClean(bound));
}

TEST_F(AclrtPersistentTaskClean, ANewSetOfTasksReplacesTheOldOne) {
  const BoundStream bound;
  Building building;
  Mark first;
  Mark second;
  building.bind(bound);
  EXPECT_OK(first.queue(bound));
  building.finish(bound);
  building.run();
  EXPECT_TRUE(first.is_reached());
  EXPECT_EQ(kBound, second.queue(bound));
  for (int i = 0; i < 3; ++i) {
    first.clear();
    second.clear();
    EXPECT_OK(aclrtPersistentTaskClean(bound));
    EXPECT_EQ(0u, count_tasks(building, 0));
    building.run();  // nothing is left to do
    EXPECT_OK(second.queue(bound));
    EXPECT_OK(aclmdlRIEndTask(building, bound));
    EXPECT_OK(first.queue(bound));  // behind the end
    EXPECT_EQ(3u, count_tasks(building, 0));
    for (int run = 0; run < 2; ++run) {
      building.run();
      EXPECT_TRUE(second.is_reached());
      EXPECT_FALSE(first.is_reached());
    }
  }
}

TEST_F(AclrtPersistentTaskClean, OtherStreamsKeepTheirTasks) {
  const BoundStream one;
  const BoundStream other;
  const Event event = Event::ex();
  Building building;
  Mark before;
  Mark kept;
  Mark added;
  building.bind(one);
  building.bind(other);
  EXPECT_OK(before.queue(one));
  EXPECT_OK(aclrtRecordEvent(event, one));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  EXPECT_OK(kept.queue(other));
  building.finish(other);
  building.run();
  before.clear();
  kept.clear();
  EXPECT_OK(aclrtPersistentTaskClean(one));
  EXPECT_EQ(kBound, kept.queue(other));
  EXPECT_FAILS_WITH(kBound, aclrtRecordEvent(event, other));
  building.run();  // the wait for what was removed does not block
  EXPECT_TRUE(kept.is_reached());
  EXPECT_FALSE(before.is_reached());
  EXPECT_OK(added.queue(one));
  EXPECT_OK(aclrtPersistentTaskClean(other));
  EXPECT_OK(aclrtRecordEvent(event, one));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  EXPECT_OK(aclmdlRIEndTask(building, other));
  building.run();
  EXPECT_TRUE(added.is_reached());
}

TEST_F(AclrtPersistentTaskClean, HandlesOfRemovedTasksAreDead) {
  const BoundStream bound;
  Building building;
  Mark mark;
  building.bind(bound);
  EXPECT_OK(mark.queue(bound));
  building.finish(bound);
  aclrtStream stream = nullptr;
  aclmdlRITask tasks[2] = {};
  uint32_t count = 1;
  EXPECT_OK(aclmdlRIGetStreams(building, &stream, &count));
  count = 2;
  EXPECT_OK(aclmdlRIGetTasksByStream(stream, tasks, &count));
  aclmdlRITaskType type = ACL_MODEL_RI_TASK_KERNEL;
  EXPECT_OK(aclmdlRITaskGetType(tasks[0], &type));
  EXPECT_OK(aclrtPersistentTaskClean(bound));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRITaskGetType(tasks[0], &type));
}

TEST_F(AclrtPersistentTaskClean, NotWhileTheModelRuns) {
  const BoundStream bound;
  Building building;
  Mark mark;
  building.bind(bound);
  EXPECT_OK(mark.queue(bound));
  building.finish(bound);
  {
    Gate gate(stream_);
    EXPECT_OK(aclmdlRIExecuteAsync(building, stream_));
    EXPECT_FAILS_WITH(kRunning, aclrtPersistentTaskClean(bound));
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtPersistentTaskClean(bound));
  EXPECT_OK(mark.queue(bound));
  Gate gate(stream_);
  EXPECT_OK(aclmdlRIExecuteAsync(building, stream_));
  EXPECT_EQ(kRunning, mark.queue(bound));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

}  // namespace
}  // namespace conformance::aclrtPersistentTaskClean_test
