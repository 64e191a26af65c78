// SPDX-License-Identifier: Apache-2.0
// Markers and flags that something outside the queues finishes, as another process does.
#include "backends/cpu/marker.h"

#include "backends/cpu/backend.h"
#include "backends/cpu/queue.h"
#include "base/work.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace ferry::cpu {
namespace {

constexpr int kCode = ACL_ERROR_RT_DRV_INTERNAL_ERROR;
constexpr int64_t kLong = 3'600'000'000'000;

// The codes of all faults.
class FaultLog {
 public:
  void add(int code) {
    const std::lock_guard lock(mutex_);
    codes_.push_back(code);
  }
  std::vector<int> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(codes_, {});
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::vector<int> codes_;
};
FaultLog fault_log;

constexpr ferryx_runtime kMarkerServices{
    .struct_size = sizeof(ferryx_runtime),
    .fail = [](int code, const char*) { return code; },
    .find_memory = [](const void*, ferryx_memory*) { return 0; },
    .memory_epoch = [] { return uint64_t{1}; },
    .work_failed =
        [](void*, const ferryx_fault* fault) {
          fault_log.add(fault->code);
          return FERRYX_CONTINUE;
        },
    .before_work = [](void*) { return FERRYX_CONTINUE; },
    .log = nullptr,
    .requested_size = nullptr,
    .move_bytes = nullptr};

template <class Payload>
ferryx_work work_of(ferryx_work_kind kind, Payload ferryx_payload::*member,
                    const std::type_identity_t<Payload>& payload) {
  ferryx_work work = make_work(kind, member, payload, 1);
  work.origin = {.call = "test", .task = 0, .stream = 0, .context = nullptr, .correlation = 1};
  return work;
}

// Engines and their threads are never destroyed: one per schedule.
Engine& engine_of(ferryx_schedule schedule) {
  static auto* engines = new std::array<std::atomic<Engine*>, 3>;
  std::atomic<Engine*>& place = (*engines)[schedule];
  if (place == nullptr) {
    auto* fresh =
        new Engine({.device = 0, .threads = 2, .parallelism = 2, .schedule = schedule, .seed = 1});
    EXPECT_EQ(ACL_RT_SUCCESS, fresh->start());
    place = fresh;
  }
  return *place;
}

class CpuMarker : public ::testing::TestWithParam<ferryx_schedule> {
 protected:
  void SetUp() override {
    services = &kMarkerServices;
    fault_log.take();
  }
  void TearDown() override { marker_->release(); }

  static Engine& engine() { return engine_of(GetParam()); }
  std::unique_ptr<Queue> make_queue() { return std::make_unique<Queue>(engine(), &cookie_); }
  // Every test of races uses a fresh one per round.
  ferryx_marker& fresh_marker() {
    marker_->release();
    marker_ = new ferryx_marker(engine());
    return *marker_;
  }

  void await(Queue& queue, int64_t timeout = FERRYX_FOREVER) {
    queue.submit(
        work_of(FERRYX_AWAIT, &ferryx_payload::marker, {.marker = marker_, .timeout = timeout}));
  }
  static void take(Queue& queue, ferryx_flag& flag, int64_t timeout = FERRYX_FOREVER) {
    queue.submit(
        work_of(FERRYX_TAKE_FLAG, &ferryx_payload::flag, {.flag = &flag, .timeout = timeout}));
  }
  static void copy(Queue& queue, int& dst, const int& src) {
    const ferryx_copy item{
        .dst = &dst, .src = &src, .size = sizeof dst, .dst_storage = &dst, .src_storage = &src};
    queue.submit(work_of(FERRYX_COPIES, &ferryx_payload::copies,
                         {.items = &item,
                          .count = 1,
                          .direction = FERRYX_HOST_TO_DEVICE,
                          .flags = FERRYX_COPY_RESOLVED}));
  }
  // The queue has come to its wait. Under lazy, a wait makes it run.
  static void expect_wait(Queue& queue) {
    EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, queue.synchronize(1'000'000));
  }
  static void expect_done(Queue& queue) {
    EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  }

  int cookie_ = 0;
  ferryx_marker* marker_ = new ferryx_marker(engine());
};

TEST_P(CpuMarker, IsReachedFromOutside) {
  const auto queue = make_queue();
  int done = 0;
  const int one = 1;
  await(*queue);
  copy(*queue, done, one);
  expect_wait(*queue);
  EXPECT_FALSE(marker_->query());
  EXPECT_EQ(0, backend()->marker_finish(marker_, 0));
  expect_done(*queue);
  EXPECT_EQ(1, done);
  EXPECT_TRUE(marker_->query());
  EXPECT_EQ(ACL_RT_SUCCESS, marker_->synchronize(FERRYX_FOREVER));
  EXPECT_GT(marker_->nanoseconds(), 0u);
  EXPECT_TRUE(fault_log.take().empty());
}

