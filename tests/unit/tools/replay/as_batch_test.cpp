// SPDX-License-Identifier: Apache-2.0
// Batches from single copies: which copies may become one, and what they must not pass.
#include "replay/as_batch.h"

#include "recording.h"

#include <gtest/gtest.h>

#include <string>

namespace ferry::tools::replay {
namespace {

using testing::kDevice;
using testing::kHost;
using testing::Recording;
using trace::Direction;
using trace::Memory;

// "copy", "batch of 3", ...: the steps of the plan with batches.
std::string shape_of(const Plan& plan) {
  std::string text;
  for (const Step& step : plan.steps) {
    if (!text.empty()) text += ", ";
    text += name_of(step.action);
    if (step.action == Action::kBatch) text += " of " + std::to_string(step.items);
  }
  return text;
}

std::string batched(const Recording& recording) {
  return shape_of(as_batch(recording.plan()));
}

TEST(ReplayAsBatch, JoinsCopiesUpToASynchronisation) {
  Recording recording;
  for (uint64_t i = 0; i < 3; ++i)
    recording.block(1, i);
  recording.synchronize(1);
  for (uint64_t i = 3; i < 5; ++i)
    recording.block(1, i);
  const Plan before = recording.plan();
  const Plan plan = as_batch(before);
  EXPECT_EQ(shape_of(plan), "batch of 3, synchronize stream, batch of 2");
  EXPECT_EQ(plan.steps[0].bytes, 3U * 4096);
  EXPECT_EQ(plan.steps[2].first_item, 3U);
  EXPECT_EQ(plan.items[4].dst.offset, before.items[4].dst.offset);
}

TEST(ReplayAsBatch, MergesNeighbours) {
  Recording recording;
  recording.copy(1, kDevice, kHost, 100);
  recording.copy(1, kDevice + 100, kHost + 100, 50);
  recording.copy(1, kDevice + 4096, kHost + 4096, 10);
  EXPECT_EQ(batched(recording), "batch of 2");
  EXPECT_EQ(as_batch(recording.plan()).items[0].size, 150U);
  Recording all;
  all.copy(1, kDevice, kHost, 100);
  all.copy(1, kDevice + 100, kHost + 100, 50);
  EXPECT_EQ(batched(all), "copy");
  EXPECT_EQ(as_batch(all.plan()).steps[0].bytes, 150U);
}

TEST(ReplayAsBatch, PassesNoEventOfItsStream) {
  Recording recording;
  recording.block(1, 0);
  recording.record(1, 1);
  recording.block(1, 1);
  recording.wait(1, 1);
  recording.block(1, 2);
  recording.block(1, 3);
  EXPECT_EQ(batched(recording), "copy, record, copy, wait, batch of 2");
}

TEST(ReplayAsBatch, PassesNothingThatTheHostWaitsFor) {
  Recording stream;
  stream.block(1, 0);
  stream.block(2, 1);
  stream.synchronize(2);
  stream.block(1, 2);
  EXPECT_EQ(batched(stream), "copy, copy, synchronize stream, copy");
  Recording device;
  device.block(1, 0);
  device.on_thread(7).synchronize_device();
  device.on_thread(100).block(1, 1);
  EXPECT_EQ(batched(device), "copy, synchronize device, copy");
  Recording pageable;
  pageable.block(1, 0);
  pageable.copy(2, kDevice + (1 << 20), kHost, 64, Direction::kHostToDevice, Memory::kPageable);
  pageable.block(1, 1);
  EXPECT_EQ(batched(pageable), "copy, copy, copy");
  Recording now;
  now.block(1, 0);
  now.copy(-1, kDevice + (1 << 20), kHost + (1 << 20), 64);
  now.block(1, 1);
  EXPECT_EQ(batched(now), "copy, copy, copy");
}

TEST(ReplayAsBatch, PassesNoCopyOfTheSameBytes) {
  Recording same_target;  // the second copy must win
  same_target.block(1, 0);
  same_target.copy(1, kDevice + 100, kHost + (1 << 20), 100);
  EXPECT_EQ(batched(same_target), "copy, copy");
  Recording other_stream;
  other_stream.block(1, 0);
  other_stream.copy(2, kHost + 100, kDevice + (1 << 20), 10, Direction::kDeviceToHost);
  other_stream.block(1, 1);
  EXPECT_EQ(batched(other_stream), "copy, copy, copy") << "it overwrites the source of the first";
  Recording same_source;  // both only read
  same_source.copy(1, kDevice, kHost, 100);
  same_source.copy(1, kDevice + 4096, kHost, 100);
  EXPECT_EQ(batched(same_source), "batch of 2");
}

TEST(ReplayAsBatch, LeavesOtherStreamsAlone) {
  Recording recording;
  for (uint64_t i = 0; i < 4; ++i)
    recording.block(static_cast<int32_t>(i % 2), i);
  EXPECT_EQ(batched(recording), "batch of 2, batch of 2");
}

TEST(ReplayAsBatch, TakesOneDirectionThreadAndMemory) {
  Recording direction;
  direction.block(1, 0);
  direction.copy(1, kHost + (1 << 20), kDevice + (1 << 20), 64, Direction::kDeviceToHost);
  EXPECT_EQ(batched(direction), "copy, copy");
  Recording inside;
  inside.copy(1, kDevice, kDevice + 4096, 64, Direction::kDeviceToDevice, Memory::kDevice);
  inside.copy(1, kDevice + 8192, kDevice + 12288, 64, Direction::kDeviceToDevice, Memory::kDevice);
  EXPECT_EQ(batched(inside), "copy, copy") << "a batch goes between host and device";
  Recording thread;
  thread.block(1, 0);
  thread.on_thread(7).block(1, 1);
  EXPECT_EQ(batched(thread), "copy, copy");
  Recording memory;
  memory.block(1, 0);
  memory.copy(1, kDevice + (1 << 20), kHost + (1 << 20), 64, Direction::kHostToDevice,
              Memory::kRegistered);
  EXPECT_EQ(batched(memory), "copy, copy");
}

TEST(ReplayAsBatch, FollowsItsRule) {
  Recording recording;
  recording.block(1, 0);
  recording.block(1, 1);
  recording.block(1, 2, 1 << 20);
  recording.block(1, 3, 4 << 20);
  BatchRule rule;
  EXPECT_EQ(shape_of(as_batch(recording.plan(), rule)), "batch of 3, copy");
  rule.largest = 4096;
  EXPECT_EQ(shape_of(as_batch(recording.plan(), rule)), "batch of 2, copy, copy");
  rule.fewest = 3;
  EXPECT_EQ(shape_of(as_batch(recording.plan(), rule)), "copy, copy, copy, copy");
  rule.fewest = 2;
  rule.accepts = [](const Step& step) { return step.work != 2; };
  EXPECT_EQ(shape_of(as_batch(recording.plan(), rule)), "copy, copy, copy, copy");
}

TEST(ReplayAsBatch, KeepsPausesAndOrderOfThreads) {
  Recording recording;
  recording.block(1, 0);
  recording.pause(300);
  recording.block(1, 1);
  recording.pause(200);
  recording.record(1, 1);
  recording.on_thread(7).wait(2, 1);
  recording.on_thread(7).block(1, 2);
  const Plan plan = as_batch(recording.plan());
  EXPECT_EQ(shape_of(plan), "batch of 2, record, wait, copy");
  EXPECT_EQ(plan.steps[0].pause, 300);
  EXPECT_EQ(plan.steps[1].pause, 200);
  EXPECT_EQ(plan.steps[2].after_record, 1U);
  EXPECT_EQ(plan.steps[3].after_stream, 1U);
}

}  // namespace
}  // namespace ferry::tools::replay
