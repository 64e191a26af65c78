// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureTaskUpdateEnd: the kernels of a group change when the stream comes to it.
#include "support/built_models.h"
#include "support/kernel_models.h"
#include "support/values.h"

namespace conformance::aclmdlRICaptureTaskUpdateEnd_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICaptureTaskUpdateEnd = WithKernelModels;

TEST_F(AclmdlRICaptureTaskUpdateEnd, ChecksInOrder) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureTaskUpdateEnd(nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureTaskUpdateEnd(dead_model(stream_)));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS(kStreamCaptured, "EE1016", aclmdlRICaptureTaskUpdateEnd(stream_));
  discard(stream_);
  {
    const BoundStream bound;
    Building building;
    building.bind(bound);
    EXPECT_FAILS_WITH(kBound, aclmdlRICaptureTaskUpdateEnd(bound));
    EXPECT_OK(aclmdlRIUnbindStream(building, bound));
  }
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRICaptureTaskUpdateEnd(stream_)); });
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskUpdateEnd(stream_));
}

TEST_F(AclmdlRICaptureTaskUpdateEnd, AMissingLaunchChangesNothing) {
  const Model model = capture_group({1, 2});
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_OK(launch_number(stream_, 3));
  EXPECT_FAILS(kInternal, "EE1017", aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_EQ(Numbers({1, 2}), numbers_of_run(model));
  update_group(stream_, {4, 5});
  EXPECT_EQ(Numbers({4, 5}), numbers_of_run(model));
}

TEST_F(AclmdlRICaptureTaskUpdateEnd, ReplacesKernelBlocksAndArguments) {
  const Model model = capture_group({1});
  DeviceBuffer memory(64);
  memory.write(pattern(64));
  kernels::IncrementArguments arguments{memory.get(), 64};
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_OK(aclrtLaunchKernelWithHostArgs(function("ct_increment"), 5, stream_, nullptr, &arguments,
                                          sizeof arguments, nullptr, 0));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_EQ(Numbers(), numbers_of_run(model));
  std::vector<uint8_t> expected = pattern(64);
  for (uint8_t& byte : expected)
    ++byte;
  EXPECT_EQ(expected, memory.read());
  uint64_t block[2] = {8, 9};
  DeviceBuffer in_device(sizeof block);
  EXPECT_OK(
      aclrtMemcpy(in_device.get(), sizeof block, block, sizeof block, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_OK(aclrtLaunchKernel(function(), 7, in_device.get(), sizeof block, stream_));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  const kernels::Seen seen = only_seen();
  EXPECT_EQ(7u, seen.blocks);
  EXPECT_EQ(9u, seen.at<uint64_t>(8));
}

TEST_F(AclmdlRICaptureTaskUpdateEnd, TakesItsPlaceInTheStream) {
  const Model model = capture_group({1});
  const Stream updating;
  streams::Hold hold(updating);
  update_group(updating, {2});
  EXPECT_EQ(Numbers({1}), numbers_of_run(model));
  hold.release();
  EXPECT_OK(aclrtSynchronizeStream(updating));
  EXPECT_EQ(Numbers({2}), numbers_of_run(model));
  // Runs and updates on one stream follow each other.
  for (uint64_t i = 0; i < 3; ++i) {
    update_group(stream_, {10 + i});
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Numbers({10, 11, 12}), take_numbers());
}

// The run waits for a value that the update stream writes behind the update.
TEST_F(AclmdlRICaptureTaskUpdateEnd, ConcernsARunThatHasNotComeToTheTask) {
  const values::DeviceValue ready;
  const Stream updating;
  const Model model = capture(stream_, [&] {
    EXPECT_OK(launch_number(stream_, 1));
    EXPECT_OK(aclrtValueWait(ready.get(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream_));
    EXPECT_OK(aclrtValueWrite(ready.get(), 0, 0, stream_));
    EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
    EXPECT_OK(launch_number(stream_, 2));
    EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream_, &group_));
  });
  for (uint64_t i = 0; i < 4; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, stream_));
    update_group(updating, {100 + i});
    EXPECT_OK(aclrtValueWrite(ready.get(), 1, 0, updating));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(Numbers({1, 100 + i}), take_numbers());
  }
}

TEST_F(AclmdlRICaptureTaskUpdateEnd, AnAbortedUpdateChangesNothing) {
  const Model model = capture_group({1});
  const Stream updating;
  streams::Hold hold(updating);
  update_group(updating, {2});
  EXPECT_OK(aclrtStreamAbort(updating));
  EXPECT_EQ(Numbers({1}), numbers_of_run(model));
  update_group(updating, {3});
  EXPECT_OK(aclrtSynchronizeStream(updating));
  EXPECT_EQ(Numbers({3}), numbers_of_run(model));
}

TEST_F(AclmdlRICaptureTaskUpdateEnd, ThreadsUpdateTheirOwnGroups) {
  constexpr int kThreads = 4;
  std::vector<aclrtTaskGrp> groups(kThreads);
  const Model model = capture(stream_, [&] {
    for (aclrtTaskGrp& group : groups) {
      EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
      EXPECT_OK(launch_number(stream_, 0));
      EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream_, &group));
    }
  });
  streams::on_threads(kThreads, [&](int thread) {
    const Stream updating;
    for (uint64_t i = 1; i <= 20; ++i) {
      EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(updating, groups[static_cast<size_t>(thread)]));
      EXPECT_OK(launch_number(updating, i));
      EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(updating));
      EXPECT_OK(aclmdlRIExecuteAsync(model, updating));
    }
    EXPECT_OK(aclrtSynchronizeStream(updating));
  });
  EXPECT_EQ(static_cast<size_t>(kThreads) * 20 * kThreads, take_numbers().size());
  EXPECT_EQ(Numbers(kThreads, 20), numbers_of_run(model));
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureTaskUpdateEnd_test
