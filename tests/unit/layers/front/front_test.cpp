// SPDX-License-Identifier: Apache-2.0
// Fronts stack in any order: each sees its own handles, and the backend behind all of them its own.
#include "layers/front/front.h"

#include "backends/null/backend.h"
#include "base/work.h"
#include "layers/check/front/front.h"
#include "tests/unit/layers/front/front_program.h"
#include "tests/unit/layers/front/handle_ledger.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ferry::layers {
namespace {

// ---- a front that counts work and keeps a line on each ----

std::mutex lines_mutex;  // guards lines
std::vector<std::string> lines;
std::atomic<int> counted_queues{0};

struct CountedQueue : Wrapped<ferryx_queue> {
  CountedQueue(const ferryx_backend* backend, ferryx_queue* queue) : Wrapped(backend, queue) {
    ++counted_queues;
  }
  ~CountedQueue() override { --counted_queues; }
};

void keep_line(const ferryx_work& work) {
  const std::lock_guard lock(lines_mutex);
  lines.push_back(describe(work));
}

const ferryx_backend* put_count_in_front(const ferryx_backend* backend) {
  ferryx_backend slots = forwarding_table();
  slots.queue_create = [](ferryx_device* device, const ferryx_queue_settings* settings,
                          ferryx_queue** queue) {
    const Wrapped<ferryx_device>& own = wrapped(device);
    ferryx_queue* inner = nullptr;
    const int code = own.inner->queue_create(own.handle, settings, &inner);
    if (code == 0) *queue = wrap<ferryx_queue>(new CountedQueue(own.inner, inner));
    return code;
  };
  slots.queue_submit = [](ferryx_queue* queue, const ferryx_work* work) {
    keep_line(*work);
    const auto& own = static_cast<CountedQueue&>(wrapped(queue));
    return own.inner->queue_submit(own.handle, InnerWork(*work).get());
  };
  slots.device_execute = [](ferryx_device* device, const ferryx_work* work) {
    keep_line(*work);
    return wrapped(device).inner->device_execute(wrapped(device).handle, work);
  };
  return put_in_front(backend, slots);
}

// ---- a front that observes markers only, and hides a capability ----

std::atomic<int> watched_markers{0};
std::atomic<int> marks_seen{0};

struct WatchedMarker : Wrapped<ferryx_marker> {
  WatchedMarker(const ferryx_backend* backend, ferryx_marker* marker) : Wrapped(backend, marker) {
    ++watched_markers;
  }
  ~WatchedMarker() override { --watched_markers; }
  std::atomic<int> marks{0};
};

const ferryx_backend* put_watch_in_front(const ferryx_backend* backend) {
  ferryx_backend slots = forwarding_table();
  slots.marker_create = [](ferryx_device* device, ferryx_marker** marker) {
    const Wrapped<ferryx_device>& own = wrapped(device);
    ferryx_marker* inner = nullptr;
    const int code = own.inner->marker_create(own.handle, &inner);
    if (code == 0) *marker = wrap<ferryx_marker>(new WatchedMarker(own.inner, inner));
    return code;
  };
  slots.queue_submit = [](ferryx_queue* queue, const ferryx_work* work) {
    if (work->kind == FERRYX_MARK) {
      EXPECT_EQ(1, ++static_cast<WatchedMarker&>(wrapped(work->as.marker.marker)).marks);
      ++marks_seen;
    }
    return wrapped(queue).inner->queue_submit(wrapped(queue).handle, InnerWork(*work).get());
  };
  return put_in_front(backend, slots, FERRYX_CHEAP_CALLOUTS);
}

// ---- stacks ----

using PutInFront = const ferryx_backend* (*)(const ferryx_backend*);
struct Stack {
  const char* name;
  bool is_cpu;                    // else null, which lacks the optional slots
  std::vector<PutInFront> order;  // the first is next to the backend
};

void PrintTo(const Stack& stack, std::ostream* stream) {
  *stream << stack.name;
}

constexpr PutInFront kCheck = check::put_check_in_front;
constexpr PutInFront kCount = put_count_in_front;
constexpr PutInFront kWatch = put_watch_in_front;

int closed = 0;

// The CPU backend with all optional slots.
const ferryx_backend* full_backend() {
  static ferryx_backend table;
  table = cpu_backend_opened_once();
  table.close = [](ferryx_instance*) { ++closed; };
  table.device_name = [](ferryx_device*) { return "a processor"; };
  table.device_bus_id = [](ferryx_device*) { return "0000:fe:00.0"; };
  table.copy_way = [](ferryx_device*, size_t index, ferryx_copy_way*) {
    return index == 0 ? ACL_RT_SUCCESS : ACL_ERROR_RT_PARAM_INVALID;
  };
  return &table;
}

const ferryx_backend* build(const Stack& stack) {
  const ferryx_backend* table =
      HandleLedger::instance().put_over(stack.is_cpu ? full_backend() : null::backend());
  for (const PutInFront put : stack.order)
    table = put(table);
  keep_forever(table);
  return table;
}

class FrontStack : public ::testing::TestWithParam<Stack> {
 protected:
  void SetUp() override {
    FrontRuntime::instance().clear();
    lines.clear();
    marks_seen = 0;
    closed = 0;
  }

