// SPDX-License-Identifier: Apache-2.0
// Queues that are aborted while threads submit to them: a step that comes after the abort, a step
// that is dropped although its work executes, and work that is not in the queue yet. Nothing of
// that is an error of the program.
#include "backends/null/backend.h"
#include "base/work.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/front/front.h"
#include "layers/check/report/report.h"
#include "tests/unit/layers/front/front_program.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace ferry::layers::check {
namespace {

// What the backend of these tests was asked to do. A callout of the front waits here until the test
// starts it, at any time: a thread that has begun a callout may be preempted before it gets far.
struct Asked {
  std::vector<ferryx_callout_work> steps;
  std::function<void()> before_work;  // called before the queue accepts anything but a callout
};
Asked asked;

int keep_step(ferryx_queue* /*queue*/, const ferryx_work* work) {
  if (work->kind == FERRYX_CALLOUT) {
    asked.steps.push_back(work->as.callout);
  } else if (asked.before_work) {
    std::exchange(asked.before_work, nullptr)();
  }
  return ACL_SUCCESS;
}

const ferryx_backend* table_by_hand(uint64_t capabilities) {
  auto* table = new ferryx_backend(*null::backend());
  keep_forever(table);
  table->capabilities = capabilities;
  table->queue_submit = keep_step;
  const ferryx_backend* top = put_check_in_front(table);
  keep_forever(top);
  return top;
}

class AbortedQueue : public ::testing::Test {
 protected:
  static constexpr uint64_t kSize = 64;
  using Buffer = std::array<char, kSize>;

  void SetUp() override {
    asked = {};
    std::vector<const RuleInfo*> rules;
    for (const Rule* rule : all_rules())
      rules.push_back(&rule->info());
    ASSERT_EQ(open_reports({}, rules), nullptr);
    program_.open();
    program_.create_queues();
    for (Buffer* buffer : {&from_, &to_})
      world().memory_made(memory_of(*buffer));
  }
  void TearDown() override {
    ASSERT_EQ(open_reports({}, {}), nullptr);  // no rule is on from here
    for (Buffer* buffer : {&from_, &to_})
      world().memory_ends(buffer->data());
    for (ferryx_queue* queue : {first(), second()})
      top_->queue_destroy(queue);
  }

  ferryx_queue* first() const { return program_.queue(); }
  ferryx_queue* second() const { return program_.other_queue(); }

  void copy(ferryx_queue* queue, Buffer& dst, Buffer& src) {
    const ferryx_copy item{.dst = dst.data(),
                           .src = src.data(),
                           .size = kSize,
                           .dst_storage = dst.data(),
                           .src_storage = src.data()};
    submit(queue, make_work(FERRYX_COPIES, &ferryx_payload::copies,
                            {.items = &item,
                             .count = 1,
                             .direction = FERRYX_DEVICE_TO_DEVICE,
                             .flags = FERRYX_COPY_RESOLVED}));
  }
  void fill_now(Buffer& dst) {
    ferryx_work work = make_work(
        FERRYX_FILL, &ferryx_payload::fill,
        {.dst = dst.data(), .dst_storage = dst.data(), .size = kSize, .value = 0, .width = 1});
    work.origin = origin_on(-1);
    EXPECT_EQ(top_->device_execute(program_.device(), &work), ACL_SUCCESS);
  }
  void submit(ferryx_queue* queue, ferryx_work work) {
    work.origin = origin_on(queue == first() ? 1 : 2);
    EXPECT_EQ(top_->queue_submit(queue, &work), ACL_SUCCESS);
  }
  void abort(ferryx_queue* queue) { EXPECT_EQ(top_->queue_abort(queue), ACL_SUCCESS); }
  // The queue comes to the step that was submitted as number `index`.
  static void reach(size_t index) {
    static ferryx_callout callout{.done = [](ferryx_callout*) {}};
    asked.steps.at(index).start(asked.steps.at(index).argument, &callout);
  }
  static void drop(size_t index) {
    asked.steps.at(index).start(asked.steps.at(index).argument, nullptr);
  }
  static ferryx_origin origin_on(int32_t stream) {
    return {.call = "test", .task = 0, .stream = stream, .context = nullptr, .correlation = 1};
  }
  static Range range_of(Buffer& buffer) {
    const auto begin = reinterpret_cast<uintptr_t>(buffer.data());
    return {begin, begin + kSize};
  }
  static ferryx_memory memory_of(Buffer& buffer) {
    return {.address = buffer.data(),
            .size = kSize,
            .storage = buffer.data(),
            .kind = FERRYX_MEMORY_DEVICE,
            .device = 0};
  }

