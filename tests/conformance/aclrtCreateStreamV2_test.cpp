// SPDX-License-Identifier: Apache-2.0
// aclrtCreateStreamV2: creates streams from a configuration.
#include "support/streams.h"

namespace conformance::aclrtCreateStreamV2_test {
namespace {

using streams::kBadArgument;
using streams::kBadValue;
using streams::kNoContext;
using streams::Mark;

class AclrtCreateStreamV2 : public WithDevice {
 protected:
  void SetUp() override {
    WithDevice::SetUp();
    config_ = aclrtCreateStreamConfigHandle();
    ASSERT_NE(nullptr, config_);
  }
  void TearDown() override {
    EXPECT_OK(aclrtDestroyStreamConfigHandle(config_));
    WithDevice::TearDown();
  }

  aclrtStreamConfigHandle* config_ = nullptr;
};

TEST_F(AclrtCreateStreamV2, MakesAStreamThatRunsWork) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStreamV2(&stream, config_));
  ASSERT_NE(nullptr, stream);
  Mark mark;
  EXPECT_OK(mark.queue(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtCreateStreamV2, TakesPriorityAndFlagsFromTheConfiguration) {
  const struct {
    uint32_t priority;
    size_t flag;
    uint32_t kept_priority;
    uint32_t kept_flag;
  } rows[] = {{0, 0, 0, 0},
              {7, ACL_STREAM_FAST_SYNC, 7, 2},
              {8, ACL_STREAM_DEVICE_USE_ONLY, 7, 0x20},
              {UINT32_MAX, 0x1F, 7, 0x1F},
              {1, 0x40, 1, 0},
              {1, SIZE_MAX << 6, 1, 0}};
  for (const auto& row : rows) {
    EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_PRIORITY, &row.priority,
                                      sizeof row.priority));
    EXPECT_OK(aclrtSetStreamConfigOpt(config_, ACL_RT_STREAM_FLAG, &row.flag, sizeof row.flag));
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStreamV2(&stream, config_));
    uint32_t priority = 99;
    uint32_t flags = 99;
    EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
    EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
    EXPECT_EQ(row.kept_priority, priority);
    EXPECT_EQ(row.kept_flag, flags);
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST_F(AclrtCreateStreamV2, RefusesConfigurationsThatAreNone) {
  aclrtStreamConfigHandle* dead = aclrtCreateStreamConfigHandle();
  EXPECT_OK(aclrtDestroyStreamConfigHandle(dead));
  aclrtStreamConfigHandle own{};
  aclrtStream stream = nullptr;
  EXPECT_FAILS_WITH(kBadArgument, aclrtCreateStreamV2(&stream, dead));
  EXPECT_FAILS_WITH(kBadArgument, aclrtCreateStreamV2(&stream, &own));
  EXPECT_FAILS_WITH(kBadArgument,
                    aclrtCreateStreamV2(&stream, reinterpret_cast<aclrtStreamConfigHandle*>(1)));
}

TEST_F(AclrtCreateStreamV2, MakesStreamsThatOutliveTheConfiguration) {
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStreamV2(&stream, config));
  EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtCreateStreamV2, RefusesNullFirst) {
  aclrtStream stream = nullptr;
  config_->flag = 0x21;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStreamV2(nullptr, config_));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStreamV2(&stream, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStreamV2(nullptr, nullptr));
  on_new_thread([&] {
    EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStreamV2(nullptr, config_));
    EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStreamV2(&stream, nullptr));
  });
}

TEST_F(AclrtCreateStreamV2, RefusesDeviceUseOnlyTogetherWithAnotherFlag) {
  config_->flag = ACL_STREAM_DEVICE_USE_ONLY | ACL_STREAM_HUGE;
  aclrtStream stream = nullptr;
  EXPECT_FAILS(kBadValue, "EE1006", aclrtCreateStreamV2(&stream, config_));
  on_new_thread([&] { EXPECT_FAILS(kBadValue, "EE1006", aclrtCreateStreamV2(&stream, config_)); });
}

TEST_F(AclrtCreateStreamV2, NeedsAContext) {
  on_new_thread([&] {
    aclrtStream stream = nullptr;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateStreamV2(&stream, config_));
  });
}

TEST_F(AclrtCreateStreamV2, FailsWhenAllStreamsAreInUse) {
  std::vector<aclrtStream> made;
  aclError code = ACL_SUCCESS;
  for (aclrtStream stream = nullptr; code == ACL_SUCCESS;) {
    code = aclrtCreateStreamV2(&stream, config_);
    if (code == ACL_SUCCESS) made.push_back(stream);
  }
  EXPECT_EQ(207008, code);
  for (const aclrtStream stream : made)
    EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtCreateStreamV2, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  aclrtStreamConfigHandle* bad = aclrtCreateStreamConfigHandle();
  ASSERT_NE(nullptr, bad);
  bad->flag = 0x21;
  aclrtStream stream = nullptr;
  streams::expect_last_error_rules([&] { return aclrtCreateStreamV2(nullptr, config_); },
                                   [&] { return aclrtCreateStreamV2(&stream, bad); },
                                   [&] { return aclrtCreateStreamV2(&stream, config_); });
  EXPECT_OK(aclrtDestroyStreamConfigHandle(bad));
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtCreateStreamV2, SharesAConfigurationBetweenThreads) {
  config_->priority = 4;
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 25; ++i) {
      aclrtStream stream = nullptr;
      ASSERT_OK(aclrtCreateStreamV2(&stream, config_));
      uint32_t priority = 99;
      EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
      EXPECT_EQ(4u, priority);
      EXPECT_OK(aclrtDestroyStream(stream));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtCreateStreamV2_test
