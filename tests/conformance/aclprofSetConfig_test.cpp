// SPDX-License-Identifier: Apache-2.0
// aclprofSetConfig: types, lengths and values.
#include "support/profiling.h"

namespace conformance::profiling::aclprofSetConfig_test {
namespace {

aclError set(int type, const std::string& text) {
  return aclprofSetConfig(static_cast<aclprofConfigType>(type), text.c_str(), text.size());
}

TEST(AclprofSetConfig, ChecksTypeLengthAndTextInThisOrder) {
  const std::string long_text(257, 'a');
  for (const int type : {0, 17, -1, 1000}) {
    EXPECT_FAILS(100000, "EH0007",
                 aclprofSetConfig(static_cast<aclprofConfigType>(type), nullptr, 257));
  }
  EXPECT_FAILS(100000, "EH0007", aclprofSetConfig(ACL_PROF_OPTYPE, nullptr, 257));
  EXPECT_TRUE(
      fails_as("", "", "aclprofSetConfig", 100000, "EH0007", set(ACL_PROF_OPTYPE, long_text)));
  EXPECT_FAILS(100000, "EH0008", aclprofSetConfig(ACL_PROF_OPTYPE, nullptr, 1));
  EXPECT_FAILS(100000, "EH0009", aclprofSetConfig(ACL_PROF_OPTYPE, "abc", 2));
  EXPECT_FAILS(100000, "EH0009", aclprofSetConfig(ACL_PROF_OPTYPE, "abc", 4));
  EXPECT_OK(set(ACL_PROF_OPTYPE, long_text.substr(1)));
}

TEST(AclprofSetConfig, JudgesTheValue) {
  const struct {
    int type;
    std::vector<const char*> allowed;
    std::vector<const char*> refused;
  } rows[] = {
      {ACL_PROF_STORAGE_LIMIT,
       {"200MB", "4294967295MB"},
       {"199MB", "200", "4294967296MB", "-1MB", "MB", ""}},
      {ACL_PROF_SYS_HARDWARE_MEM_FREQ, {"1", "50", "10000"}, {"0", "10001", "1.5", "x", "", " 1"}},
      {ACL_PROF_LLC_MODE, {"read", "write", "capacity", "bandwidth"}, {"", "reads", "READ"}},
      {ACL_PROF_SYS_IO_FREQ, {"100"}, {"0"}},
      {ACL_PROF_SYS_INTERCONNECTION_FREQ, {"50"}, {"-1"}},
      {ACL_PROF_DVPP_FREQ, {"100"}, {"many"}},
      {ACL_PROF_HOST_SYS,
       {"cpu", "cpu,mem", "mem,disk,network,osrt"},
       {"", "cpu,", ",mem", "cpu;mem"}},
      {ACL_PROF_HOST_SYS_USAGE, {"cpu", "mem,cpu"}, {"disk", ""}},
      {ACL_PROF_HOST_SYS_USAGE_FREQ, {"50"}, {"0"}},
      {ACL_PROF_LOW_POWER_FREQ, {"100"}, {"0"}},
      {ACL_PROF_SYS_MEM_SERVICEFLOW, {"group1,group2"}, {""}},
      {ACL_PROF_SYS_CPU_FREQ, {"50"}, {"0"}},
      {ACL_PROF_OPTYPE, {"MatMul"}, {""}},
      {ACL_PROF_NTS_METRICS, {"0x11"}, {""}},
      {ACL_PROF_PATH, {"/tmp"}, {""}},
      {2, {"any"}, {""}},
  };
  for (const auto& row : rows) {
    for (const char* text : row.allowed)
      EXPECT_OK(set(row.type, text)) << row.type << " " << text;
    for (const char* text : row.refused)
      EXPECT_TRUE(fails_as("", "", "aclprofSetConfig", 100010, "EH0007", set(row.type, text)))
          << row.type << " " << text;
  }
}

TEST(AclprofSetConfig, WorksInsideASession) {
  const Session session;
  EXPECT_OK(set(ACL_PROF_HOST_SYS, "cpu,mem"));
}

}  // namespace
}  // namespace conformance::profiling::aclprofSetConfig_test
