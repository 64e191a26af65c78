// SPDX-License-Identifier: Apache-2.0
// aclmdlRICaptureTaskGrpBegin: opens a group of kernels in a capture.
#include "support/kernel_models.h"

#include <functional>
#include <optional>

namespace conformance::aclmdlRICaptureTaskGrpBegin_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

class AclmdlRICaptureTaskGrpBegin : public WithKernelModels {
 protected:
  void SetUp() override {
    WithKernelModels::SetUp();
    if (IsSkipped()) return;
    parts_.emplace();
    side_ = parts_->side;
    fork_ = parts_->fork;
  }
  void TearDown() override {
    parts_.reset();
    WithKernelModels::TearDown();
  }

  // Begins a capture of stream_ which `side_` has joined, and opens a group.
  void begin_group() {
    EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
    EXPECT_OK(aclrtRecordEvent(fork_, stream_));
    EXPECT_OK(aclrtStreamWaitEvent(side_, fork_));
    EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
  }
  // The group and the capture have failed with these codes.
  void expect_failed(aclError code) {
    EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED, status_of(stream_));
    EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED, status_of(side_));
    EXPECT_OK(launch_number(stream_, 1));  // dropped, as all tasks of an invalid capture
    group_ = kernels::untouched();
    EXPECT_FAILS_WITH(code, aclmdlRICaptureTaskGrpEnd(stream_, &group_));
    EXPECT_EQ(nullptr, group_);
    EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskGrpEnd(stream_, &group_));
    aclmdlRI model = kernels::untouched();
    EXPECT_FAILS_WITH(kInvalidated, aclmdlRICaptureEnd(stream_, &model));
    EXPECT_EQ(nullptr, model);
  }

  // What needs the context of the test.
  struct Parts {
    Stream side;
    Event fork = Event::ex();
  };
  std::optional<Parts> parts_;
  aclrtStream side_ = nullptr;
  aclrtEvent fork_ = nullptr;
};

TEST_F(AclmdlRICaptureTaskGrpBegin, ChecksInOrder) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRICaptureTaskGrpBegin(nullptr));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRICaptureTaskGrpBegin(dead_model(stream_)));
  on_new_thread(
      [&] { EXPECT_FAILS(kNotCaptured, "EE1016", aclmdlRICaptureTaskGrpBegin(stream_)); });
  begin_group();
  on_new_thread([&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRICaptureTaskGrpBegin(stream_)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kOtherContext, aclmdlRICaptureTaskGrpBegin(stream_));
  }
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskGrpBegin(stream_));
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskGrpBegin(side_));
  EXPECT_EQ(ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, status_of(stream_));
  discard(stream_);
}

TEST_F(AclmdlRICaptureTaskGrpBegin, NotOnAStreamInAnUpdate) {
  const Model model = capture_group({1});
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_FAILS_WITH(kGroupStatus, aclmdlRICaptureTaskGrpBegin(stream_));
  discard(stream_);
  EXPECT_OK(launch_number(stream_, 2));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_EQ(Numbers({2}), numbers_of_run(model));
}

TEST_F(AclmdlRICaptureTaskGrpBegin, ATaskThatIsNoKernelInvalidatesTheCapture) {
  const DeviceBuffer memory(64);
  const Event event = Event::ex();
  const Event external = Event::with_flag(ACL_EVENT_EXTERNAL);
  Counter counter;
  const std::function<aclError()> others[] = {
      [&] { return aclrtMemsetAsync(memory.get(), 64, 1, 64, stream_); },
      [&] { return aclrtRecordEvent(event, stream_); },
      [&] { return aclrtStreamWaitEvent(stream_, fork_); },
      [&] { return aclrtRecordEvent(external, stream_); },
      [&] { return counter.queue(stream_); },
      [&] { return aclrtValueWrite(memory.get(), 1, 0, stream_); },
  };
  for (const auto& other : others) {
    begin_group();
    EXPECT_OK(launch_number(stream_, 1));
    EXPECT_EQ(kWrongTaskType, other());
    EXPECT_NE(std::string::npos, recent_text().find("(EE1006)")) << recent_text();
    expect_failed(kWrongTaskType);
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Numbers(), take_numbers());
}

TEST_F(AclmdlRICaptureTaskGrpBegin, ATaskOnAnotherStreamInvalidatesTheCapture) {
  const Stream third;
  const std::function<aclError()> others[] = {
      [&] { return launch_number(side_, 1); }, [&] { return aclrtRecordEvent(fork_, side_); },
      [&] { return aclrtStreamWaitEvent(third, fork_); },  // it joins the capture by that
  };
  for (const auto& other : others) {
    begin_group();
    EXPECT_EQ(kGroupInterrupted, other());
    expect_failed(kGroupInterrupted);
  }
}

TEST_F(AclmdlRICaptureTaskGrpBegin, OtherCapturesAndStreamsAreNotConcerned) {
  const Stream other;
  EXPECT_OK(aclmdlRICaptureBegin(stream_, kRelaxed));
  EXPECT_OK(aclmdlRICaptureBegin(other, kRelaxed));
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(other));
  Mark mark;
  EXPECT_OK(mark.queue(side_));
  EXPECT_OK(launch_number(other, 1));
  EXPECT_OK(aclmdlRICaptureTaskGrpEnd(other, &group_));
  EXPECT_OK(mark.queue(other));
  EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream_, &group_));
  discard(other);
  discard(stream_);
  EXPECT_OK(aclrtSynchronizeStream(side_));
}

}  // namespace
}  // namespace conformance::aclmdlRICaptureTaskGrpBegin_test
