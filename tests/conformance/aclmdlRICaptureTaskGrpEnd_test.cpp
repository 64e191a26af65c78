// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureTaskGrpEnd: closes a group of kernels and names it.
#include "support/kernel_models.h"

namespace conformance::aclmdlRICaptureTaskGrpEnd_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICaptureTaskGrpEnd = WithKernelModels;

TEST_F(AclmdlRICaptureTaskGrpEnd, ChecksInOrder) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureTaskGrpEnd(nullptr, &group_));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureTaskGrpEnd(stream_, nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureTaskGrpEnd(dead_model(stream_), &group_));
  EXPECT_FAILS(kNotCaptured, "EE1016", aclmdlRICaptureTaskGrpEnd(stream_, &group_));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  on_new_thread(
      [&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRICaptureTaskGrpEnd(stream_, &group_)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclmdlRICaptureTaskGrpEnd(stream_, &group_));
  }
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskGrpEnd(stream_, &group_));
  discard(stream_);
}

TEST_F(AclmdlRICaptureTaskGrpEnd, TheGroupBelongsToItsStream) {
  const Stream side;
  const Event fork = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(fork, stream_));
  EXPECT_OK(aclrtStreamWaitEvent(side, fork));
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskGrpEnd(side, &group_));
  EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream_, &group_));
  discard(stream_);
}

TEST_F(AclmdlRICaptureTaskGrpEnd, TheKernelsOfAGroupRunLikeOthers) {
  aclrtTaskGrp groups[2] = {};
  const Model model = capture(stream_, [&] {
    EXPECT_OK(launch_number(stream_, 1));
    for (uint64_t i = 0; i < 2; ++i) {
      EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
      EXPECT_OK(launch_number(stream_, 2 + 2 * i));
      EXPECT_OK(launch_number(stream_, 3 + 2 * i));
      EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream_, &groups[i]));
    }
    EXPECT_OK(launch_number(stream_, 6));
  });
  EXPECT_NE(nullptr, groups[0]);
  EXPECT_NE(nullptr, groups[1]);
  EXPECT_NE(groups[0], groups[1]);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(Numbers({1, 2, 3, 4, 5, 6}), numbers_of_run(model));
}

TEST_F(AclmdlRICaptureTaskGrpEnd, AGroupMayBeEmpty) {
  const Model model = capture_group({});
  EXPECT_NE(nullptr, group_);
  update_group(stream_, {});
  EXPECT_EQ(Numbers(), numbers_of_run(model));
}

TEST_F(AclmdlRICaptureTaskGrpEnd, AnInvalidCaptureGivesNoGroup) {
  const Stream other;
  const Event event = Event::ex();
  EXPECT_OK(aclmdlRICaptureBegin(other, kRelaxed));
  EXPECT_OK(aclrtRecordEvent(event, other));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS_WITH(kConflict, aclrtStreamWaitEvent(stream_, event));
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
  group_ = kernels::untouched();
  EXPECT_FAILS(kInvalidated, "EE1016", aclmdlRICaptureTaskGrpEnd(stream_, &group_));
  EXPECT_EQ(nullptr, group_);
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskGrpEnd(stream_, &group_));
  discard(stream_);
  discard(other);
}

TEST_F(AclmdlRICaptureTaskGrpEnd, TheCaptureCannotEndBefore) {
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
  EXPECT_OK(launch_number(stream_, 1));
  aclmdlRI model = kernels::untouched();
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureEnd(stream_, &model));
  EXPECT_EQ(nullptr, model);
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_NONE, status_of(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Numbers(), take_numbers());
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureTaskGrpEnd_test
