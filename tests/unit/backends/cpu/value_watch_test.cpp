// SPDX-License-Identifier: Apache-2.0
// Queues that wait for values, without the runtime above.
#include "backends/cpu/value_watch.h"

#include "backends/cpu/queue.h"
#include "base/work.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

namespace ferry::cpu {
namespace {

// A runtime with one value that can be freed.
alignas(8) uint64_t cell = 0;
std::atomic<bool> is_live{true};
std::atomic<int> failures{0};

int find_cell(const void* address, ferryx_memory* found) {
  if (!is_live || address != &cell) return 0;
  *found = {.address = &cell,
            .size = sizeof cell,
            .storage = &cell,
            .kind = FERRYX_MEMORY_DEVICE,
            .device = 0};
  return 1;
}
uint64_t no_epoch() {
  return 0;
}
ferryx_after_fault count_failure(void* /*cookie*/, const ferryx_fault* fault) {
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, fault->code);
  ++failures;
  return FERRYX_CONTINUE;
}
ferryx_after_fault go_on(void* /*cookie*/) {
  return FERRYX_CONTINUE;
}

constexpr ferryx_runtime kCellServices{.struct_size = sizeof(ferryx_runtime),
                                       .fail = nullptr,
                                       .find_memory = find_cell,
                                       .memory_epoch = no_epoch,
                                       .work_failed = count_failure,
                                       .before_work = go_on,
                                       .log = nullptr,
                                       .requested_size = nullptr,
                                       .move_bytes = nullptr};

Engine& engine_of_values() {
  static auto* made = [] {
    auto* fresh = new Engine({.device = 0, .threads = 1, .parallelism = 1});
    EXPECT_EQ(ACL_RT_SUCCESS, fresh->start());
    return fresh;
  }();
  return *made;
}

class CpuValueWatch : public ::testing::Test {
 protected:
  void SetUp() override {
    services = &kCellServices;
    ASSERT_EQ(ACL_RT_SUCCESS, value_watch().start());
    cell = 0;
    is_live = true;
    failures = 0;
  }

  static ferryx_work work_of(ferryx_work_kind kind, uint64_t value) {
    ferryx_work work = make_work(kind, &ferryx_payload::value,
                                 {.address = &cell,
                                  .storage = nullptr,
                                  .value = value,
                                  .comparison = FERRYX_EQUAL,
                                  .reserved = 0});
    work.origin = {.call = "test", .task = 0, .stream = 0, .context = nullptr, .correlation = 1};
    return work;
  }
  static void store(Queue& queue, uint64_t value) {
    queue.submit_write(work_of(FERRYX_WRITE_VALUE, value));
  }
  static void await(Queue& queue, uint64_t value) {
    queue.submit(work_of(FERRYX_AWAIT_VALUE, value));
  }

  int cookie_ = 0;
};

TEST_F(CpuValueWatch, AStoreEndsAWait) {
  Queue waiting(engine_of_values(), &cookie_);
  Queue storing(engine_of_values(), &cookie_);
  await(waiting, 2);
  store(storing, 1);
  EXPECT_EQ(ACL_RT_SUCCESS, storing.synchronize(FERRYX_FOREVER));
  EXPECT_FALSE(waiting.is_done());
  store(storing, 2);
  EXPECT_EQ(ACL_RT_SUCCESS, waiting.synchronize(FERRYX_FOREVER));
}

TEST_F(CpuValueWatch, AStoreOfAnotherKindIsFound) {
  Queue waiting(engine_of_values(), &cookie_);
  await(waiting, 3);
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, waiting.synchronize(1'000'000));
  __atomic_store_n(&cell, 3, __ATOMIC_RELEASE);
  EXPECT_EQ(ACL_RT_SUCCESS, waiting.synchronize(FERRYX_FOREVER));
}

TEST_F(CpuValueWatch, AWaitEndsWithItsMemory) {
  Queue waiting(engine_of_values(), &cookie_);
  await(waiting, 1);
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, waiting.synchronize(1'000'000));
  is_live = false;
  EXPECT_EQ(ACL_RT_SUCCESS, waiting.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(1, failures.load());
}

TEST_F(CpuValueWatch, AWaitEndsWithItsQueue) {
  {
    Queue waiting(engine_of_values(), &cookie_);
    await(waiting, 1);
    EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, waiting.synchronize(1'000'000));
  }
  value_watch().look();
  EXPECT_EQ(0, failures.load());
}

TEST_F(CpuValueWatch, AStoppedQueueGoesOnWithTheNextSubmission) {
  Queue queue(engine_of_values(), &cookie_);
  await(queue, 1);
  store(queue, 7);
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, queue.synchronize(1'000'000));
  queue.stop();
  EXPECT_EQ(ACL_ERROR_RT_STREAM_ABORT, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(0u, cell);
  await(queue, 7);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(7u, cell);
}

}  // namespace
}  // namespace ferry::cpu
