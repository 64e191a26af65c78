// SPDX-License-Identifier: Apache-2.0
// aclmdlRIDestroy: waits for runs, and the handle is dead afterwards.
#include "support/models.h"

namespace conformance::aclmdlRIDestroy_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIDestroy = WithStream;

TEST_F(AclmdlRIDestroy, ChecksInOrder) {
  Model model = capture(stream_, [] {});
  const Stream busy;
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIDestroy(nullptr));
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS_WITH(kBadHandle, aclmdlRIDestroy(handle));
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIDestroy(model)); });
  const OtherContext other;
  {
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIDestroy(model));
  }
  EXPECT_OK(aclmdlRICaptureBegin(busy, kRelaxed));
  EXPECT_FAILS_WITH(kModelCaptured, aclmdlRIDestroy(model_of(busy)));
  discard(busy);
  const aclmdlRI handle = model.release();
  EXPECT_OK(aclmdlRIDestroy(handle));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIDestroy(handle));
}

TEST_F(AclmdlRIDestroy, WaitsForRunsThatAreQueued) {
  Mark marks[3];
  Gate gate(stream_);
  aclmdlRI model = nullptr;
  const Stream recorded;
  model = capture(recorded, [&] {
            for (Mark& mark : marks)
              EXPECT_OK(mark.queue(recorded));
          }).release();
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  gate.open();
  EXPECT_OK(aclmdlRIDestroy(model));  // without a synchronisation
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  for (const Mark& mark : marks)
    EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclmdlRIDestroy, OnManyThreadsOneWins) {
  for (int round = 0; round < 20; ++round) {
    const aclmdlRI model = capture(stream_, [] {}).release();
    std::atomic<int> destroyed{0};
    streams::on_threads(4, [&](int) {
      if (aclmdlRIDestroy(model) == ACL_SUCCESS) ++destroyed;
    });
    EXPECT_EQ(1, destroyed);
  }
}

TEST_F(AclmdlRIDestroy, LeavesTheMemoryOfTasks) {
  PinnedBuffer source(64);
  DeviceBuffer device(64);
  aclmdlRI model = capture(stream_, [&] {
                     EXPECT_OK(aclrtMemcpyAsync(device.get(), 64, source.get(), 64,
                                                ACL_MEMCPY_HOST_TO_DEVICE, stream_));
                   }).release();
  EXPECT_OK(aclmdlRIDestroy(model));
  device.write(pattern(64));
  EXPECT_EQ(pattern(64), device.read());
}

}  // namespace
}  // namespace conformance::aclmdlRIDestroy_test
