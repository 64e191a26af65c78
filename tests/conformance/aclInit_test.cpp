// SPDX-License-Identifier: Apache-2.0
// aclInit: initialises the library. Its effect is process-wide, so each test runs in its own
// process. Wrong environment variables are tested in configuration_test.cpp.
#include "support/config_file.h"
#include "support/devices.h"
#include "support/fifo.h"

#include <unistd.h>

#include <initializer_list>

namespace conformance::aclInit_test {
namespace {

// Whether aclInit returns the code, with a text that contains all these parts.
::testing::AssertionResult refuses(const char* path, aclError code,
                                   std::initializer_list<const char*> parts) {
  const aclError actual = aclInit(path);
  const std::string text = recent_text();
  if (actual != code) {
    return ::testing::AssertionFailure() << "it returned " << actual << "; text: " << text;
  }
  for (const char* part : parts) {
    if (text.find(part) == std::string::npos) {
      return ::testing::AssertionFailure() << "\"" << part << "\" is missing in: " << text;
    }
  }
  return ::testing::AssertionSuccess();
}

FERRY_PROCESS_TEST(AclInit, SucceedsWithoutAFile) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

FERRY_PROCESS_TEST(AclInit, TakesAnEmptyPathForNoFile) {
  EXPECT_OK(aclInit(""));
}

FERRY_PROCESS_TEST(AclInit, SetsNoDevice) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_EQ(nullptr, current_context());
}

FERRY_PROCESS_TEST(AclInit, TellsThatItWasCalledBeforeAndCounts) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  ASSERT_OK(aclrtSetDevice(0));  // the process stays usable
  uint64_t count = 99;
  EXPECT_OK(aclFinalizeReference(&count));
  EXPECT_EQ(2u, count);
}

FERRY_PROCESS_TEST(AclInit, DoesNotReadTheFileOfALaterCall) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_INITIALIZE, aclInit("/nonexistent/file.json"));
}

FERRY_PROCESS_TEST(AclInit, RefusesAFileThatIsMissing) {
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclInit("/nonexistent/file.json"));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

FERRY_PROCESS_TEST(AclInit, RefusesADirectory) {
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclInit("/"));
}

FERRY_PROCESS_TEST(AclInit, RefusesWhatIsNoRegularFile) {
  const Fifo fifo;  // nobody writes to it: opening it would block
  for (const char* path : {"/dev/zero", "/dev/null", fifo.path()}) {
    EXPECT_TRUE(refuses(path, ACL_ERROR_INVALID_FILE,
                        {"aclInit: configPath is ", path, "not a regular file"}))
        << path;
  }
}

FERRY_PROCESS_TEST(AclInit, RefusesAFileThatIsTooLong) {
  const ConfigFile file("{}");
  ASSERT_EQ(0, truncate(file.path(), off_t{20} << 30));  // most of it is a hole
  EXPECT_TRUE(refuses(file.path(), ACL_ERROR_INVALID_FILE,
                      {"configPath", file.path(), "longer than 16777216 bytes"}));
}

FERRY_PROCESS_TEST(AclInit, ReadsAFileOfTheLargestSize) {
  std::string text = "{\"err_msg_mode\": \"1\"";
  text.resize((size_t{16} << 20) - 1, ' ');
  const ConfigFile file(text + "}");
  EXPECT_OK(aclInit(file.path()));
}

// Nested deeper than any stack would allow a parser to recurse.
FERRY_PROCESS_TEST(AclInit, ReadsAFileThatIsDeeplyNested) {
  constexpr size_t kDepth = 1'000'000;
  const ConfigFile file("{\"a\": " + std::string(kDepth, '[') + std::string(kDepth, ']') + "}");
  EXPECT_OK(aclInit(file.path()));
}

