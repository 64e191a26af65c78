// SPDX-License-Identifier: Apache-2.0
// When memory that was freed while functions run is released.
#include "backends/cpu/running_functions.h"

#include <gtest/gtest.h>

#include <vector>

namespace ferry::cpu {
namespace {

// Frees blocks by number, and lists those that were released.
class RunningFunctionsTest : public ::testing::Test {
 protected:
  void free(uint64_t block) {
    const auto release = [](void* list, const ferryx_memory& freed) {
      static_cast<std::vector<uint64_t>*>(list)->push_back(freed.size);
    };
    ferryx_memory memory{};
    memory.size = block;
    functions_.release_after(memory, release, &released_);
  }

  RunningFunctions functions_;
  std::vector<uint64_t> released_;
};

using Blocks = std::vector<uint64_t>;

TEST_F(RunningFunctionsTest, ReleasesAtOnceWhileNothingRuns) {
  free(1);
  EXPECT_EQ(Blocks({1}), released_);
}

TEST_F(RunningFunctionsTest, WaitsForAllThatRunWhenItIsFreed) {
  const uint64_t first = functions_.begin();
  const uint64_t second = functions_.begin();
  free(1);
  functions_.end(second);
  EXPECT_EQ(Blocks(), released_);
  functions_.end(first);
  EXPECT_EQ(Blocks({1}), released_);
}

TEST_F(RunningFunctionsTest, DoesNotWaitForThoseThatBeginLater) {
  const uint64_t first = functions_.begin();
  free(1);
  const uint64_t second = functions_.begin();
  free(2);
  functions_.end(first);
  EXPECT_EQ(Blocks({1}), released_);
  const uint64_t third = functions_.begin();
  functions_.end(second);
  EXPECT_EQ(Blocks({1, 2}), released_);
  functions_.end(third);
  EXPECT_EQ(Blocks({1, 2}), released_);
}

TEST_F(RunningFunctionsTest, IsNotDelayedByThoseThatEndInAnotherOrder) {
  const uint64_t first = functions_.begin();
  const uint64_t second = functions_.begin();
  functions_.end(first);
  free(1);
  const uint64_t third = functions_.begin();
  free(2);
  functions_.end(third);
  EXPECT_EQ(Blocks(), released_);
  functions_.end(second);
  EXPECT_EQ(2u, released_.size());
}

}  // namespace
}  // namespace ferry::cpu
