// SPDX-License-Identifier: Apache-2.0
// aclmdlRIDebugJsonPrint: a model as the events of a Chrome trace.
#include "support/config_file.h"
#include "support/kernel_models.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace conformance::aclmdlRIDebugJsonPrint_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIDebugJsonPrint = WithStream;

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(AclmdlRIDebugJsonPrint, ChecksInOrder) {
  const Model model = capture(stream_, [] {});
  const std::string path = ConfigFile("").path();
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIDebugJsonPrint(nullptr, path.c_str(), 0));
  EXPECT_FAILS(kBadArgument, "EH0008", aclmdlRIDebugJsonPrint(model, nullptr, 0));
  EXPECT_FAILS_WITH(kBadHandle, aclmdlRIDebugJsonPrint(dead_model(stream_), path.c_str(), 0));
  on_new_thread(
      [&] { EXPECT_FAILS_WITH(kNoContext, aclmdlRIDebugJsonPrint(model, path.c_str(), 0)); });
  {
    const OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kModelOfOtherContext, aclmdlRIDebugJsonPrint(model, path.c_str(), 0));
  }
  for (const char* bad : {"", "/", "/no/such/folder/file.json"})
    EXPECT_FAILS(kBadValue, "EE1011", aclmdlRIDebugJsonPrint(model, bad, 0));
}

TEST_F(AclmdlRIDebugJsonPrint, HasOneEventPerTask) {
  const Forked forked(stream_);
  const ConfigFile file("what was there before, and longer than nothing");
  uint32_t event = 0;
  uint32_t id = 0;
  EXPECT_OK(aclrtGetEventId(forked.fork, &event));
  EXPECT_OK(aclmdlRIGetId(forked.model, &id));
  for (const uint32_t flags : {0u, 1u}) {
    EXPECT_OK(aclmdlRIDebugJsonPrint(forked.model, file.path(), flags));
    const std::string json = read_file(file.path());
    const std::string first = "{\"name\": \"EVENT_RECORD_" + std::to_string(event) +
                              "\", \"pid\": \"" + std::to_string(getpid()) +
                              " aclGraph\", \"tid\": \"stream";
    EXPECT_EQ(0u, json.find("[\n" + first)) << json;
    const std::string args =
        "\"ts\": 0, \"dur\": 4.5, \"ph\": \"X\", \"args\": {\"Model Id\": " + std::to_string(id) +
        ", \"Stream Id\": ";
    EXPECT_NE(std::string::npos, json.find(args)) << json;
    // Behind the record, 5, comes the copy, 10, then the wait, 15.
    EXPECT_NE(std::string::npos, json.find("\"ts\": 5, \"dur\": 9.5")) << json;
    EXPECT_NE(std::string::npos, json.find("\"ts\": 15, \"dur\": 14.5")) << json;
    EXPECT_NE(std::string::npos, json.find("\"Task Id\": 5, \"Task Type\": \"EVENT_WAIT\"}},\n"))
        << json;
    EXPECT_EQ(6, std::count(json.begin(), json.end(), 'X')) << json;
    EXPECT_EQ("\n]\n", json.substr(json.size() - 3));
  }
}

TEST_F(AclmdlRIDebugJsonPrint, AModelWithoutTasksIsAnEmptyList) {
  const Model model = capture(stream_, [] {});
  const ConfigFile file("");
  EXPECT_OK(aclmdlRIDebugJsonPrint(model, file.path(), 0));
  EXPECT_EQ("[\n]\n", read_file(file.path()));
}

using AclmdlRIDebugJsonPrintOfKernels = WithKernelModels;

TEST_F(AclmdlRIDebugJsonPrintOfKernels, TellsHowTheyAreLaunched) {
  uint32_t block[3] = {0x11, 0x22, 0x33};
  DeviceBuffer in_device(8);
  in_device.write(std::vector<uint8_t>(8, 0xAB));
  aclrtLaunchKernelAttr mode = kernels::attribute(ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, 1);
  aclrtLaunchKernelCfg config{.attrs = &mode, .numAttrs = 1};
  const Model model = capture(stream_, [&] {
    EXPECT_OK(aclrtLaunchKernelWithHostArgs(function(), 5, stream_, &config, block, sizeof block,
                                            nullptr, 0));
    EXPECT_OK(aclrtLaunchKernel(function(), 6, in_device.get(), 8, stream_));
  });
  const ConfigFile file("");
  EXPECT_OK(aclmdlRIDebugJsonPrint(model, file.path(), 0));
  std::string json = read_file(file.path());
  EXPECT_EQ(0u, json.find("[\n{\"name\": \"ct_record\", ")) << json;
  EXPECT_NE(std::string::npos,
            json.find("\"Task Type\": \"KERNEL\", \"Numblocks\": 5, \"Schem Mode\": 1}}"))
      << json;
  EXPECT_NE(std::string::npos, json.find("\"Numblocks\": 6, \"Schem Mode\": 0}}")) << json;
  EXPECT_OK(aclmdlRIDebugJsonPrint(model, file.path(), 1));
  json = read_file(file.path());
  EXPECT_NE(std::string::npos,
            json.find("\"Schem Mode\": 1, \"Kernel Args\": [\"0x0000002200000011\", "
                      "\"0x0000000000000033\"], \"Kernel Args Size\": 12}}"))
      << json;
  EXPECT_NE(std::string::npos,
            json.find("\"Kernel Args\": [\"0xabababababababab\"], \"Kernel Args Size\": 8}}"))
      << json;
}

}  // namespace
}  // namespace conformance::aclmdlRIDebugJsonPrint_test
