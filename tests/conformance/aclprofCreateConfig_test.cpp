// SPDX-License-Identifier: Apache-2.0
// aclprofCreateConfig: which devices and types a configuration may name.
#include "support/profiling.h"

namespace conformance::profiling::aclprofCreateConfig_test {
namespace {

aclprofConfig* create(std::vector<uint32_t> devices, uint64_t types) {
  return aclprofCreateConfig(devices.data(), static_cast<uint32_t>(devices.size()), ACL_AICORE_NONE,
                             nullptr, types);
}

TEST(AclprofCreateConfig, RefusesWhatCannotBeRecorded) {
  uint32_t count = 0;
  ASSERT_OK(aclrtGetDeviceCount(&count));
  int something = 0;
  const auto* events = reinterpret_cast<const aclprofAicoreEvents*>(&something);
  uint32_t id = 0;
  const auto is_refused = [](aclprofConfig* made) {
    return made == nullptr && recent_text().find("aclprofCreateConfig: ") == 0;
  };
  EXPECT_TRUE(is_refused(aclprofCreateConfig(nullptr, 1, ACL_AICORE_NONE, nullptr, 1)));
  EXPECT_TRUE(is_refused(aclprofCreateConfig(&id, 1, ACL_AICORE_NONE, events, 1)));
  EXPECT_TRUE(is_refused(create({}, ACL_PROF_ACL_API)));
  EXPECT_TRUE(is_refused(create({count}, 1)));
  EXPECT_TRUE(is_refused(create({UINT32_MAX}, 1)));
  EXPECT_TRUE(is_refused(create({0, 0}, 1)));
  EXPECT_TRUE(is_refused(create(std::vector<uint32_t>(count + 1, 0), 1)));
}

TEST(AclprofCreateConfig, TakesEachDeviceAndAnyType) {
  uint32_t count = 0;
  ASSERT_OK(aclrtGetDeviceCount(&count));
  std::vector<uint32_t> all;
  for (uint32_t id = count; id-- > 0;)
    all.push_back(id);
  for (const uint64_t types : {uint64_t{0}, uint64_t{ACL_PROF_TASK_TIME}, UINT64_MAX}) {
    aclprofConfig* made = create(all, types);
    EXPECT_NE(made, nullptr) << recent_text();
    EXPECT_OK(aclprofDestroyConfig(made));
  }
}

TEST(AclprofCreateConfig, NeedsNoDeviceForMarks) {
  aclprofConfig* made =
      aclprofCreateConfig(nullptr, 0, ACL_AICORE_NONE, nullptr, ACL_PROF_MSPROFTX);
  EXPECT_NE(made, nullptr);
  EXPECT_OK(aclprofDestroyConfig(made));
}

}  // namespace
}  // namespace conformance::profiling::aclprofCreateConfig_test
