// SPDX-License-Identifier: Apache-2.0
// aclrtCreateStreamConfigHandle: a configuration starts with priority 0 and no flags.
#include "support/conformance.h"

#include <set>

namespace conformance::aclrtCreateStreamConfigHandle_test {
namespace {

TEST(AclrtCreateStreamConfigHandle, StartsWithPriority0AndNoFlags) {
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  ASSERT_NE(nullptr, config);
  EXPECT_EQ(0u, config->priority);
  EXPECT_EQ(0u, config->flag);
  EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
}

TEST(AclrtCreateStreamConfigHandle, NeedsNoContext) {
  on_new_thread([] {
    clear_errors();
    aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
    EXPECT_NE(nullptr, config);
    EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
    EXPECT_EQ("", recent_text());
    EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
  });
}

TEST(AclrtCreateStreamConfigHandle, MakesConfigurationsThatDoNotShareAnything) {
  aclrtStreamConfigHandle* first = aclrtCreateStreamConfigHandle();
  aclrtStreamConfigHandle* second = aclrtCreateStreamConfigHandle();
  ASSERT_NE(first, second);
  const uint32_t priority = 6;
  EXPECT_OK(aclrtSetStreamConfigOpt(first, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
  EXPECT_EQ(6u, first->priority);
  EXPECT_EQ(0u, second->priority);
  EXPECT_OK(aclrtDestroyStreamConfigHandle(first));
  EXPECT_EQ(0u, second->priority);
  EXPECT_OK(aclrtDestroyStreamConfigHandle(second));
}

TEST(AclrtCreateStreamConfigHandle, WorksOnManyThreadsAtOnce) {
  std::vector<std::vector<aclrtStreamConfigHandle*>> made(4);
  std::vector<std::thread> threads;
  for (auto& configs : made) {
    threads.emplace_back([&configs] {
      for (int i = 0; i < 100; ++i)
        configs.push_back(aclrtCreateStreamConfigHandle());
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  std::set<aclrtStreamConfigHandle*> seen;
  for (const auto& configs : made)
    seen.insert(configs.begin(), configs.end());
  EXPECT_EQ(400u, seen.size());
  for (aclrtStreamConfigHandle* config : seen)
    EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
}

}  // namespace
}  // namespace conformance::aclrtCreateStreamConfigHandle_test