TEST_P(CpuMarker, FailsEveryQueueThatWaits) {
  const auto first = make_queue();
  const auto second = make_queue();
  int done = 0;
  const int one = 1;
  await(*first);
  copy(*first, done, one);
  await(*second, kLong);
  expect_wait(*first);
  expect_wait(*second);
  EXPECT_EQ(0, backend()->marker_finish(marker_, kCode));
  expect_done(*first);
  expect_done(*second);
  EXPECT_EQ(1, done);  // the runtime has not asked to drop it
  EXPECT_EQ(fault_log.take(), (std::vector{kCode, kCode}));
  EXPECT_TRUE(marker_->query());
  EXPECT_EQ(kCode, marker_->synchronize(FERRYX_FOREVER));
}

TEST_P(CpuMarker, FailsQueuesThatWaitLater) {
  EXPECT_EQ(0, backend()->marker_finish(marker_, kCode));
  EXPECT_EQ(0, backend()->marker_finish(marker_, 0));  // it is over
  const auto queue = make_queue();
  await(*queue);
  await(*queue, kLong);
  expect_done(*queue);
  EXPECT_EQ(fault_log.take(), (std::vector{kCode, kCode}));
  EXPECT_EQ(kCode, marker_->synchronize(1));
}

TEST_P(CpuMarker, WakesThreadsThatSynchronise) {
  for (const int code : {0, kCode}) {
    fresh_marker();
    std::thread waiter([&] { EXPECT_EQ(code, marker_->synchronize(FERRYX_FOREVER)); });
    EXPECT_EQ(0, backend()->marker_finish(marker_, code));
    waiter.join();
  }
  fresh_marker();
  EXPECT_EQ(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, marker_->synchronize(1'000'000));
}

// The queue parks, is parking or has not begun when the marker fails.
TEST_P(CpuMarker, FailsAQueueOnceWheneverItParks) {
  const auto queue = make_queue();
  for (int round = 0; round < 300; ++round) {
    fresh_marker();
    std::thread other([&] { marker_->fail(kCode); });
    await(*queue, round % 2 == 0 ? FERRYX_FOREVER : kLong);
    expect_done(*queue);
    other.join();
    ASSERT_EQ(fault_log.take(), std::vector{kCode}) << "round " << round;
  }
}

TEST_P(CpuMarker, FailsAQueueOnceWhenItsTimeIsUp) {
  const auto queue = make_queue();
  for (int round = 0; round < 200; ++round) {
    fresh_marker();
    await(*queue, 1'000 * (round % 50));
    std::thread other([&] { marker_->fail(kCode); });
    expect_done(*queue);
    other.join();
    const std::vector<int> codes = fault_log.take();
    ASSERT_EQ(codes.size(), 1u) << "round " << round;
    EXPECT_TRUE(codes[0] == kCode || codes[0] == ACL_ERROR_RT_WAIT_TIMEOUT) << codes[0];
  }
}

TEST_P(CpuMarker, FailsAQueueAtMostOnceWhenItIsAborted) {
  const auto queue = make_queue();
  for (int round = 0; round < 300; ++round) {
    fresh_marker();
    await(*queue);
    std::thread other([&] { marker_->fail(kCode); });
    queue->abort();
    other.join();
    expect_done(*queue);
    EXPECT_LE(fault_log.take().size(), 1u);
  }
}

TEST_P(CpuMarker, FailsWhileItsQueueGoesAway) {
  for (int round = 0; round < 300; ++round) {
    fresh_marker();
    auto queue = make_queue();
    await(*queue, round % 2 == 0 ? FERRYX_FOREVER : kLong);
    std::thread other([&] { marker_->fail(kCode); });
    queue.reset();
    other.join();
  }
}

TEST_P(CpuMarker, FlagsAreSetFromOutside) {
  auto* flag = new ferryx_flag;
  const auto queue = make_queue();
  int done = 0;
  const int one = 1;
  take(*queue, *flag);
  copy(*queue, done, one);
  expect_wait(*queue);
  EXPECT_EQ(0, backend()->flag_set(flag));
  expect_done(*queue);
  EXPECT_EQ(1, done);
  EXPECT_EQ(0, backend()->flag_set(flag));  // before the wait
  take(*queue, *flag);
  expect_done(*queue);
  take(*queue, *flag, 1'000'000);  // it was taken
  expect_done(*queue);
  EXPECT_EQ(fault_log.take(), std::vector<int>{ACL_ERROR_RT_WAIT_TIMEOUT});
  flag->release();
}

TEST_P(CpuMarker, FlagsThatAreSetFromOutsideWakeThreadsThatSynchronise) {
  auto* flag = new ferryx_flag;
  const auto queue = make_queue();
  for (int round = 0; round < 100; ++round) {
    take(*queue, *flag);
    std::thread waiter([&] { expect_done(*queue); });
    EXPECT_EQ(0, backend()->flag_set(flag));
    waiter.join();
  }
  flag->release();
}

std::string schedule_name(const ::testing::TestParamInfo<ferryx_schedule>& schedule) {
  constexpr std::array kNames = {"eager", "lazy", "shuffle"};
  return kNames[schedule.param];
}

INSTANTIATE_TEST_SUITE_P(Schedules, CpuMarker,
                         ::testing::Values(FERRYX_EAGER, FERRYX_LAZY, FERRYX_SHUFFLE),
                         schedule_name);

}  // namespace
}  // namespace ferry::cpu
