// SPDX-License-Identifier: Apache-2.0
// The null backend where no call of the API reaches it.
#include "backends/null/backend.h"

#include "base/work.h"
#include "tests/unit/layers/front/front_program.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdint>
#include <vector>

namespace ferry::null {
namespace {

ferryx_work work_of_no_kind() {
  ferryx_work work = make_work(FERRYX_FILL, &ferryx_payload::fill, {});
  work.kind = 9999;
  return work;
}

// An open device with a queue.
class NullBackend : public ::testing::Test {
 protected:
  NullBackend() {
    const char* const entries[] = {"1"};
    const ferryx_settings settings{.struct_size = sizeof settings,
                                   .entry_count = 1,
                                   .entries = entries,
                                   .options = "",
                                   .memory = uint64_t{1} << 20,
                                   .threads = 1,
                                   .schedule = FERRYX_EAGER,
                                   .seed = 0,
                                   .memory_is_shared = 0};
    ferryx_instance* instance = nullptr;
    uint32_t count = 0;
    EXPECT_EQ(ACL_RT_SUCCESS,
              table_.open(&table_, layers::FrontRuntime::services(), &settings, &count, &instance));
    EXPECT_EQ(ACL_RT_SUCCESS, table_.device_open(instance, 0, 0, &device_));
    layers::keep_forever(device_);
    const ferryx_queue_settings queue{.struct_size = sizeof queue,
                                      .priority = 0,
                                      .cookie = &layers::FrontRuntime::instance().cookie,
                                      .stream = 0,
                                      .flags = 0};
    EXPECT_EQ(ACL_RT_SUCCESS, table_.queue_create(device_, &queue, &queue_));
  }
  ~NullBackend() override {
    clear_failures();
    table_.queue_destroy(queue_);
  }

  const ferryx_backend& table_ = *backend();
  ferryx_device* device_ = nullptr;
  ferryx_queue* queue_ = nullptr;
};

TEST_F(NullBackend, RefusesWorkOfAKindThatIsNewerThanItself) {
  const ferryx_work work = work_of_no_kind();
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, table_.queue_submit(queue_, &work));
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, table_.device_execute(device_, &work));
}

TEST_F(NullBackend, RefusesDuringTheCallWhatCanOnlyBeQueued) {
  const ferryx_work work = make_work(FERRYX_MARK, &ferryx_payload::marker, {});
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, table_.device_execute(device_, &work));
}

TEST_F(NullBackend, FailsOnDemandBeforeItLooksAtTheWork) {
  const ferryx_work work = work_of_no_kind();
  ASSERT_TRUE(fail_on_demand("queue_submit", 1, ACL_ERROR_RT_TS_ERROR));
  ASSERT_TRUE(fail_on_demand("device_execute", 1, ACL_ERROR_RT_TS_ERROR));
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, table_.queue_submit(queue_, &work));
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, table_.device_execute(device_, &work));
}

TEST_F(NullBackend, RunsKernelsAndReportsThoseThatFail) {
  layers::FrontRuntime& runtime = layers::FrontRuntime::instance();
  runtime.clear();
  const auto launch = [&](int (*run)(void*, int), int& argument) {
    ferryx_work work = make_work(FERRYX_KERNEL, &ferryx_payload::kernel,
                                 {.run = run,
                                  .argument = &argument,
                                  .name = "a_kernel",
                                  .accesses = nullptr,
                                  .access_count = 0});
    work.origin = {.call = "test", .task = 0, .stream = 0, .context = nullptr, .correlation = 1};
    EXPECT_EQ(ACL_RT_SUCCESS, table_.queue_submit(queue_, &work));
  };
  int code = 0;
  const auto run = [](void* argument, int /*run*/) { return *static_cast<int*>(argument); };
  launch(run, code);
  EXPECT_TRUE(runtime.faults().empty());
  code = ACL_ERROR_RT_AICORE_EXCEPTION;
  launch(run, code);
  EXPECT_EQ(runtime.faults(), std::vector<int>{ACL_ERROR_RT_AICORE_EXCEPTION});
  runtime.forget_faults();
  launch([](void*, int) -> int { pthread_exit(nullptr); }, code);
  EXPECT_EQ(runtime.faults(), std::vector<int>{ACL_ERROR_RT_AICORE_EXCEPTION});
  runtime.clear();
}

TEST_F(NullBackend, TimesOutWhileACalloutIsNotDone) {
  ferryx_callout* started = nullptr;
  const ferryx_callout_work callout{
      .start = [](void* argument,
                  ferryx_callout* own) { *static_cast<ferryx_callout**>(argument) = own; },
      .argument = &started};
  const ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout, callout);
  ASSERT_EQ(ACL_RT_SUCCESS, table_.queue_submit(queue_, &work));
  constexpr int64_t kMillisecond = 1'000'000;
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, table_.queue_synchronize(queue_, kMillisecond));
  started->done(started);
  EXPECT_EQ(ACL_RT_SUCCESS, table_.queue_synchronize(queue_, kMillisecond));
}

}  // namespace
}  // namespace ferry::null
