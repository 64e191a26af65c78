// SPDX-License-Identifier: Apache-2.0
// aclprofInit: the path, and one session at a time.
#include "support/config_file.h"
#include "support/profiling.h"

namespace conformance::profiling::aclprofInit_test {
namespace {

TEST(AclprofInit, RefusesPathsOfTheWrongLength) {
  const std::string longest(4095, 'a');
  EXPECT_FAILS(100000, "EH0008", aclprofInit(nullptr, 4));
  EXPECT_FAILS(100000, "EH0007", aclprofInit("", 0));
  EXPECT_FAILS(100000, "EH0007", aclprofInit(longest.c_str(), 4096));
  EXPECT_FAILS(100000, "EH0007", aclprofInit(longest.c_str(), SIZE_MAX));
  EXPECT_FAILS(100000, "EH0009", aclprofInit("/tmp", 3));
  EXPECT_FAILS(100000, "EH0009", aclprofInit("/tmp", 5));
  EXPECT_OK(aclprofInit(longest.c_str(), longest.size()));
  EXPECT_OK(aclprofFinalize());
}

TEST(AclprofInit, OpensOneSessionAtATime) {
  EXPECT_OK(open_session());
  EXPECT_FAILS_WITH(100002, aclprofInit("/tmp", 4));
  EXPECT_FAILS(100000, "EH0008", aclprofInit(nullptr, 4));
  EXPECT_OK(aclprofFinalize());
  EXPECT_OK(open_session());
  EXPECT_OK(aclprofFinalize());
}

FERRY_PROCESS_TEST(AclprofInitProcess, IsRefusedWhenTheFileOfAclInitHasSwitchedProfilingOn) {
  const ConfigFile on(R"({"profiler": {"switch": "on", "output": "/tmp"}})");
  ASSERT_OK(aclInit(on.path()));
  EXPECT_FAILS_WITH(100042, aclprofInit("/tmp", 4));
  EXPECT_OK(aclFinalize());
  EXPECT_OK(open_session());
  ASSERT_OK(aclInit(on.path()));
  EXPECT_FAILS_WITH(100002, aclprofInit("/tmp", 4));
}

FERRY_PROCESS_TEST(AclprofInitProcess, IgnoresAProfilerThatIsOff) {
  const ConfigFile off(R"({"profiler": {"switch": "off", "msproftx": "on"}})");
  ASSERT_OK(aclInit(off.path()));
  EXPECT_OK(open_session());
}

FERRY_PROCESS_TEST(AclprofInitProcess, TheFileOfAclInitStartsToRecord) {
  const ConfigFile on(R"({"profiler": {"switch": "on", "msproftx": "on"}})");
  ASSERT_OK(aclInit(on.path()));
  const Recorded recorded;
  const Stamp stamp("first");
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_EQ(recorded.texts(), Texts{"0 first"});
  EXPECT_OK(aclFinalize());
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_EQ(recorded.texts().size(), 1U);
}

}  // namespace
}  // namespace conformance::profiling::aclprofInit_test
