// SPDX-License-Identifier: Apache-2.0
// aclrtSetStreamConfigOpt: sets one field, of the type that the attribute has.
#include "support/conformance.h"

namespace conformance::aclrtSetStreamConfigOpt_test {
namespace {

constexpr aclError kBadArgument = 100000;

class AclrtSetStreamConfigOpt : public ::testing::Test {
 protected:
  void SetUp() override {
    clear_errors();
    config_ = aclrtCreateStreamConfigHandle();
    ASSERT_NE(nullptr, config_);
  }
  void TearDown() override { EXPECT_OK(aclrtDestroyStreamConfigHandle(config_)); }

  aclrtStreamConfigHandle* config_ = nullptr;
};

TEST_F(AclrtSetStreamConfigOpt, SetsEachField) {
  void* const work = &config_;
  const size_t size = SIZE_MAX;
  const size_t flag = ACL_STREAM_HUGE;
  const uint32_t priority = 5;
  EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_WORK_ADDR_PTR, &work, sizeof work));
  EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_WORK_SIZE, &size, sizeof size));
  EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_FLAG, &flag, sizeof flag));
  EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
  EXPECT_EQ(work, config_->workptr);
  EXPECT_EQ(size, config_->workSize);
  EXPECT_EQ(flag, config_->flag);
  EXPECT_EQ(priority, config_->priority);
}

TEST_F(AclrtSetStreamConfigOpt, LeavesTheOtherFieldsAlone) {
  const uint32_t priority = 7;
  const size_t flag = ACL_STREAM_FAST_SYNC;
  EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_FLAG, &flag, sizeof flag));
  EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
  EXPECT_EQ(flag, config_->flag);
  EXPECT_EQ(0u, config_->workSize);
  EXPECT_EQ(nullptr, config_->workptr);
}

TEST_F(AclrtSetStreamConfigOpt, SetsAgain) {
  for (const uint32_t priority : {3u, 0u, 7u}) {
    EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
    EXPECT_EQ(priority, config_->priority);
  }
}

TEST_F(AclrtSetStreamConfigOpt, RefusesNull) {
  const uint32_t priority = 1;
  EXPECT_FAILS(
      kBadArgument, "EH0008",
      aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
  EXPECT_FAILS(kBadArgument, "EH0008",
               aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_PRIORITY, nullptr, sizeof priority));
  EXPECT_FAILS(kBadArgument, "EH0008",
               aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_PRIORITY, nullptr, 0));
  EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
}

TEST_F(AclrtSetStreamConfigOpt, RefusesConfigurationsThatAreNone) {
  const uint32_t priority = 1;
  aclrtStreamConfigHandle* dead = aclrtCreateStreamConfigHandle();
  EXPECT_OK(aclrtDestroyStreamConfigHandle(dead));
  aclrtStreamConfigHandle own{};
  for (aclrtStreamConfigHandle* config : {dead, &own}) {
    EXPECT_FAILS_WITH(kBadArgument, aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY,
                                                            &priority, sizeof priority));
  }
  EXPECT_EQ(0u, own.priority);
}

TEST_F(AclrtSetStreamConfigOpt, RefusesUnknownAttributes) {
  const uint64_t value = 1;
  for (const int attr : {4, 5, 100, -1, INT32_MAX, INT32_MIN}) {
    EXPECT_FAILS_WITH(
        kBadArgument,
        aclrtSetStreamConfigOpt(config_, static_cast<aclrtStreamConfigAttr>(attr), &value, 8));
    EXPECT_FAILS_WITH(
        kBadArgument,
        aclrtSetStreamConfigOpt(config_, static_cast<aclrtStreamConfigAttr>(attr), &value, 4));
  }
}

TEST_F(AclrtSetStreamConfigOpt, RefusesSizesThatDoNotFitAndChangesNothing) {
  const uint64_t value[2] = {UINT64_MAX, UINT64_MAX};
  const struct {
    aclrtStreamConfigAttr attr;
    size_t right_size;
  } rows[] = {{ACL_RT_STREAM_WORK_ADDR_PTR, 8},
              {ACL_RT_STREAM_WORK_SIZE, 8},
              {ACL_RT_STREAM_FLAG, 8},
              {ACL_RT_STREAM_PRIORITY, 4}};
  for (const auto& row : rows) {
    for (const size_t size :
         {size_t{0}, size_t{1}, size_t{4}, size_t{7}, size_t{8}, size_t{9}, size_t{16}, SIZE_MAX}) {
      if (size == row.right_size) continue;
      EXPECT_FAILS_WITH(kBadArgument, aclrtSetStreamConfigOpt(config_, row.attr, value, size));
    }
  }
  EXPECT_EQ(nullptr, config_->workptr);
  EXPECT_EQ(0u, config_->workSize);
  EXPECT_EQ(0u, config_->flag);
  EXPECT_EQ(0u, config_->priority);
}

TEST_F(AclrtSetStreamConfigOpt, NeedsNoContextAndNoAlignment) {
  on_new_thread([&] {
    alignas(8) unsigned char bytes[16] = {};
    bytes[1] = 6;
    EXPECT_OK(
        aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_PRIORITY, bytes + 1, sizeof(uint32_t)));
    EXPECT_EQ(6u, config_->priority);
  });
}

TEST_F(AclrtSetStreamConfigOpt, WorksOnSeveralConfigurationsAtOnce) {
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
      for (int repeat = 0; repeat < 100; ++repeat) {
        ASSERT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &i, sizeof i));
        EXPECT_EQ(i, config->priority);
      }
      EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace
}  // namespace conformance::aclrtSetStreamConfigOpt_test
