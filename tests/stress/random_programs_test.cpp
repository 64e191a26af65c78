// SPDX-License-Identifier: Apache-2.0
// Random programs compared with their sequential model, on one thread and on several at once.
// Briefly in every run; STRESS_PROGRAMS=n runs n of them, starting with the seed STRESS_SEED.
#include "program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace stress {
namespace {

constexpr size_t kOperations = 300;

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

uint64_t first_seed() {
  return number_from("STRESS_SEED", 1);
}
uint64_t program_count() {
  return number_from("STRESS_PROGRAMS", 40);
}

TEST(RandomPrograms, LeaveTheBytesOfTheModel) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  for (uint64_t seed = first_seed(); seed < first_seed() + program_count(); ++seed) {
    EXPECT_EQ(Program(seed).run(kOperations), "") << "seed " << seed;
  }
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(RandomPrograms, LeaveTheBytesOfTheModelOnManyThreads) {
  constexpr size_t kThreads = 4;
  std::mutex mutex;  // guards wrong
  std::string wrong;
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::string mine = aclrtSetDevice(0) == ACL_SUCCESS ? "" : "no device";
      for (uint64_t i = 0; i < program_count() / kThreads && mine.empty(); ++i) {
        const uint64_t seed = first_seed() + 1000 * (thread + 1) + i;
        mine = Program(seed).run(kOperations);
        if (!mine.empty()) mine += " (seed " + std::to_string(seed) + ")";
      }
      aclrtResetDevice(0);
      const std::lock_guard lock(mutex);
      wrong += mine;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, "");
}

}  // namespace
}  // namespace stress
