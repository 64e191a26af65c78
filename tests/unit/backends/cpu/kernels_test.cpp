// SPDX-License-Identifier: Apache-2.0
// Kernels in a queue: in order, with a result, dropped, and ending their thread.
#include "backends/cpu/queue.h"
#include "base/work.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ferry::cpu {
namespace {

// ---- a runtime that records failures ----

struct KernelFault {
  int code;
  std::string text;
  std::string work;
  bool operator==(const KernelFault&) const = default;
};
std::mutex kernel_faults_mutex;  // guards kernel_faults
std::vector<KernelFault> kernel_faults;
std::atomic<bool> stops_after_kernel{false};
thread_local bool is_thread_of_kernel = false;  // the latest kernel ran on this thread
std::atomic<int> faults_elsewhere{0};

ferryx_after_fault keep_kernel_fault(void* /*cookie*/, const ferryx_fault* fault) {
  if (!is_thread_of_kernel) ++faults_elsewhere;
  const std::lock_guard lock(kernel_faults_mutex);
  kernel_faults.push_back({fault->code, fault->text, describe(*fault->work)});
  return stops_after_kernel ? FERRYX_STOP : FERRYX_CONTINUE;
}

constexpr ferryx_runtime kKernelServices{
    .struct_size = sizeof(ferryx_runtime),
    .fail = nullptr,
    .find_memory = [](const void*, ferryx_memory*) { return 0; },
    .memory_epoch = [] { return uint64_t{7}; },
    .work_failed = keep_kernel_fault,
    .before_work = [](void*) { return FERRYX_CONTINUE; },
    .log = nullptr,
    .requested_size = nullptr,
    .move_bytes = nullptr};

// Engines and their threads are never destroyed.
Engine& kernel_engine() {
  static auto* made = [] {
    services = &kKernelServices;
    auto* fresh = new Engine({.device = 0, .threads = 2, .parallelism = 2});
    EXPECT_EQ(ACL_RT_SUCCESS, fresh->start());
    return fresh;
  }();
  return *made;
}

// The argument of a kernel, which owns its name and what it has declared.
struct Launch {
  std::vector<int>* order;
  int number;
  int code = 0;
  bool ends_thread = false;
  std::string name = "a_kernel";
  ferryx_access access{};

  static int run(void* argument, int run) {
    const std::unique_ptr<Launch> own(static_cast<Launch*>(argument));
    is_thread_of_kernel = true;
    own->order->push_back(run != 0 ? own->number : -own->number);
    if (run != 0 && own->ends_thread) pthread_exit(nullptr);
    return own->code;
  }
};

class CpuKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    kernel_engine();
    services = &kKernelServices;
    kernel_faults.clear();
    stops_after_kernel = false;
  }

  static void launch(Queue& queue, const Launch& given) {
    auto launch = std::make_unique<Launch>(given);
    ferryx_work work = make_work(FERRYX_KERNEL, &ferryx_payload::kernel,
                                 {.run = Launch::run,
                                  .argument = launch.get(),
                                  .name = launch->name.c_str(),
                                  .accesses = &launch->access,
                                  .access_count = 1});
    work.origin = {.call = "test", .task = 1, .stream = 2, .context = nullptr, .correlation = 3};
    queue.submit(work);
    static_cast<void>(launch.release());  // run owns it now
  }

  int cookie_ = 0;
  std::vector<int> order_;  // changed by one kernel at a time
};

TEST_F(CpuKernels, RunInOrder) {
  Queue queue(kernel_engine(), &cookie_);
  std::vector<int> expected;
  for (int i = 1; i <= 200; ++i) {
    launch(queue, {.order = &order_, .number = i});
    expected.push_back(i);
  }
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(order_, expected);
  EXPECT_TRUE(kernel_faults.empty());
}

TEST_F(CpuKernels, ThatFailAreReportedByNameAndTheQueueGoesOn) {
  const KernelFault expected{ACL_ERROR_RT_AICORE_EXCEPTION,
                             "kernel a_kernel failed with code 507015",
                             "test, stream 2, task 1: kernel a_kernel"};
  for (int round = 0; round < 300; ++round) {  // it fails before or after the queue is parked
    Queue queue(kernel_engine(), &cookie_);
    kernel_faults.clear();
    order_.clear();
    launch(queue, {.order = &order_, .number = 1, .code = ACL_ERROR_RT_AICORE_EXCEPTION});
    launch(queue, {.order = &order_, .number = 2});
    EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
    ASSERT_EQ(order_, (std::vector{1, 2}));
    ASSERT_EQ(kernel_faults, std::vector{expected});
  }
  EXPECT_EQ(faults_elsewhere, 0);
}

TEST_F(CpuKernels, ThatFailCanStopTheQueue) {
  stops_after_kernel = true;
  for (int round = 0; round < 300; ++round) {
    Queue queue(kernel_engine(), &cookie_);
    kernel_faults.clear();
    order_.clear();
    launch(queue, {.order = &order_, .number = 1, .code = 7});
    EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
    ASSERT_EQ(kernel_faults.size(), 1u);
    ASSERT_EQ(kernel_faults[0].code, 7);
  }
}

TEST_F(CpuKernels, ThatEndTheirThreadHaveFailed) {
  Queue queue(kernel_engine(), &cookie_);
  launch(queue, {.order = &order_, .number = 1, .ends_thread = true});
  launch(queue, {.order = &order_, .number = 2});
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(order_, (std::vector{1, 2}));
  ASSERT_EQ(kernel_faults.size(), 1u);
  EXPECT_EQ(kernel_faults[0].code, ACL_ERROR_RT_AICORE_EXCEPTION);
}

TEST_F(CpuKernels, ThatAreDroppedOnlyReleaseTheirArgument) {
  Queue queue(kernel_engine(), &cookie_);
  ferryx_callout* held = nullptr;
  std::atomic<bool> is_held{false};
  struct Hold {
    ferryx_callout*& callout;
    std::atomic<bool>& is_held;
  } hold{held, is_held};
  ferryx_work gate = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start =
                                    [](void* argument, ferryx_callout* callout) {
                                      auto* own = static_cast<Hold*>(argument);
                                      own->callout = callout;
                                      own->is_held = true;
                                    },
                                .argument = &hold});
  gate.origin = {.call = "test", .task = 0, .stream = 2, .context = nullptr, .correlation = 1};
  queue.submit(gate);
  while (!is_held)
    std::this_thread::yield();
  launch(queue, {.order = &order_, .number = 1, .code = 7});
  queue.abort();
  EXPECT_EQ(order_, std::vector{-1});
  held->done(held);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_TRUE(kernel_faults.empty());
}

}  // namespace
}  // namespace ferry::cpu
