// SPDX-License-Identifier: Apache-2.0
// aclmdlRIBuildBegin: a model that is built from bound streams.
#include "support/built_models.h"

namespace conformance::aclmdlRIBuildBegin_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIBuildBegin = WithStream;

TEST_F(AclmdlRIBuildBegin, ChecksInOrder) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIBuildBegin(nullptr, 0));
  on_new_thread([] {
    aclmdlRI model = nullptr;
    EXPECT_FAILS_WITH(kNoContext, aclmdlRIBuildBegin(&model, 0));
  });
}

TEST_F(AclmdlRIBuildBegin, TheModelCannotRunBeforeItIsBuilt) {
  BoundStream stream;
  Building model;
  EXPECT_FAILS_WITH(kCannotExecute, aclmdlRIExecute(model, -1));
  EXPECT_FAILS(kCannotExecute, "EE1018", aclmdlRIExecuteAsync(model, stream_));
  model.bind(stream);
  EXPECT_OK(aclmdlRIEndTask(model, stream));
  EXPECT_FAILS(kCannotExecute, "EE1018", aclmdlRIExecuteAsync(model, stream_));
}

TEST_F(AclmdlRIBuildBegin, RunsWhatItsStreamsHaveStored) {
  BoundStream stream;
  Building model;
  Mark mark;
  model.bind(stream);
  EXPECT_OK(mark.queue(stream));
  model.finish(stream);
  EXPECT_FALSE(mark.is_reached());
  for (int i = 0; i < 3; ++i) {
    mark.clear();
    model.run();
    EXPECT_TRUE(mark.is_reached());
  }
  mark.clear();
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclmdlRIBuildBegin, StreamsAreOrderedByEvents) {
  BoundStream first;
  BoundStream second;
  const Event there = Event::ex();
  const Event back = Event::ex();
  PinnedBuffer source(64);
  PinnedBuffer result(64);
  const DeviceBuffer a(64);
  const DeviceBuffer b(64);
  Building model;
  model.bind(first);
  model.bind(second);
  EXPECT_OK(aclrtMemcpyAsync(a.get(), 64, source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, first));
  EXPECT_OK(aclrtRecordEvent(there, first));
  EXPECT_OK(aclrtStreamWaitEvent(second, there));
  EXPECT_OK(aclrtMemcpyAsync(b.get(), 64, a.get(), 64, ACL_MEMCPY_DEVICE_TO_DEVICE, second));
  EXPECT_OK(aclrtRecordEvent(back, second));
  EXPECT_OK(aclrtStreamWaitEvent(first, back));
  EXPECT_OK(aclrtMemcpyAsync(result.get(), 64, b.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, first));
  model.finish(first);
  for (uint8_t seed = 1; seed < 10; ++seed) {
    source.fill(pattern(64, seed));
    model.run();
    EXPECT_EQ(pattern(64, seed), result.copy());
  }
}

}  // namespace
}  // namespace conformance::aclmdlRIBuildBegin_test