FERRY_PROCESS_TEST(AclInit, RefusesTextThatIsNoJson) {
  for (const char* text : {"", "{", "}", "nonsense", "{\"a\": }", "{\"a\": 1,}", "{} {}", "[1, 2",
                           "{'a': 1}", "{\"a\": \"\x01\"}", "{\"a\" 1}"}) {
    const ConfigFile file(text);
    EXPECT_FAILS_WITH(ACL_ERROR_PARSE_FILE, aclInit(file.path())) << text;
  }
}

FERRY_PROCESS_TEST(AclInit, CanBeTriedAgainAfterAFailure) {
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclInit("/nonexistent/file.json"));
  const ConfigFile broken("{");
  EXPECT_FAILS_WITH(ACL_ERROR_PARSE_FILE, aclInit(broken.path()));
  EXPECT_OK(aclInit(nullptr));
  uint64_t count = 99;
  EXPECT_OK(aclFinalizeReference(&count));
  EXPECT_EQ(0u, count);
}

FERRY_PROCESS_TEST(AclInit, IgnoresOtherEntries) {
  const ConfigFile file(
      "{\"dump\": {\"dump_path\": \"./\", \"list\": [1, 2.5e3, null, true, {\"x\": \"\\u00e9\"}]},"
      " \"max_opqueue_num\": \"20000\"}\n");
  EXPECT_OK(aclInit(file.path()));
}

FERRY_PROCESS_TEST(AclInit, KeepsTextsOfThreadsApartByDefault) {
  const ConfigFile file("{\"err_msg_mode\": \"0\"}");
  ASSERT_OK(aclInit(file.path()));
  on_new_thread([] { aclrtGetDeviceCount(nullptr); });
  EXPECT_EQ(nullptr, aclGetRecentErrMsg());
}

FERRY_PROCESS_TEST(AclInit, SharesOneTextWhenTold) {
  const ConfigFile file("{\"err_msg_mode\": \"1\"}");
  ASSERT_OK(aclInit(file.path()));
  on_new_thread([] { aclrtGetDeviceCount(nullptr); });
  const std::string text = recent_text();
  EXPECT_EQ(0u, text.find("aclrtGetDeviceCount: ")) << text;
  on_new_thread([] { EXPECT_EQ(nullptr, aclGetRecentErrMsg()); });  // it was fetched already
}

FERRY_PROCESS_TEST(AclInit, GivesThreadsADefaultDevice, "FERRY_DEVICES=cpu:2") {
  const ConfigFile file("{\"defaultDevice\": {\"default_device\": \"1\"}}");
  ASSERT_OK(aclInit(file.path()));
  on_new_thread([] {
    void* memory = nullptr;
    ASSERT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    aclrtPtrAttributes attributes = {};
    EXPECT_OK(aclrtPointerGetAttributes(memory, &attributes));
    EXPECT_EQ(1u, attributes.location.id);
    EXPECT_OK(aclrtFree(memory));
  });
  on_new_thread([] {
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtDestroyStream(stream));
  });
  on_new_thread([] { EXPECT_OK(aclrtSynchronizeDevice()); });
}

FERRY_PROCESS_TEST(AclInit, RefusesADefaultDeviceThatIsNoNumberOfADevice) {
  for (const char* value : {"\"abc\"", "\"\"", "\"-1\"", "-1", "\"1x\"", "\" 1\"", "1.5",
                            "2147483648", "4294967296", "18446744073709551616", "null", "true"}) {
    const ConfigFile file(std::string("{\"defaultDevice\": {\"default_device\": ") + value + "}}");
    EXPECT_TRUE(refuses(
        file.path(), ACL_ERROR_INVALID_PARAM,
        {"aclInit: defaultDevice.default_device is ", ", allowed is ", "the number of a device"}))
        << value;
  }
  const ConfigFile list("{\"defaultDevice\": {\"default_device\": [0]}}");
  EXPECT_TRUE(
      refuses(list.path(), ACL_ERROR_INVALID_PARAM, {"defaultDevice.default_device is an array"}));
  const ConfigFile section("{\"defaultDevice\": 0}");
  EXPECT_TRUE(
      refuses(section.path(), ACL_ERROR_INVALID_PARAM, {"defaultDevice is 0", "an object"}));
  EXPECT_OK(aclInit(nullptr));
  on_new_thread([] { EXPECT_EQ(nullptr, current_context()); });
}

