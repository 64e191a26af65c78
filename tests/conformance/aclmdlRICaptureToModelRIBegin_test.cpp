// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureToModelRIBegin: captures a branch of a condition.
#include "support/conditions.h"

namespace conformance::aclmdlRICaptureToModelRIBegin_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRICaptureToModelRIBegin = WithStream;

TEST_F(AclmdlRICaptureToModelRIBegin, ChecksInOrder) {
  const Stream cpu(kCpuSchedule);
  const Stream side;
  const Stream busy;
  const Model ready = capture(stream_, [] {});
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  const auto branches = add_task(stream_, create_condition(stream_), kIf, 2);
  const auto bad_mode = static_cast<aclmdlRICaptureMode>(3);
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureToModelRIBegin(nullptr, ready, bad_mode));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureToModelRIBegin(cpu, nullptr, bad_mode));
  EXPECT_FAILS(kBadValue, "EE1003", aclmdlRICaptureToModelRIBegin(cpu, ready, bad_mode));
  EXPECT_FAILS(kBadValue, "EE1017", aclmdlRICaptureToModelRIBegin(cpu, ready, kRelaxed));
  EXPECT_FAILS_WITH(kInternal, aclmdlRICaptureToModelRIBegin(cpu, branches[0], kRelaxed));
  on_new_thread([&] {
    EXPECT_FAILS_WITH(kNoContext, aclmdlRICaptureToModelRIBegin(side, branches[0], kRelaxed));
  });
  EXPECT_OK(aclmdlRICaptureBegin(busy, kRelaxed));
  EXPECT_FAILS_WITH(kStreamCaptured, aclmdlRICaptureToModelRIBegin(busy, branches[0], kRelaxed));
  EXPECT_FAILS_WITH(kStreamCaptured, aclmdlRICaptureToModelRIBegin(stream_, branches[0], kRelaxed));
  capture_branch(side, branches[0], [] {});
  EXPECT_FAILS_WITH(kModelCaptured, aclmdlRICaptureToModelRIBegin(side, branches[0], kRelaxed));
  EXPECT_OK(aclmdlRICaptureToModelRIBegin(side, branches[1], kRelaxed));
  EXPECT_FAILS_WITH(kModelCaptured, aclmdlRICaptureToModelRIBegin(busy, branches[1], kRelaxed));
  discard(busy);
  // The parent ends before its branch: both are discarded.
  aclmdlRI model = nullptr;
  EXPECT_FAILS_WITH(107045, aclmdlRICaptureEnd(stream_, &model));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_NONE, status_of(side));
}

TEST_F(AclmdlRICaptureToModelRIBegin, TheEndNeedsNoPlaceForTheModel) {
  const Stream side;
  const Model model = capture(stream_, [&] {
    const auto branches = add_task(stream_, create_condition(stream_), kIf, 1);
    EXPECT_OK(aclmdlRICaptureToModelRIBegin(side, branches[0], kGlobal));
    EXPECT_OK(aclmdlRICaptureEnd(side, nullptr));
  });
}

TEST_F(AclmdlRICaptureToModelRIBegin, BranchesAreUsedThroughTheirModelOnly) {
  const Stream side;
  const Event event = Event::ex();
  aclmdlRI branch = nullptr;
  const Model model = capture(stream_, [&] {
    branch = add_task(stream_, create_condition(stream_), kIf, 1)[0];
    capture_branch(side, branch, [&] {
      EXPECT_FAILS_WITH(kNotSupported, aclrtRecordEventWithFlag(event, side, 1));
    });
  });
  uint32_t count = 0;
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIExecuteAsync(branch, stream_));
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIDestroy(branch));
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIAbort(branch));
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIGetStreams(branch, nullptr, &count));
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIUpdate(branch));
  EXPECT_FAILS_WITH(kNotSupported,
                    aclmdlRIDestroyRegisterCallback(branch, Counter::count, nullptr));
  EXPECT_FAILS_WITH(kNotSupported, aclmdlRIDestroyUnregisterCallback(branch, Counter::count));
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureToModelRIBegin_test
