// SPDX-License-Identifier: Apache-2.0
// Markers that the host reaches and flags that it sets, for events and notifies of other processes.
#include "backend_test.h"

namespace host_gpu {
namespace {

constexpr int kEndedBadly = 507053;  // any code will do

class HostGpuEndedByHost : public BackendTest {
 protected:
  void SetUp() override {
    BackendTest::SetUp();
    ASSERT_EQ(0, backend().marker_create(device(), &marker_));
    ASSERT_EQ(0, backend().flag_create(device(), &flag_));
  }
  void TearDown() override {
    backend().marker_release(marker_);
    backend().flag_release(flag_);
    BackendTest::TearDown();
  }
  int await_marker() {
    ferryx_work work{};
    work.struct_size = sizeof work;
    work.kind = FERRYX_AWAIT;
    work.as.marker = {.marker = marker_, .timeout = FERRYX_FOREVER};
    return backend().queue_submit(queue_, &work);
  }
  int take_flag() {
    ferryx_work work{};
    work.struct_size = sizeof work;
    work.kind = FERRYX_TAKE_FLAG;
    work.as.flag = {.flag = flag_, .timeout = FERRYX_FOREVER};
    return backend().queue_submit(queue_, &work);
  }
  bool is_done() {
    int done = 0;
    EXPECT_EQ(0, backend().queue_query(queue_, &done));
    return done != 0;
  }
  bool is_reached() {
    int reached = 0;
    EXPECT_EQ(0, backend().marker_query(marker_, &reached));
    return reached != 0;
  }

  ferryx_marker* marker_ = nullptr;
  ferryx_flag* flag_ = nullptr;
};

TEST_F(HostGpuEndedByHost, AQueueGoesOnWhenTheHostReachesTheMarker) {
  EXPECT_EQ(0, await_marker());
  EXPECT_FALSE(is_done());
  EXPECT_FALSE(is_reached());
  EXPECT_EQ(0, backend().marker_finish(marker_, 0));
  EXPECT_EQ(0, synchronize());
  EXPECT_TRUE(is_reached());
  EXPECT_EQ(0, fake_runtime().fault_code);
  EXPECT_EQ(0, backend().marker_synchronize(marker_, FERRYX_FOREVER));
  uint64_t time = 0;
  EXPECT_EQ(0, backend().marker_time(marker_, &time));
  EXPECT_LT(0u, time);
}

TEST_F(HostGpuEndedByHost, NobodyWaitsForAMarkerThatWasReachedBefore) {
  EXPECT_EQ(0, backend().marker_finish(marker_, 0));
  EXPECT_EQ(0, await_marker());
  EXPECT_EQ(0, synchronize());
}

TEST_F(HostGpuEndedByHost, WorkThatWaitsFailsWithTheCode) {
  EXPECT_EQ(0, await_marker());
  EXPECT_EQ(0, backend().marker_finish(marker_, kEndedBadly));
  EXPECT_EQ(0, synchronize());
  EXPECT_EQ(kEndedBadly, fake_runtime().fault_code);
  EXPECT_EQ(kEndedBadly, backend().marker_synchronize(marker_, FERRYX_FOREVER));
  EXPECT_TRUE(is_reached());
}

TEST_F(HostGpuEndedByHost, SubmittingAWaitForAFailedMarkerSucceedsAndTheWorkFails) {
  EXPECT_EQ(0, backend().marker_finish(marker_, kEndedBadly));
  EXPECT_EQ(0, await_marker());
  EXPECT_EQ(0, synchronize());
  EXPECT_EQ(kEndedBadly, fake_runtime().fault_code);
}

TEST_F(HostGpuEndedByHost, TheFirstEndCounts) {
  EXPECT_EQ(0, backend().marker_finish(marker_, 0));
  EXPECT_EQ(0, backend().marker_finish(marker_, kEndedBadly));
  EXPECT_EQ(0, backend().marker_synchronize(marker_, FERRYX_FOREVER));
}

TEST_F(HostGpuEndedByHost, AQueueTakesAFlagThatTheHostSets) {
  EXPECT_EQ(0, take_flag());
  EXPECT_FALSE(is_done());
  EXPECT_EQ(0, backend().flag_set(flag_));
  EXPECT_EQ(0, synchronize());
  EXPECT_EQ(0, take_flag());
  EXPECT_FALSE(is_done()) << "the first wait has cleared the flag";
  EXPECT_EQ(0, backend().flag_set(flag_));
  EXPECT_EQ(0, synchronize());
}

}  // namespace
}  // namespace host_gpu