FERRY_PROCESS_TEST(AclInit, RefusesAnErrMsgModeThatIsNeither0Nor1) {
  for (const char* value : {"\"2\"", "2", "-1", "\"process\"", "{}", "null"}) {
    const ConfigFile file(std::string("{\"err_msg_mode\": ") + value + "}");
    EXPECT_TRUE(refuses(file.path(), ACL_ERROR_INVALID_PARAM,
                        {"aclInit: err_msg_mode is ", "(per thread)"}))
        << value;
  }
}

FERRY_PROCESS_TEST(AclInit, GivesAsynchronousCopiesNoDefaultDevice) {
  const ConfigFile file("{\"defaultDevice\": {\"default_device\": \"0\"}}");
  ASSERT_OK(aclInit(file.path()));
  ASSERT_OK(aclrtSetDevice(0));
  DeviceBuffer device(64);
  PinnedBuffer host(64);
  on_new_thread([&] {
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_CONTEXT_NULL,
        aclrtMemcpyAsync(device.get(), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_NULL, aclrtMemcpy2d(device.get(), 8, host.get(), 8, 8, 8,
                                                               ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtMemcpy2dAsync(device.get(), 8, host.get(), 8, 8, 8,
                                         ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
    void* destination = device.get();
    void* source = host.get();
    size_t size = 64, first = 0, fail_index = 0;
    aclrtMemcpyBatchAttr attribute = {};
    attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_NULL,
                      aclrtMemcpyBatchAsync(&destination, &size, &source, &size, 1, &attribute,
                                            &first, 1, &fail_index, nullptr));
  });
}

FERRY_PROCESS_TEST(AclInit, StartsAgainWithTheSameConfiguration) {
  const ConfigFile first("{\"err_msg_mode\": \"1\"}"), copy("{\"err_msg_mode\": \"1\"}");
  EXPECT_OK(aclInit(first.path()));
  EXPECT_OK(aclFinalize());
  EXPECT_OK(aclInit(first.path()));
  EXPECT_OK(aclFinalize());
  EXPECT_OK(aclInit(copy.path()));
}

FERRY_PROCESS_TEST(AclInit, RefusesAnotherConfigurationLater) {
  const ConfigFile first("{\"err_msg_mode\": \"1\"}"), second("{\"err_msg_mode\": \"0\"}");
  EXPECT_OK(aclInit(first.path()));
  EXPECT_OK(aclFinalize());
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclInit(second.path()));
  EXPECT_OK(aclInit(first.path()));
}

FERRY_PROCESS_TEST(AclInit, LooksAtTheFileBeforeItComparesIt) {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_FILE, aclInit("/nonexistent/file.json"));
  const ConfigFile broken("{");
  EXPECT_FAILS_WITH(ACL_ERROR_PARSE_FILE, aclInit(broken.path()));
}

FERRY_PROCESS_TEST(AclInit, IsDoneOnceByManyThreads) {
  std::atomic<int> first{0}, repeated{0};
  on_threads(8, [&] {
    const aclError code = aclInit(nullptr);
    if (code == ACL_SUCCESS) ++first;
    if (code == ACL_ERROR_REPEAT_INITIALIZE) ++repeated;
  });
  EXPECT_EQ(1, first);
  EXPECT_EQ(7, repeated);
  uint64_t count = 99;
  EXPECT_OK(aclFinalizeReference(&count));
  EXPECT_EQ(7u, count);
}

FERRY_PROCESS_TEST(AclInit, MayComeAfterOtherCalls) {
  ASSERT_OK(aclrtSetDevice(0));
  const aclrtContext context = current_context();
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(context, current_context());
}

}  // namespace
}  // namespace conformance::aclInit_test
