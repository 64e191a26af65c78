// SPDX-License-Identifier: Apache-2.0
// aclmdlSetDump: files that configure a dump.
#include "support/dump.h"

namespace conformance::dump::aclmdlSetDump_test {
namespace {

using AclmdlSetDump = WithDump;

TEST(AclmdlSetDumpOrder, LooksAtTheFileLast) {
  EXPECT_FAILS_WITH(100001, aclmdlSetDump(nullptr));
  const Initialised initialised;
  EXPECT_FAILS_WITH(100045, aclmdlSetDump(nullptr));
}

TEST_F(AclmdlSetDump, RefusesNullAndFilesThatCannotBeRead) {
  EXPECT_FAILS(100000, "EH0008", aclmdlSetDump(nullptr));
  EXPECT_FAILS_WITH(100003, aclmdlSetDump(""));
  EXPECT_FAILS_WITH(100003, aclmdlSetDump("/no/such/file.json"));
  EXPECT_FAILS_WITH(100003, aclmdlSetDump("/"));
}

TEST_F(AclmdlSetDump, RefusesWhatIsNoDumpConfiguration) {
  const char* const refused[] = {
      "",
      "{",
      "[]",
      "{}",
      R"({"dump": []})",
      R"({"dump": {}})",
      R"({"dump": {"dump_path": 5}})",
      R"({"dump": {"dump_path": ""}})",
      R"({"dump": {"dump_path": "/tmp", "dump_mode": "some"}})",
      R"({"dump": {"dump_path": "/tmp", "dump_mode": 1}})",
      R"({"dump": {"dump_path": "/tmp", "dump_op_switch": "yes"}})",
      R"({"dump": {"dump_path": "/tmp", "dump_op_switch": ""}})",
      R"({"dump": {"dump_path": "/tmp", "dump_debug": true}})",
      R"({"dump": {"dump_path": "/tmp", "dump_data": "all"}})",
      R"({"dump": {"dump_path": "/tmp", "dump_level": "model"}})",
      R"({"dump": {"dump_path": "/tmp", "dump_list": {}}})",
      R"({"dump": {"dump_scene": "anything"}})",
  };
  for (const char* text : refused) {
    const ConfigFile file(text);
    EXPECT_FAILS_WITH(100009, aclmdlSetDump(file.path())) << text;
  }
}

TEST_F(AclmdlSetDump, TakesTheDocumentedKeysAndIgnoresOthers) {
  const char* const taken[] = {
      R"({"dump": {"dump_path": "/tmp"}})",
      R"({"dump": {"dump_path": "/tmp", "dump_mode": "all", "dump_op_switch": "on",
          "dump_data": "stats", "dump_level": "kernel", "dump_step": "0|2-4",
          "dump_list": [{"model_name": "m", "layer": ["a", {"b": [1]}]}], "new": {"x": 1}}})",
      R"({"dump": {"dump_scene": "lite_exception"}, "other": [[[[1]]]]})",
  };
  for (const char* text : taken) {
    const ConfigFile file(text);
    EXPECT_OK(aclmdlSetDump(file.path())) << text;
  }
}

TEST_F(AclmdlSetDump, AFileReplacesTheOneBefore) {
  const ConfigFile first(R"({"dump": {"dump_path": "/tmp/first"}})");
  const ConfigFile second(R"({"dump": {"dump_path": "/tmp/second", "dump_debug": "on"}})");
  EXPECT_OK(aclmdlSetDump(first.path()));
  EXPECT_STREQ(acldumpGetPath(DATA_DUMP), "/tmp/first");
  EXPECT_OK(aclmdlSetDump(second.path()));
  EXPECT_EQ(acldumpGetPath(DATA_DUMP), nullptr);
  EXPECT_STREQ(acldumpGetPath(OVERFLOW_DUMP), "/tmp/second");
}

}  // namespace
}  // namespace conformance::dump::aclmdlSetDump_test
