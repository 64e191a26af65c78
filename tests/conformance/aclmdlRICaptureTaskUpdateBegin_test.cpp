// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureTaskUpdateBegin: launches on a stream replace the kernels of a group.
#include "support/built_models.h"
#include "support/kernel_models.h"

namespace conformance::aclmdlRICaptureTaskUpdateBegin_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICaptureTaskUpdateBegin = WithKernelModels;

TEST_F(AclmdlRICaptureTaskUpdateBegin, ChecksInOrder) {
  const Model model = capture_group({1});
  const Stream updating;
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureTaskUpdateBegin(nullptr, group_));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureTaskUpdateBegin(updating, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureTaskUpdateBegin(group_, group_));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureTaskUpdateBegin(updating, model));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  on_new_thread([&] {
    EXPECT_FAILS(kStreamCaptured, "EE1016", aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  });
  discard(stream_);
  {
    const BoundStream bound;
    Building building;
    building.bind(bound);
    on_new_thread(
        [&] { EXPECT_FAILS_WITH(kBound, aclmdlRICaptureTaskUpdateBegin(bound, group_)); });
    EXPECT_OK(aclmdlRIUnbindStream(building, bound));
  }
  on_new_thread(
      [&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRICaptureTaskUpdateBegin(updating, group_)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclmdlRICaptureTaskUpdateBegin(updating, group_));
    const Stream there;
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRICaptureTaskUpdateBegin(there, group_));
  }
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(updating, group_));
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskUpdateBegin(updating, group_));
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_OK(launch_number(updating, 2));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(updating));
  EXPECT_OK(aclrtSynchronizeStream(updating));
  EXPECT_EQ(Numbers({2}), numbers_of_run(model));
}

TEST_F(AclmdlRICaptureTaskUpdateBegin, TheGroupDiesWithTheModel) {
  Model model = capture_group({1});
  EXPECT_OK(aclmdlRIDestroy(model.release()));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureTaskUpdateBegin(stream_, group_));
}

TEST_F(AclmdlRICaptureTaskUpdateBegin, AModelMayEndDuringAnUpdate) {
  Model model = capture_group({1});
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_OK(launch_number(stream_, 2));
  EXPECT_OK(aclmdlRIDestroy(model.release()));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Numbers(), take_numbers());
}

TEST_F(AclmdlRICaptureTaskUpdateBegin, OnlyAsManyLaunchesAsTasks) {
  const Model model = capture_group({1, 2});
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_OK(launch_number(stream_, 3));
  EXPECT_OK(launch_number(stream_, 4));
  EXPECT_EQ(kInternal, launch_number(stream_, 5));
  EXPECT_NE(std::string::npos, recent_text().find("2 tasks")) << recent_text();
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_EQ(Numbers({3, 4}), numbers_of_run(model));
}

TEST_F(AclmdlRICaptureTaskUpdateBegin, OtherTasksAreRefused) {
  const Model model = capture_group({1});
  const DeviceBuffer memory(64);
  const Event event = Event::ex();
  Counter counter;
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_FAILS(kWrongTaskType, "EE1006", aclrtMemsetAsync(memory.get(), 64, 1, 64, stream_));
  uint8_t pageable[64] = {};
  EXPECT_FAILS(
      kWrongTaskType, "EE1006",
      aclrtMemcpyAsync(memory.get(), 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_FAILS(kWrongTaskType, "EE1006", aclrtRecordEvent(event, stream_));
  EXPECT_EQ(kWrongTaskType, counter.queue(stream_));
  EXPECT_FAILS(kWrongTaskType, "EE1006", aclmdlRIExecuteAsync(model, stream_));
  EXPECT_OK(launch_number(stream_, 2));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_EQ(Numbers({2}), numbers_of_run(model));
  EXPECT_EQ(0, counter.calls());
}

TEST_F(AclmdlRICaptureTaskUpdateBegin, ADestroyedStreamLeavesItsUpdate) {
  const Model model = capture_group({1});
  for (const bool is_forced : {false, true}) {
    Stream updating;
    EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(updating, group_));
    EXPECT_OK(launch_number(updating, 2));
    EXPECT_OK(is_forced ? aclrtDestroyStreamForce(updating) : aclrtDestroyStream(updating));
    static_cast<void>(updating.release());
  }
  EXPECT_EQ(Numbers({1}), numbers_of_run(model));
  update_group(stream_, {3});
  EXPECT_EQ(Numbers({3}), numbers_of_run(model));
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureTaskUpdateBegin_test
