// SPDX-License-Identifier: Apache-2.0
// Entries of FERRY_DEVICES and options of the CUDA backend.
#include "backends/cuda/plugin/options.h"

#include <gtest/gtest.h>

namespace ferry::cuda {
namespace {

TEST(CudaOptions, AnEntryIsAnIndexOrStandsForAllGpus) {
  std::optional<uint32_t> gpu = 7;
  EXPECT_EQ("", parse_entry(nullptr, gpu));
  EXPECT_FALSE(gpu.has_value());
  EXPECT_EQ("", parse_entry("0", gpu));
  EXPECT_EQ(0u, gpu);
  EXPECT_EQ("", parse_entry("64", gpu));
  EXPECT_EQ(64u, gpu);
}

TEST(CudaOptions, AnEntryThatIsNoIndexIsNamed) {
  for (const char* entry : {"", "65", "-1", "+1", "one", "1 ", " 1", "0x1", "99999999999"}) {
    std::optional<uint32_t> gpu;
    EXPECT_EQ("FERRY_DEVICES names cuda:" + std::string(entry) + ", an index is 0 to 64",
              parse_entry(entry, gpu));
  }
}

TEST(CudaOptions, NoOptionsMeanTheDefaults) {
  for (const char* options : {static_cast<const char*>(nullptr), "", "\n", "batch=\nsms=\n"}) {
    Overrides overrides;
    EXPECT_EQ("", parse_options(options, overrides));
    EXPECT_EQ(BatchWay::kAuto, overrides.batch);
    EXPECT_EQ(0u, overrides.most_multiprocessors);
  }
}

TEST(CudaOptions, ReadsItsKeys) {
  Overrides overrides;
  EXPECT_EQ("", parse_options("batch=kernel\nsms=4\n", overrides));
  EXPECT_EQ(BatchWay::kKernel, overrides.batch);
  EXPECT_EQ(4u, overrides.most_multiprocessors);
  EXPECT_EQ("", parse_options("batch=engine", overrides));
  EXPECT_EQ(BatchWay::kEngine, overrides.batch);
  EXPECT_EQ("", parse_options("batch=auto", overrides));
  EXPECT_EQ(BatchWay::kAuto, overrides.batch);
}

TEST(CudaOptions, BadValuesAreNamed) {
  Overrides overrides;
  EXPECT_EQ("FERRY_CUDA_BATCH is \"fast\", allowed is auto, engine or kernel",
            parse_options("sms=4\nbatch=fast\n", overrides));
  for (const char* value : {"0", "-4", "many", "4 "}) {
    EXPECT_EQ("FERRY_CUDA_SMS is \"" + std::string(value) +
                  "\", allowed is a number of multiprocessors, 1 or more",
              parse_options(("sms=" + std::string(value)).c_str(), overrides));
  }
}

TEST(CudaOptions, UnknownKeysAreNamed) {
  Overrides overrides;
  for (const char* line : {"streams=2", "batch", "=4", "BATCH=auto"}) {
    EXPECT_EQ("\"" + std::string(line) +
                  "\" is not an option of the CUDA backend; known are FERRY_CUDA_BATCH "
                  "FERRY_CUDA_SMS",
              parse_options(line, overrides));
  }
}

ferryx_settings settings_with(const std::vector<const char*>& entries) {
  ferryx_settings settings{};
  settings.struct_size = sizeof settings;
  settings.entry_count = static_cast<uint32_t>(entries.size());
  settings.entries = entries.data();
  return settings;
}

TEST(CudaOptions, OnlyOpenKnowsHowManyGpusThereAre) {
  const std::vector<const char*> entries{"3", nullptr};
  uint32_t counts[2] = {};
  EXPECT_EQ("", check_entries(settings_with(entries), counts));
  EXPECT_EQ(1u, counts[0]);
  EXPECT_EQ(FERRYX_ALL, counts[1]);
  const std::vector<const char*> wrong{"0", "x"};
  EXPECT_NE("", check_entries(settings_with(wrong), counts));
}

TEST(CudaOptions, DevicesAreNumberedInTheOrderOfTheEntries) {
  const std::vector<const char*> entries{"1", nullptr, "0"};
  uint32_t counts[3] = {};
  std::vector<int> ordinals;
  EXPECT_EQ("", list_ordinals(settings_with(entries), 2, counts, ordinals));
  EXPECT_EQ((std::vector<int>{1, 0, 1, 0}), ordinals);
  EXPECT_EQ(1u, counts[0]);
  EXPECT_EQ(2u, counts[1]);
  EXPECT_EQ(1u, counts[2]);
}

TEST(CudaOptions, AGpuThatDoesNotExistIsNamed) {
  const std::vector<const char*> entries{"0", "5"};
  uint32_t counts[2] = {};
  std::vector<int> ordinals;
  EXPECT_EQ("FERRY_DEVICES names cuda:5, but there are 2",
            list_ordinals(settings_with(entries), 2, counts, ordinals));
}

}  // namespace
}  // namespace ferry::cuda