  const ferryx_backend* const top_ = table_by_hand(FERRYX_CHEAP_CALLOUTS);
  FrontProgram program_{top_, false};
  Buffer from_{};
  Buffer to_{};
};

TEST_F(AbortedQueue, AStepThatComesAfterThatOfLaterWorkWasDropped) {
  fill_now(from_);
  copy(first(), to_, from_);
  // Here an abort on another thread has emptied the queue and has not returned yet.
  copy(first(), to_, from_);
  reach(1);
  reach(0);
  EXPECT_EQ(error_count(), 0u);
}

TEST_F(AbortedQueue, AStepThatComesAfterTheAbortTouchesNothing) {
  fill_now(from_);
  copy(first(), to_, from_);
  abort(first());
  fill_now(to_);
  reach(0);
  EXPECT_EQ(error_count(), 0u);
}

TEST_F(AbortedQueue, AStepThatComesAfterTheAbortReadsNothing) {
  copy(first(), to_, from_);  // never written: an error if it executed
  abort(first());
  reach(0);
  EXPECT_EQ(error_count(), 0u);
}

TEST_F(AbortedQueue, WorkWhoseStepWasDroppedAloneHasWritten) {
  fill_now(from_);
  asked.before_work = [&] {
    abort(first());
    drop(0);
  };
  copy(first(), to_, from_);
  EXPECT_TRUE(world().is_in_use(range_of(to_)));
  copy(first(), from_, to_);
  reach(1);
  EXPECT_EQ(error_count(), 0u);
}

TEST_F(AbortedQueue, AMarkerWhoseStepWasDroppedAloneOrdersWhatWaitsForIt) {
  fill_now(from_);
  copy(first(), to_, from_);
  reach(0);
  ferryx_marker* marker = nullptr;
  ASSERT_EQ(top_->marker_create(program_.device(), &marker), ACL_SUCCESS);
  asked.before_work = [&] { drop(1); };
  submit(first(),
         make_work(FERRYX_MARK, &ferryx_payload::marker, {.marker = marker, .timeout = 0}));
  submit(second(), make_work(FERRYX_AWAIT, &ferryx_payload::marker,
                             {.marker = marker, .timeout = FERRYX_FOREVER}));
  copy(second(), to_, from_);
  reach(2);
  reach(3);
  EXPECT_EQ(error_count(), 0u);
  top_->marker_release(marker);
}

// The thread that was about to reach the step of the marker comes when others have waited already.
TEST_F(AbortedQueue, AMarkerThatWasDroppedBeforeItsStepIsOverOrdersWhatWaitsForIt) {
  fill_now(from_);
  copy(first(), to_, from_);
  reach(0);
  ferryx_marker* marker = nullptr;
  ASSERT_EQ(top_->marker_create(program_.device(), &marker), ACL_SUCCESS);
  submit(first(),
         make_work(FERRYX_MARK, &ferryx_payload::marker, {.marker = marker, .timeout = 0}));
  submit(second(), make_work(FERRYX_AWAIT, &ferryx_payload::marker,
                             {.marker = marker, .timeout = FERRYX_FOREVER}));
  copy(second(), to_, from_);
  reach(2);
  reach(3);
  reach(1);
  EXPECT_EQ(error_count(), 0u);
  top_->marker_release(marker);
}

TEST_F(AbortedQueue, AWaitWhoseStepWasDroppedAloneHasWaited) {
  fill_now(from_);
  ferryx_marker* marker = nullptr;
  ASSERT_EQ(top_->marker_create(program_.device(), &marker), ACL_SUCCESS);
  copy(first(), to_, from_);
  submit(first(),
         make_work(FERRYX_MARK, &ferryx_payload::marker, {.marker = marker, .timeout = 0}));
  reach(0);
  reach(1);
  submit(second(), make_work(FERRYX_AWAIT, &ferryx_payload::marker,
                             {.marker = marker, .timeout = FERRYX_FOREVER}));
  drop(2);
  copy(second(), to_, from_);
  reach(3);
  EXPECT_EQ(error_count(), 0u);
  top_->marker_release(marker);
}

TEST_F(AbortedQueue, WhatWasDroppedIsNotInUse) {
  Buffer other{};
  world().memory_made(memory_of(other));
  fill_now(from_);
  copy(first(), other, from_);
  copy(first(), to_, from_);
  reach(1);
  EXPECT_TRUE(world().is_in_use(range_of(other)));
  reach(0);
  EXPECT_FALSE(world().is_in_use(range_of(other)));
  EXPECT_TRUE(world().is_in_use(range_of(to_)));
  abort(first());
  EXPECT_FALSE(world().is_in_use(range_of(to_)));
  world().memory_ends(other.data());
}

TEST_F(AbortedQueue, WaitingForAQueueTeachesNothingAboutWorkThatIsNotInItYet) {
  fill_now(from_);
  asked.before_work = [&] { EXPECT_EQ(top_->queue_synchronize(first(), 0), ACL_SUCCESS); };
  copy(first(), to_, from_);
  EXPECT_TRUE(world().is_in_use(range_of(to_)));
  reach(0);
  copy(second(), to_, from_);
  ::testing::internal::CaptureStderr();
  reach(1);
  EXPECT_EQ(error_count(), 1u);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("stream-race"), std::string::npos);
}

}  // namespace
}  // namespace ferry::layers::check