  bool has(PutInFront front) const {
    const std::vector<PutInFront>& order = GetParam().order;
    return std::find(order.begin(), order.end(), front) != order.end();
  }

  const ferryx_backend* const top_ = build(GetParam());
  HandleLedger& ledger_ = HandleLedger::instance();
};

TEST_P(FrontStack, PassesEverythingOn) {
  FrontProgram program(top_, GetParam().is_cpu);
  program.open();
  const size_t handles_that_stay = ledger_.count();
  EXPECT_EQ(handles_that_stay, 3u);  // the instance and two devices
  program.use_memory();
  program.use_managed_memory();
  program.use_virtual_memory();
  program.execute_during_calls();
  program.share_memory();
  program.create_queues();
  if (top_->queue_observe != nullptr) {
    EXPECT_EQ(0, top_->queue_observe(
                     program.queue(), [](void*, const ferryx_span*) {}, nullptr));
  }
  program.submit_bytes();
  program.submit_functions();
  program.submit_kernels();
  program.submit_points();
  program.finish_from_outside();
  program.submit_several();
  program.stop();
  program.abort_and_drop();
  program.time_out();
  program.give_everything_back();

  EXPECT_EQ(ledger_.count(), handles_that_stay);
  EXPECT_EQ(counted_queues, 0);
  EXPECT_EQ(watched_markers, 0);
  EXPECT_EQ(marks_seen, has(kWatch) ? 3 : 0);
  EXPECT_EQ(closed, GetParam().is_cpu ? 1 : 0);
  const ferryx_backend& backend = ledger_.backend();
#define FERRYX_SLOT(result, name, parameters, need, what)                                   \
  EXPECT_TRUE(top_->name == nullptr || backend.name == nullptr || ledger_.calls(#name) > 0) \
      << #name;
#include "ferry/backend_slots.def"
}

TEST_P(FrontStack, AFrontSeesTheWorkOfThoseBeforeIt) {
  if (!has(kCount)) GTEST_SKIP() << "nobody counts";
  FrontProgram program(top_, GetParam().is_cpu);
  program.open();
  program.use_memory();
  program.use_managed_memory();
  program.use_virtual_memory();
  program.create_queues();
  lines.clear();
  program.submit_functions();
  program.give_everything_back();
  const auto count = [](const std::string& line) {
    return std::count(lines.begin(), lines.end(), line);
  };
  EXPECT_EQ(1, count("program, stream 3, task 0: host function"));
  EXPECT_EQ(1, count("program, stream 3, task 0: device function"));
}

TEST_P(FrontStack, KeepsNameAndVersionAndWhatTheBackendLacks) {
  const ferryx_backend& backend = ledger_.backend();
  EXPECT_STREQ(top_->name, backend.name);
  EXPECT_EQ(top_->abi_major, FERRYX_ABI_MAJOR);
  EXPECT_EQ(top_->struct_size, sizeof(ferryx_backend));
  // The checker follows the memory of pools, and runs of models, itself.
  const std::set<std::string> of_checker{"memory_rest",    "memory_reuse",     "work_recorded",
                                         "work_forgotten", "queue_submit_run", "queue_join_run"};
  const auto is_added = [&](const std::string& slot) {
    return has(kCheck) && of_checker.contains(slot);
  };
  // Fronts see works one by one.
  const auto is_removed = [&](const std::string& slot) {
    return slot == "queue_submit_all" && !GetParam().order.empty();
  };
#define FERRYX_SLOT(result, name, parameters, need, what)                       \
  EXPECT_EQ(top_->name == nullptr,                                              \
            (backend.name == nullptr && !is_added(#name)) || is_removed(#name)) \
      << #name;
#include "ferry/backend_slots.def"
  const ferryx_backend* behind = top_;
  for (size_t i = 0; i < GetParam().order.size(); ++i)
    behind = inner_of(behind);
  EXPECT_EQ(behind, ledger_.table());
}

TEST_P(FrontStack, HidesCapabilities) {
  uint64_t wanted = ledger_.backend().capabilities;
  if (has(kCheck)) wanted &= ~uint64_t{FERRYX_TAKES_COLUMNS};
  if (has(kWatch)) wanted &= ~uint64_t{FERRYX_CHEAP_CALLOUTS};
  EXPECT_EQ(top_->capabilities, wanted);
}

// Fronts may add work of their own to a queue; it has no correlation id.
TEST_P(FrontStack, WorkOfTheProgramIsObservedOnce) {
  if (top_->queue_observe == nullptr) GTEST_SKIP() << "the backend cannot report";
  FrontProgram program(top_, true);
  program.open();
  program.use_memory();
  program.use_managed_memory();
  program.use_virtual_memory();
  program.execute_during_calls();
  program.create_queues();
  static std::mutex mutex;  // guards seen
  static std::map<uint64_t, int> seen;
  seen.clear();
  const auto note = [](void*, const ferryx_span* span) {
    const std::lock_guard lock(mutex);
    ++seen[span->correlation];
  };
  EXPECT_EQ(0, top_->queue_observe(program.queue(), note, nullptr));
  program.submit_bytes();
  program.submit_functions();
  program.submit_kernels();
  EXPECT_EQ(0, top_->queue_observe(program.queue(), nullptr, nullptr));
  program.give_everything_back();
  seen.erase(0);
  for (const uint64_t correlation : program.correlations())
    EXPECT_EQ(seen[correlation], 1) << correlation;
  EXPECT_EQ(seen.size(), program.correlations().size());
}

INSTANTIATE_TEST_SUITE_P(
    Orders, FrontStack,
    ::testing::Values(Stack{"null", false, {}}, Stack{"cpu", true, {}},
                      Stack{"null_count_watch", false, {kCount, kWatch}},
                      Stack{"cpu_count_watch", true, {kCount, kWatch}},
                      Stack{"null_check_count_watch", false, {kCheck, kCount, kWatch}},
                      Stack{"null_watch_check_count", false, {kWatch, kCheck, kCount}},
                      Stack{"cpu_check_count_watch", true, {kCheck, kCount, kWatch}},
                      Stack{"cpu_check_watch_count", true, {kCheck, kWatch, kCount}},
                      Stack{"cpu_count_check_watch", true, {kCount, kCheck, kWatch}},
                      Stack{"cpu_count_watch_check", true, {kCount, kWatch, kCheck}},
                      Stack{"cpu_watch_check_count", true, {kWatch, kCheck, kCount}},
                      Stack{"cpu_watch_count_check", true, {kWatch, kCount, kCheck}}),
    [](const auto& stack) { return stack.param.name; });

// ---- parts ----

TEST(Front, WorkWithoutHandlesIsPassedOnAsItIs) {
  const ferryx_work fill = make_work(FERRYX_FILL, &ferryx_payload::fill, {});
  EXPECT_EQ(InnerWork(fill).get(), &fill);
}

TEST(Front, WorkGetsTheWrappedHandle) {
  int behind = 0;
  auto* inner = reinterpret_cast<ferryx_marker*>(&behind);
  auto* outer = new Wrapped<ferryx_marker>(null::backend(), inner);
  const ferryx_work work =
      make_work(FERRYX_AWAIT, &ferryx_payload::marker, {.marker = wrap(outer), .timeout = 7}, 5);
  const InnerWork replaced(work);
  EXPECT_EQ(replaced.get()->as.marker.marker, inner);
  EXPECT_EQ(replaced.get()->as.marker.timeout, 7);
  EXPECT_EQ(replaced.get()->epoch, 5u);
  EXPECT_EQ(replaced.get()->struct_size, work.struct_size);
  EXPECT_EQ(work.as.marker.marker, wrap(outer));
  outer->release();
}

TEST(Front, ARefusalCreatesNothing) {
  const ferryx_backend* top = build({"null", false, {kCount, kWatch}});
  FrontProgram program(top, false);
  program.open();
  ASSERT_TRUE(null::fail_on_demand("marker_create", 0, ACL_ERROR_RT_NO_EVENT_RESOURCE));
  ferryx_marker* marker = nullptr;
  EXPECT_EQ(top->marker_create(program.device(), &marker), ACL_ERROR_RT_NO_EVENT_RESOURCE);
  EXPECT_EQ(marker, nullptr);
  EXPECT_EQ(watched_markers, 0);
  null::clear_failures();
}

}  // namespace
}  // namespace ferry::layers
