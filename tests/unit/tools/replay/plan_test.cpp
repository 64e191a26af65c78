// SPDX-License-Identifier: Apache-2.0
// Plans: what of a trace becomes a step, with what memory, order and events.
#include "replay/plan.h"

#include "recording.h"

#include <gtest/gtest.h>

namespace ferry::tools::replay {
namespace {

using testing::kDevice;
using testing::kHost;
using testing::Recording;
using trace::Direction;
using trace::Kind;
using trace::Memory;

std::string refusal(const Recording& recording) {
  std::string wrong;
  EXPECT_TRUE(make_plan(recording.trace, wrong).steps.empty());
  return wrong;
}

TEST(ReplayPlan, HasTheStepsInTheOrderOfTheProgram) {
  Recording recording;
  recording.copy(3, kDevice, kHost, 4096);
  recording.record(3, 7);
  recording.wait(5, 7);
  recording.pause(2500);
  recording.copy(5, kHost + 4096, kDevice, 4096, Direction::kDeviceToHost);
  recording.synchronize(5);
  recording.synchronize_device();
  const Plan plan = recording.plan();
  ASSERT_EQ(plan.steps.size(), 6U);
  const Action expected[] = {Action::kCopy,
                             Action::kRecord,
                             Action::kWait,
                             Action::kCopy,
                             Action::kSynchronizeStream,
                             Action::kSynchronizeDevice};
  for (size_t i = 0; i < plan.steps.size(); ++i)
    EXPECT_EQ(plan.steps[i].action, expected[i]) << i;
  ASSERT_EQ(plan.streams.size(), 2U);
  EXPECT_EQ(plan.streams[0].id, 3);
  EXPECT_EQ(plan.steps[2].stream, 1U);
  EXPECT_EQ(plan.steps[4].stream, 1U);
  EXPECT_EQ(plan.steps[1].event, plan.steps[2].event);
  EXPECT_EQ(plan.events, 1U);
  EXPECT_EQ(plan.threads, 1U);
  EXPECT_EQ(plan.devices, 1);
  EXPECT_EQ(plan.steps[3].pause, 2500);
  EXPECT_EQ(plan.steps[4].pause, 0);
  EXPECT_EQ(plan.recorded_total, 8500);
  EXPECT_EQ(plan.recorded_busy, 6000);
  EXPECT_EQ(plan.recorded_in[static_cast<size_t>(Direction::kHostToDevice)], 500);
  EXPECT_EQ(bytes_in(plan, Direction::kDeviceToHost), 4096U);
}

TEST(ReplayPlan, KeepsWhatTouchesTogetherAndWhatDoesNotApart) {
  Recording recording;
  recording.copy(1, kDevice, kHost + 100, 4096);
  recording.copy(1, kDevice + 4096, kHost + 4196, 4096);            // continues it
  recording.copy(1, kDevice + (1 << 30), kHost + (1 << 30), 4096);  // far away
  recording.copy(1, kDevice + 2048, kHost + 100, 16, Direction::kHostToDevice,
                 Memory::kPageable);  // the same address, other memory
  const Plan plan = recording.plan();
  ASSERT_EQ(plan.items.size(), 4U);
  const CopyItem& first = plan.items[0];
  EXPECT_EQ(first.src.offset % 4096, (kHost + 100) % 4096);
  EXPECT_EQ(plan.items[1].dst.region, first.dst.region);
  EXPECT_EQ(plan.items[1].dst.offset, first.dst.offset + 4096);
  EXPECT_EQ(plan.items[1].src.offset, first.src.offset + 4096);
  EXPECT_GT(plan.items[2].dst.offset, first.dst.offset + 8192);
  EXPECT_EQ(plan.items[3].dst.offset, first.dst.offset + 2048);
  EXPECT_NE(plan.items[3].src.region, first.src.region);
  ASSERT_EQ(plan.regions.size(), 3U);
  for (const Region& region : plan.regions)
    EXPECT_LT(region.size, 1U << 20) << "gaps are left out";
  EXPECT_EQ(plan.regions[first.dst.region].place, Place::kDevice);
  EXPECT_EQ(plan.regions[first.src.region].place, Place::kPinned);
  EXPECT_EQ(plan.regions[plan.items[3].src.region].place, Place::kPageable);
}

TEST(ReplayPlan, KnowsSynchronousCopiesFromPageableOnes) {
  Recording recording;
  recording.copy(-1, kDevice, kHost, 64, Direction::kHostToDevice, Memory::kPageable);
  trace::Work& pageable =
      recording.copy(4, kDevice, kHost, 64, Direction::kHostToDevice, Memory::kPageable);
  pageable.stream = -1;  // executed during the call; the call has the stream
  const Plan plan = recording.plan();
  EXPECT_FALSE(plan.steps[0].is_async);
  EXPECT_TRUE(plan.steps[1].is_async);
  EXPECT_EQ(plan.streams[plan.steps[1].stream].id, 4);
}

TEST(ReplayPlan, CountsWhatItCannotRepeat) {
  Recording recording;
  recording.copy(1, kDevice, kHost, 64);
  recording.other(1, Kind::kKernel);
  recording.other(1, Kind::kKernel);
  recording.other(1, Kind::kDescribed);
  recording.copy(1, kDevice, kHost, 64).result = 507899;
  recording.copy(1, UINT64_MAX - 8, kHost, 64);
  recording.wait(1, 99);  // no record
  const Plan plan = recording.plan();
  EXPECT_EQ(plan.steps.size(), 1U);
  EXPECT_EQ(plan.skipped.at("kernels"), 2U);
  EXPECT_EQ(plan.skipped.at("copies whose addresses are in device memory"), 1U);
  EXPECT_EQ(plan.skipped.at("works that failed"), 1U);
  EXPECT_EQ(plan.skipped.at("copies with impossible sizes or addresses"), 1U);
  EXPECT_EQ(plan.skipped.at("waits for records that are not in the trace"), 1U);
}

// Lane 3 is submitted first: its wait is for a record of lane 4.
TEST(ReplayPlan, PutsRecordsOfARunBeforeTheirWaits) {
  Recording recording;
  recording.wait(3, 7);
  recording.copy(3, kHost, kDevice, 4096, Direction::kDeviceToHost);
  recording.copy(4, kDevice, kHost, 4096);
  recording.record(4, 7);
  const int64_t ends[] = {5000, 6000, 3000, 5100};  // a wait may end before its record
  for (size_t i = 0; i < 4; ++i) {
    trace::Work& work = recording.trace.works[i];
    work.model = 0;
    work.run = 1;
    work.call_index = UINT32_MAX;
    work.end = ends[i];
    work.begin = ends[i] - 500;
  }
  recording.trace.calls.clear();
  const Plan plan = recording.plan();
  ASSERT_EQ(plan.steps.size(), 4U);
  const Action expected[] = {Action::kCopy, Action::kRecord, Action::kWait, Action::kCopy};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(plan.steps[i].action, expected[i]) << i;
  EXPECT_TRUE(plan.skipped.empty());
}

TEST(ReplayPlan, RefusesTracesWithoutCopies) {
  Recording recording;
  EXPECT_EQ(refusal(recording), "it has no copies that can be repeated");
  recording.record(1, 1);
  EXPECT_EQ(refusal(recording), "it has no copies that can be repeated");
}

TEST(ReplayPlan, TakesItemsOfBatchesOrInventsThem) {
  Recording recording;
  trace::Work& known = recording.copy(1, kDevice, kHost, 300);
  known.kind = Kind::kBatch;
  known.items = 3;
  recording.trace.items[known.number] = {
      {kDevice, kHost, 50}, {kDevice + 50, kHost + 50, 50}, {kDevice + 8192, kHost, 200}};
  trace::Work& unknown = recording.copy(1, kDevice + (1 << 20), kHost + (1 << 20), 4 * 100 + 3);
  unknown.kind = Kind::kBatch;
  unknown.items = 4;
  unknown.neighbours = 1;
  const Plan plan = recording.plan();
  EXPECT_EQ(plan.invented, 1U);
  EXPECT_EQ(plan.steps[0].items, 3U);
  EXPECT_EQ(plan.items[2].size, 200U);
  ASSERT_EQ(plan.steps[1].items, 4U);
  uint64_t bytes = 0;
  uint64_t neighbours = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const CopyItem& item = plan.items[plan.steps[1].first_item + i];
    bytes += item.size;
    if (i == 0) continue;
    const CopyItem& before = plan.items[plan.steps[1].first_item + i - 1];
    if (before.dst.offset + before.size == item.dst.offset) ++neighbours;
    EXPECT_LE(before.dst.offset + before.size, item.dst.offset);
  }
  EXPECT_EQ(bytes, 403U);
  EXPECT_EQ(neighbours, 1U);
}

TEST(ReplayPlan, RowsUseAllOfTheirPitch) {
  Recording recording;
  trace::Work& rows = recording.copy(1, kDevice, kHost, 64 * 10);
  rows.kind = Kind::kRows;
  rows.items = 10;
  rows.width = 64;
  rows.dst_pitch = 128;
  rows.src_pitch = 64;
  const Plan plan = recording.plan();
  EXPECT_EQ(plan.items[0].size, 64U);
  const std::vector<Extent> extents = extents_of(plan, plan.steps[0]);
  ASSERT_EQ(extents.size(), 2U);
  EXPECT_EQ(extents[0].end - extents[0].begin, 9U * 128 + 64);
  EXPECT_TRUE(extents[0].is_written);
  EXPECT_EQ(extents[1].end - extents[1].begin, 640U);
  EXPECT_GE(plan.regions[extents[0].region].size, extents[0].end);
}

TEST(ReplayPlan, UsesAnEventAgainOnceItsWaitsAreSubmitted) {
  Recording recording;
  recording.copy(1, kDevice, kHost, 64);
  recording.record(1, 1);
  recording.record(1, 2);
  recording.wait(2, 1);
  recording.wait(2, 2);
  recording.record(1, 3);
  recording.wait(2, 3);
  const Plan plan = recording.plan();
  EXPECT_EQ(plan.events, 2U);
  EXPECT_NE(plan.steps[1].event, plan.steps[2].event);
  EXPECT_EQ(plan.steps[3].event, plan.steps[1].event);
  EXPECT_EQ(plan.steps[5].event, plan.steps[6].event);
}

TEST(ReplayPlan, ThreadsWaitForWhatMustBeSubmittedBefore) {
  Recording recording;
  recording.on_thread(10).copy(1, kDevice, kHost, 64);
  recording.on_thread(10).record(1, 1);
  recording.on_thread(20).wait(2, 1);
  recording.on_thread(20).copy(1, kDevice + 64, kHost, 64);
  recording.on_thread(20).synchronize_event(1);
  const Plan plan = recording.plan();
  EXPECT_EQ(plan.threads, 2U);
  EXPECT_EQ(plan.steps[2].after_record, 1U);
  EXPECT_EQ(plan.steps[3].after_stream, 1U);
  EXPECT_EQ(plan.steps[3].after_record, kNoIndex);
  EXPECT_EQ(plan.steps[4].event, plan.steps[1].event);
  const Plan part = only(plan, Direction::kDeviceToHost);
  ASSERT_EQ(part.steps.size(), 3U) << "record, wait, synchronisation";
  EXPECT_EQ(part.steps[1].after_record, 0U);
}

}  // namespace
}  // namespace ferry::tools::replay
