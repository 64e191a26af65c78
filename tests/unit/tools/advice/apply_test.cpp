// SPDX-License-Identifier: Apache-2.0
// Plans of programs that follow an advice.
#include "advice/apply.h"

#include "program.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ferry::tools::advice {
namespace {

using replay::Action;
using replay::Plan;

Plan plan_of(Program& program) {
  std::string wrong;
  Plan plan = replay::make_plan(program.trace(), wrong);
  EXPECT_EQ(wrong, "");
  return plan;
}

std::vector<Action> actions_of(const Plan& plan) {
  std::vector<Action> actions;
  for (const replay::Step& step : plan.steps)
    actions.push_back(step.action);
  return actions;
}

uint64_t bytes_of(const Plan& plan) {
  return replay::bytes_in(plan, trace::Direction::kHostToDevice);
}

Block page(uint64_t number) {
  return {.host = kHost + number * 8192, .device = kDevice + number * 8192, .size = 4096};
}

TEST(ApplyAdvice, BatchesOnlyTheGivenWorks) {
  Program program;
  for (uint64_t i = 0; i < 4; ++i)
    program.copy(3, page(i));
  program.wait(3);
  for (uint64_t i = 4; i < 8; ++i)
    program.copy(3, page(i));
  program.wait(3);
  const Plan plan = plan_of(program);
  const Plan after = changed(plan, {.batched = {1, 2, 3, 4}});
  EXPECT_EQ(actions_of(after), (std::vector<Action>{Action::kBatch, Action::kSynchronizeStream,
                                                    Action::kCopy, Action::kCopy, Action::kCopy,
                                                    Action::kCopy, Action::kSynchronizeStream}));
  EXPECT_EQ(after.steps[0].items, 4U);
  EXPECT_EQ(bytes_of(after), bytes_of(plan));
}

TEST(ApplyAdvice, MergesCopies) {
  Program program;
  for (uint64_t i = 0; i < 6; ++i)
    program.copy(3, {.host = kHost + i * 4096, .device = kDevice + i * 4096});
  program.wait(3);
  const Plan plan = plan_of(program);
  const Plan after = changed(plan, {.merged = {{1, 2}, {3, 4, 5, 6}}});
  ASSERT_EQ(actions_of(after),
            (std::vector<Action>{Action::kCopy, Action::kCopy, Action::kSynchronizeStream}));
  EXPECT_EQ(after.steps[0].bytes, 2U * 4096);
  EXPECT_EQ(after.steps[1].bytes, 4U * 4096);
  EXPECT_EQ(after.items[after.steps[1].first_item].dst.offset,
            plan.items[plan.steps[2].first_item].dst.offset);
  EXPECT_EQ(bytes_of(after), bytes_of(plan));
}

TEST(ApplyAdvice, JoinsItemsOfABatch) {
  Program program;
  std::vector<Block> blocks;
  for (uint64_t i = 0; i < 10; ++i)
    blocks.push_back({.host = kHost + i * 512, .device = kDevice + i * 512, .size = 512});
  program.batch(3, blocks);
  const Plan plan = plan_of(program);
  const Plan fewer = changed(plan, {.fewer_items = {{1, 7}}});
  EXPECT_EQ(fewer.steps[0].action, Action::kBatch);
  EXPECT_EQ(fewer.steps[0].items, 3U);
  EXPECT_EQ(bytes_of(fewer), bytes_of(plan));
  const Plan one = changed(plan, {.fewer_items = {{1, 9}}});
  EXPECT_EQ(one.steps[0].action, Action::kCopy);
  EXPECT_EQ(one.steps[0].bytes, 5120U);
}

TEST(ApplyAdvice, LeavesOutWaitsButTheLast) {
  Program program;
  for (uint64_t i = 0; i < 3; ++i) {
    program.copy(3, page(i));
    program.record(3, i + 1);
    program.wait(3);
  }
  const Plan after = changed(plan_of(program), {.without_wait = {1, 3}});
  EXPECT_EQ(actions_of(after),
            (std::vector<Action>{Action::kCopy, Action::kRecord, Action::kCopy, Action::kRecord,
                                 Action::kCopy, Action::kRecord, Action::kSynchronizeStream}));
}

TEST(ApplyAdvice, KeepsPausesOfWhatIsLeftOut) {
  Program program;
  program.copy(3, page(0));
  program.compute(7000);
  program.copy(3, page(1));
  program.compute(9000);
  program.copy(3, page(2));
  const Plan plan = plan_of(program);
  const Plan after = changed(plan, {.dropped = {2}});
  ASSERT_EQ(after.steps.size(), 2U);
  EXPECT_EQ(after.steps[1].pause, plan.steps[1].pause + plan.steps[2].pause);
}

TEST(ApplyAdvice, ShortensPauses) {
  Program program;
  program.copy(3, page(0));
  program.compute(7000);
  program.copy(3, page(1));
  const Plan plan = plan_of(program);
  const Plan after = changed(plan, {.saved_pauses = {{2, 5000}}});
  EXPECT_EQ(after.steps[1].pause, plan.steps[1].pause - 5000);
  EXPECT_EQ(changed(plan, {.saved_pauses = {{2, 1 << 30}}}).steps[1].pause, 0);
}

TEST(ApplyAdvice, PinsMemory) {
  Program program;
  Block block = page(0);
  block.memory = trace::Memory::kPageable;
  program.blocking_copy(3, block);
  const Plan plan = plan_of(program);
  EXPECT_EQ(plan.steps[0].memory, trace::Memory::kPageable);
  const Plan after = changed(plan, {.pinned = {1}});
  EXPECT_EQ(after.steps[0].memory, trace::Memory::kPinned);
  EXPECT_TRUE(after.steps[0].is_async);
}

// Invariant of plans: a step follows only earlier ones.
TEST(ApplyAdvice, KeepsTheOrderAcrossThreads) {
  Program program;
  for (uint64_t i = 0; i < 12; ++i)
    program.copy(3, page(i));
  for (size_t i = 0; i < 12; ++i)
    program.trace().calls[i].thread = 1 + i % 2;
  const Plan plan = plan_of(program);
  ASSERT_TRUE(std::any_of(plan.steps.begin(), plan.steps.end(), [](const replay::Step& step) {
    return step.after_stream != replay::kNoIndex;
  }));
  const Plan after = changed(plan, {.dropped = {2, 3, 4, 12}});
  ASSERT_EQ(after.steps.size(), 8U);
  for (uint32_t i = 0; i < after.steps.size(); ++i) {
    const uint32_t before = after.steps[i].after_stream;
    if (before == replay::kNoIndex) continue;
    EXPECT_LT(before, i);
    EXPECT_EQ(after.steps[before].stream, after.steps[i].stream);
  }
}

}  // namespace
}  // namespace ferry::tools::advice
