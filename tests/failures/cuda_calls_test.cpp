// SPDX-License-Identifier: Apache-2.0
// The thunks before the CUDA driver, with a driver that has a few functions.
#include "driver_caller.h"
#include "failing_calls.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

constexpr int kOutOfMemory = 2;

class CudaCalls : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(1, load_driver()); }
  void TearDown() override {
    failing_disarm();
    failing_only(nullptr);
  }

  static uint64_t calls_of(const char* name) {
    FailingFunction functions[8];
    const int count = failing_functions(functions, 8);
    for (int i = 0; i < count; ++i) {
      if (std::strcmp(functions[i].name, name) == 0) return functions[i].calls;
    }
    return 0;
  }
  static int64_t streams() {
    int64_t live[FAILING_OBJECTS];
    failing_objects(live);
    return live[FAILING_STREAMS];
  }
};

TEST_F(CudaCalls, ReachTheDriverWithAllArguments) {
  uint64_t sum = 0;
  EXPECT_EQ(0, launch_kernel(&sum));
  EXPECT_EQ((uint64_t{3} << 40) + 45, sum);
}

TEST_F(CudaCalls, AreCountedByFunctionWhileArmed) {
  uint64_t sum = 0;
  failing_arm(FAILING_CUDA, 0, 0);
  EXPECT_EQ(0, launch_kernel(&sum));
  EXPECT_EQ(0, make_stream());
  EXPECT_EQ(0, break_stream());
  EXPECT_EQ(0, launch_kernel(&sum));
  failing_disarm();
  EXPECT_EQ(0, launch_kernel(&sum));
  EXPECT_EQ(4u, failing_calls());
  EXPECT_EQ(2u, calls_of("cuLaunchKernel"));
  EXPECT_EQ(1u, calls_of("cuStreamCreate"));
}

TEST_F(CudaCalls, FailOnce) {
  uint64_t sum = 0;
  failing_arm(FAILING_CUDA, 2, 1);
  EXPECT_EQ(0, launch_kernel(&sum));
  sum = 0;
  EXPECT_EQ(kOutOfMemory, launch_kernel(&sum));
  EXPECT_EQ(0u, sum) << "the driver was not called";
  EXPECT_EQ(0, launch_kernel(&sum));
  EXPECT_EQ(1u, failing_fired());
}

TEST_F(CudaCalls, FailForOneFunctionOnly) {
  uint64_t sum = 0;
  failing_only("cuStreamCreate");
  failing_arm(FAILING_CUDA, 1, 1);
  EXPECT_EQ(0, launch_kernel(&sum));
  EXPECT_EQ(kOutOfMemory, make_stream());
  EXPECT_EQ(0, make_stream());
  EXPECT_EQ(0, break_stream());
}

TEST_F(CudaCalls, TellWhatIsNotDestroyed) {
  const int64_t before = streams();
  EXPECT_EQ(0, make_stream());
  EXPECT_EQ(before + 1, streams());
  failing_only("cuStreamCreate");
  failing_arm(FAILING_CUDA, 1, 1);
  EXPECT_EQ(kOutOfMemory, make_stream());
  EXPECT_EQ(before + 1, streams()) << "a stream that was not made";
  EXPECT_EQ(0, break_stream());
  EXPECT_EQ(before, streams());
}

}  // namespace
