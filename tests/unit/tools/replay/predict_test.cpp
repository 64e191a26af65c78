// SPDX-License-Identifier: Apache-2.0
// The simulation, against times computed by hand for an invented device.
#include "replay/predict.h"

#include "recording.h"
#include "replay/as_batch.h"

#include <gtest/gtest.h>

namespace ferry::tools::replay {
namespace {

using testing::kDevice;
using testing::kHost;
using testing::Recording;
using trace::Direction;
using trace::Memory;

constexpr uint64_t kSize = 1000;

// A copy of 1000 bytes: 100 ns to submit, 50 ns until it begins on an idle stream, 1000 ns.
Lane lane(Direction direction, Memory memory) {
  Lane lane;
  lane.direction = direction;
  lane.memory = memory;
  lane.submit_ns = 100;
  lane.batch_submit_ns = 200;
  lane.item_submit_ns = 10;
  lane.batch_ns = 30;
  lane.curves = {{1, {{kSize, 1000, 100 + 50 + 1000 + 10, 900, 400}}}};
  return lane;
}

Profile device() {
  Profile profile;
  profile.synchronize_ns = 10;
  profile.record_ns = 5;
  profile.wait_ns = 5;
  profile.cross_ns = 20;
  profile.fill_submit_ns = 40;
  profile.fill_bytes_per_ns = 10;
  profile.overlaps = {{kSize, 1.5, 2}};
  profile.lanes = {lane(Direction::kHostToDevice, Memory::kPinned),
                   lane(Direction::kDeviceToHost, Memory::kPinned)};
  return profile;
}

Prediction predicted(const Recording& recording, const Profile& profile = device()) {
  return predict(recording.plan(), profile);
}

TEST(ReplayPredict, ALoopIsBoundByTheDevice) {
  Recording recording;
  for (uint64_t i = 0; i < 3; ++i)
    recording.block(1, i, kSize);
  recording.synchronize(1);
  const Prediction result = predicted(recording);
  EXPECT_DOUBLE_EQ(result.total, 100 + 50 + 3 * 1000 + 10);
  EXPECT_DOUBLE_EQ(result.host_blocked, 3150 - 300);
  EXPECT_DOUBLE_EQ(result.device_busy, 3000);
  EXPECT_DOUBLE_EQ(result.begin[0], 150);
  EXPECT_DOUBLE_EQ(result.begin[2], 2150);
  EXPECT_DOUBLE_EQ(result.end[2], 3150);
}

TEST(ReplayPredict, ALoopIsBoundByTheHost) {
  Profile profile = device();
  profile.lanes[0].curves[0].points[0] = {kSize, 10, 100 + 10 + 10, 10, 10};
  Recording recording;
  for (uint64_t i = 0; i < 3; ++i)
    recording.block(1, i, kSize);
  recording.synchronize(1);
  const Prediction result = predicted(recording, profile);
  EXPECT_DOUBLE_EQ(result.total, 300 + 10 + 10);
  EXPECT_DOUBLE_EQ(result.host_blocked, 10);
}

TEST(ReplayPredict, OneCopyCanBeFasterThanOneOfMany) {
  Profile profile = device();
  profile.lanes[0].curves[0].points[0].single_ns = 100 + 700 + 10;
  Recording recording;
  recording.block(1, 0, kSize);
  recording.synchronize(1);
  EXPECT_DOUBLE_EQ(predicted(recording, profile).total, 810);
  recording.block(1, 1, kSize);
  recording.block(1, 2, kSize);
  recording.synchronize(1);
  EXPECT_DOUBLE_EQ(predicted(recording, profile).total, 810 + 810 + 1000) << "only the first one";
}

TEST(ReplayPredict, ABatchPaysPerCallAndPerItem) {
  Recording recording;
  for (uint64_t i = 0; i < 4; ++i)
    recording.block(1, i, kSize);
  recording.synchronize(1);
  const Prediction result = predict(as_batch(recording.plan()), device());
  EXPECT_DOUBLE_EQ(result.total, 200 + 4 * 10 + 30 + 4 * 400 + 10);
}

TEST(ReplayPredict, StreamsShareTheDevice) {
  Recording recording;
  recording.block(1, 0, kSize);
  recording.block(2, 1, kSize);
  recording.synchronize(1);
  recording.synchronize(2);
  const Prediction result = predicted(recording);
  // Alone from 150 to 250, then each at 0.75 of its speed.
  EXPECT_DOUBLE_EQ(result.end[0], 250 + 900 / 0.75);
  EXPECT_DOUBLE_EQ(result.end[1], 1450 + 100);
  EXPECT_DOUBLE_EQ(result.total, 1560);
}

TEST(ReplayPredict, DirectionsShareItDifferently) {
  Recording recording;
  recording.block(1, 0, kSize);
  recording.copy(2, kHost + (1 << 20), kDevice + (1 << 20), kSize, Direction::kDeviceToHost);
  recording.synchronize_device();
  const Prediction result = predicted(recording);
  EXPECT_DOUBLE_EQ(result.end[0], 1150) << "both at full speed";
  EXPECT_DOUBLE_EQ(result.end[1], 1250);
  EXPECT_DOUBLE_EQ(result.total, 1260);
}

TEST(ReplayPredict, EventsOrderStreams) {
  Recording recording;
  recording.block(1, 0, kSize);
  recording.record(1, 1);
  recording.wait(2, 1);
  recording.block(2, 1, kSize);
  recording.synchronize(2);
  const Prediction result = predicted(recording);
  EXPECT_DOUBLE_EQ(result.end[1], 1150);
  EXPECT_DOUBLE_EQ(result.end[2], 1170);
  EXPECT_DOUBLE_EQ(result.begin[3], 1170);
  EXPECT_DOUBLE_EQ(result.total, 2180);
}

TEST(ReplayPredict, AnEventThatIsDoneDelaysNothing) {
  Recording recording;
  recording.block(1, 0, kSize);
  recording.record(1, 1);
  recording.synchronize_event(1);
  recording.wait(2, 1);
  recording.block(2, 1, kSize);
  recording.synchronize(2);
  Profile profile = device();
  profile.cross_ns = 10;
  // Waited until 1150, 1160; wait 1165; submitted 1265; latency 50.
  EXPECT_DOUBLE_EQ(predicted(recording, profile).total, 1265 + 50 + 1000 + 10);
}

TEST(ReplayPredict, BlockingCopiesTakeTheirCall) {
  Recording recording;
  recording.copy(-1, kDevice, kHost, kSize);
  recording.copy(1, kDevice, kHost, kSize, Direction::kHostToDevice, Memory::kPageable);
  const Prediction result = predicted(recording);
  EXPECT_DOUBLE_EQ(result.total, 1800);
  EXPECT_DOUBLE_EQ(result.host_blocked, 1800);
}

TEST(ReplayPredict, FillsAndRows) {
  Recording recording;
  trace::Work& fill = recording.copy(1, kDevice, 0, 5000, Direction::kNone, Memory::kUnknown);
  fill.kind = trace::Kind::kFill;
  trace::Work& rows = recording.copy(1, kDevice, kHost, 2 * kSize);
  rows.kind = trace::Kind::kRows;
  rows.items = 2;
  rows.width = kSize;
  rows.dst_pitch = rows.src_pitch = 2 * kSize;
  // Fill 40 to 540, rows at once after it: 400 each.
  EXPECT_DOUBLE_EQ(predicted(recording).total, 1340);
}

TEST(ReplayPredict, PausesCountOnRequest) {
  Recording recording;
  recording.block(1, 0, kSize);
  recording.pause(5000);
  recording.block(1, 1, kSize);
  const Plan plan = recording.plan();
  EXPECT_DOUBLE_EQ(predict(plan, device()).total, 2150);
  EXPECT_DOUBLE_EQ(predict(plan, device(), true).total, 5100 + 100 + 50 + 1000);
}

TEST(ReplayPredict, ThreadsSubmitAtTheSameTime) {
  Recording recording;
  recording.on_thread(1).block(1, 0, kSize);
  recording.on_thread(2).block(2, 1, kSize);
  EXPECT_DOUBLE_EQ(predicted(recording).total, 150 + 2000 / 1.5);
  Recording ordered;  // the second thread uses the stream of the first
  ordered.on_thread(1).block(1, 0, kSize);
  ordered.on_thread(2).block(1, 1, kSize);
  ordered.on_thread(2).synchronize(1);
  const Prediction result = predicted(ordered);
  EXPECT_DOUBLE_EQ(result.total, 2160);
  EXPECT_DOUBLE_EQ(result.host_blocked, 2150 - 200);
}

}  // namespace
}  // namespace ferry::tools::replay
