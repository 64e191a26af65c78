// SPDX-License-Identifier: Apache-2.0
// Parsing the environment.
#include "base/config.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace ferry {
namespace {

Config parse(std::initializer_list<const char*> environment) {
  const std::vector<const char*> entries(environment);
  return parse_config(entries);
}

TEST(Config, HasDefaults) {
  const Config config = parse({"HOME=/root", "PATH=/bin", "NO_EQUALS_SIGN"});
  EXPECT_TRUE(config.problems.empty());
  ASSERT_EQ(config.devices.size(), 1u);
  EXPECT_EQ(config.devices[0].backend, "cpu");
  EXPECT_FALSE(config.devices[0].text.has_value());
  EXPECT_STREQ(config.soc->name, "Ascend910B1");
  EXPECT_EQ(config.schedule.kind, Schedule::Kind::kEager);
  EXPECT_FALSE(config.visible_devices.has_value());
  EXPECT_TRUE(config.failures.empty());
}

TEST(Config, RefusesOptionsOfBackendsWithMoreThanOneLine) {
  for (const char* option : {"FERRY_ABC_LANES=4\nother=1", "FERRY_ABC_LANES\nOTHER=4"}) {
    const Config config = parse({"FERRY_DEVICES=abc", option});
    EXPECT_EQ(config.problems.size(), 1u) << option;
    EXPECT_TRUE(config.options.empty());
  }
}

TEST(Config, ReadsEveryVariable) {
  const Config config =
      parse({"FERRY_DEVICES=cpu:2,null,cuda:1", "FERRY_MEMORY=512M", "FERRY_THREADS=3",
             "FERRY_SOC=Ascend310P3", "FERRY_CANN=9.0", "FERRY_SCHEDULE=shuffle:77",
             "FERRY_LOG=debug:/tmp/log", "FERRY_FAIL=aclrtMalloc:2=207001,aclrtFree:*=107000",
             "FERRY_CHECK=0", "FERRY_CUDA_BATCH=kernel", "FERRY_CUDA_SMS=8",
             "ASCEND_RT_VISIBLE_DEVICES=2,0"});
  ASSERT_TRUE(config.problems.empty());
  ASSERT_EQ(config.devices.size(), 3u);
  EXPECT_EQ(config.devices[0].text, "2");
  EXPECT_EQ(config.devices[1].backend, "null");
  EXPECT_EQ(config.devices[2].backend, "cuda");
  EXPECT_EQ(config.devices[2].text, "1");
  EXPECT_EQ(config.memory, 512u << 20);
  EXPECT_EQ(config.threads, 3u);
  EXPECT_FALSE(config.soc->traits->batch_copy);
  EXPECT_EQ(config.release->number, ReleaseNumber::k90);
  EXPECT_EQ(config.schedule.kind, Schedule::Kind::kShuffle);
  EXPECT_EQ(config.schedule.seed, 77u);
  EXPECT_EQ(config.log_level, LogLevel::kDebug);
  EXPECT_EQ(config.log_file, "/tmp/log");
  ASSERT_EQ(config.failures.size(), 2u);
  EXPECT_EQ(config.failures[0].function, "aclrtMalloc");
  EXPECT_EQ(config.failures[0].nth, 2u);
  EXPECT_EQ(config.failures[0].code, 207001);
  EXPECT_EQ(config.failures[1].nth, 0u);
  EXPECT_EQ(config.visible_devices, (std::vector<uint32_t>{2, 0}));
  EXPECT_EQ(config.options.at("cuda"), "batch=kernel\nsms=8\n");
}

TEST(Config, UnderstandsUnitsOfMemory) {
  EXPECT_EQ(parse({"FERRY_MEMORY=4096"}).memory, 4096u);
  EXPECT_EQ(parse({"FERRY_MEMORY=64K"}).memory, 64u << 10);
  EXPECT_EQ(parse({"FERRY_MEMORY=8G"}).memory, uint64_t{8} << 30);
  EXPECT_FALSE(parse({"FERRY_MEMORY=8G"}).memory_is_shared);
  EXPECT_EQ(parse({"FERRY_MEMORY=shared:8G"}).memory, uint64_t{8} << 30);
  EXPECT_TRUE(parse({"FERRY_MEMORY=shared:8G"}).memory_is_shared);
  for (const char* const wrong :
       {"FERRY_MEMORY=shared", "FERRY_MEMORY=shared:", "FERRY_MEMORY=shared:0",
        "FERRY_MEMORY=8G:shared", "FERRY_MEMORY=shared:shared:8G"}) {
    EXPECT_EQ(parse({wrong}).problems.size(), 1u) << wrong;
    EXPECT_FALSE(parse({wrong}).memory_is_shared) << wrong;
  }
}

TEST(Config, ReadsWhatBecomesOfKernels) {
  EXPECT_FALSE(parse({}).kernels.skips_unknown);
  EXPECT_FALSE(parse({"FERRY_KERNELS=refuse"}).kernels.skips_unknown);
  EXPECT_TRUE(parse({"FERRY_KERNELS=skip"}).kernels.skips_unknown);
  const Config config = parse({"FERRY_KERNELS=./kernels.so"});
  EXPECT_EQ("./kernels.so", config.kernels.file);
  EXPECT_TRUE(config.problems.empty());
}

TEST(Config, ReadsWhatIsToBeTraced) {
  EXPECT_TRUE(parse({}).trace.path.empty());
  EXPECT_EQ(parse({"FERRY_TRACE=out.json"}).trace.path, "out.json");
  EXPECT_EQ(parse({"FERRY_TRACE=out.json"}).trace.options, TraceOptions());
  const Config config = parse({"FERRY_TRACE=x/", "FERRY_TRACE_OPTIONS=ring=1000,items,contents"});
  EXPECT_EQ(config.trace.options, (TraceOptions{.items = true, .contents = true, .ring = 1000}));
}

TEST(Config, TakesAnEmptyValueAsNotSet) {
  EXPECT_TRUE(parse({"FERRY_SCHEDULE=", "FERRY_CHECK=", "FERRY_TRACE="}).problems.empty());
  const Config config = parse({"ASCEND_RT_VISIBLE_DEVICES="});
  ASSERT_TRUE(config.visible_devices.has_value());
  EXPECT_TRUE(config.visible_devices->empty());
}

TEST(Config, ReadsWhatTheCheckIsAskedFor) {
  EXPECT_FALSE(parse({}).check.is_on);
  EXPECT_FALSE(parse({"FERRY_CHECK=0"}).check.is_on);
  const Config all = parse({"FERRY_CHECK=1"});
  EXPECT_TRUE(all.check.is_on);
  EXPECT_TRUE(all.check.rules.empty());
  const Config some = parse({"FERRY_CHECK=leak,stream-race", "FERRY_MUTE=stale-handle,overlap",
                             "FERRY_REPORT=out-%p.json", "FERRY_SUPPRESSIONS=known.txt"});
  ASSERT_TRUE(some.problems.empty());
  EXPECT_TRUE(some.check.is_on);
  EXPECT_EQ(some.check.rules, (std::vector<std::string>{"leak", "stream-race"}));
  EXPECT_EQ(some.check.muted, (std::vector<std::string>{"stale-handle", "overlap"}));
  EXPECT_EQ(some.check.report, "out-%p.json");
  EXPECT_EQ(some.check.suppressions, "known.txt");
}

TEST(Config, ChecksLazilyUnlessAScheduleIsGiven) {
  EXPECT_EQ(parse({"FERRY_CHECK=1"}).schedule.kind, Schedule::Kind::kLazy);
  EXPECT_EQ(parse({"FERRY_CHECK=leak"}).schedule.kind, Schedule::Kind::kLazy);
  EXPECT_EQ(parse({"FERRY_CHECK=0"}).schedule.kind, Schedule::Kind::kEager);
  EXPECT_EQ(parse({"FERRY_CHECK=1", "FERRY_SCHEDULE="}).schedule.kind, Schedule::Kind::kLazy);
  EXPECT_EQ(parse({"FERRY_SCHEDULE=eager", "FERRY_CHECK=1"}).schedule.kind, Schedule::Kind::kEager);
  EXPECT_EQ(parse({"FERRY_CHECK=1", "FERRY_SCHEDULE=shuffle:7"}).schedule.kind,
            Schedule::Kind::kShuffle);
}

class RefusedEntry : public ::testing::TestWithParam<const char*> {};

TEST_P(RefusedEntry, IsNamedWithItsValue) {
  const std::string entry = GetParam();
  const Config config = parse({GetParam()});
  ASSERT_EQ(config.problems.size(), 1u);
  EXPECT_EQ(config.problems[0].argument(), entry.substr(0, entry.find('=')));
  EXPECT_EQ(config.problems[0].sentence().find(config.problems[0].argument()), 0u);
  EXPECT_STREQ(config.soc->name, "Ascend910B1") << "a refused configuration has the defaults";
}

INSTANTIATE_TEST_SUITE_P(
    Config, RefusedEntry,
    ::testing::Values(
        "FERRY_DEVICES=CPU", "FERRY_DEVICES=c-p-u", "FERRY_DEVICES=:1", "FERRY_PLUGINS=here",
        "FERRY_DEVICES=cpu,", "FERRY_DEVICES=,cpu", "FERRY_MEMORY=0", "FERRY_MEMORY=8X",
        "FERRY_MEMORY=-1", "FERRY_MEMORY=G", "FERRY_MEMORY=18446744073709551615G",
        "FERRY_THREADS=0", "FERRY_THREADS=257", "FERRY_THREADS=two", "FERRY_SOC=Ascend911",
        "FERRY_SOC=ascend910b1", "FERRY_CANN=9.2", "FERRY_SCHEDULE=fast", "FERRY_SCHEDULE=shuffle",
        "FERRY_SCHEDULE=shuffle:", "FERRY_SCHEDULE=shuffle:x", "FERRY_FAIL=aclrtMalloc",
        "FERRY_FAIL=aclrtMalloc:0=1", "FERRY_FAIL=aclrtMalloc:1=0", "FERRY_FAIL=aclrtMalloc=3:1",
        "FERRY_FAIL=aclrtMalloc:1=1,", "FERRY_LOG=loud", "FERRY_CHECK=2", "FERRY_CHECK=leak,",
        "FERRY_CHECK=1,leak", "FERRY_CHECK=Leak", "FERRY_CHECK=-leak", "FERRY_MUTE=1",
        "FERRY_MUTE=,leak", "FERRY_KERNELS=some.so", "FERRY_TRACE_OPTIONS=all",
        "FERRY_TRACE_OPTIONS=items,", "FERRY_TRACE_OPTIONS=ring=0", "FERRY_TRACE_OPTIONS=ring=x",
        "FERRY_CUDA_BATCH=fast", "FERRY_CUDA_SMS=0", "ASCEND_RT_VISIBLE_DEVICES=0,0",
        "ASCEND_RT_VISIBLE_DEVICES=a", "FERRY_UNKNOWN=1", "FERRY_=1"));

TEST(Config, PassesOptionsOfBackendsOnUnparsed) {
  const Config config = parse({"FERRY_ABACUS_BEADS=ten of them", "FERRY_DEVICES=cpu,abacus:wood",
                               "FERRY_ABACUS_COLOUR=red"});
  ASSERT_TRUE(config.problems.empty());
  EXPECT_EQ(config.devices[1].text, "wood");
  EXPECT_EQ(config.options.at("abacus"), "beads=ten of them\ncolour=red\n");
  EXPECT_EQ(parse({"FERRY_ABACUS_BEADS=10"}).problems.size(), 1u)
      << "the list of devices does not name this backend";
}

TEST(Config, ReadsFoldersOfPlugins) {
  EXPECT_EQ(parse({"FERRY_PLUGINS=/a:/b/c"}).plugin_folders,
            (std::vector<std::string>{"/a", "/b/c"}));
}

struct Wrong {
  std::vector<const char*> environment;
  const char* argument;
  const char* value;
  const char* allowed;
  const char* text;
};

TEST(Config, SaysByFieldsWhatIsWrong) {
  const Wrong rows[] = {
      {{"FERRY_THREADS=0"},
       "FERRY_THREADS",
       "0",
       "1 to 256",
       "FERRY_THREADS is \"0\", allowed is 1 to 256"},
      {{"ASCEND_RT_VISIBLE_DEVICES=1,1"},
       "ASCEND_RT_VISIBLE_DEVICES",
       "1,1",
       "",
       "ASCEND_RT_VISIBLE_DEVICES is \"1,1\", a device is listed twice"},
  };
  for (const Wrong& row : rows) {
    const Config config = parse_config(row.environment);
    ASSERT_EQ(config.problems.size(), 1u) << row.text;
    EXPECT_STREQ(config.problems[0].argument(), row.argument);
    EXPECT_STREQ(config.problems[0].value(), row.value);
    EXPECT_STREQ(config.problems[0].allowed(), row.allowed);
    EXPECT_STREQ(config.problems[0].text(), row.text);
  }
}

TEST(Config, ListsEverythingThatIsWrong) {
  const Config config = parse({"FERRY_FOO=1", "FERRY_THREADS=2", "FERRY_LOG=loud"});
  ASSERT_EQ(config.problems.size(), 2u);
  EXPECT_EQ(config.problems[0].sentence().find("FERRY_FOO is not a variable of Ferry; known are "),
            0u);
  EXPECT_STREQ(config.problems[1].argument(), "FERRY_LOG");
}

TEST(Config, ListsEachVariableWithWhatItMeans) {
  EXPECT_GE(variables().size(), 15u);
  for (const Variable& variable : variables())
    EXPECT_STRNE(variable.meaning, "") << variable.name;
}

}  // namespace
}  // namespace ferry
