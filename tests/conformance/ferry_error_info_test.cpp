// SPDX-License-Identifier: Apache-2.0
// ferryGetErrorInfo and ferryGetProblem: errors by their fields.
#include "support/config_file.h"
#include "support/devices.h"

#include "ferry/ferry.h"

#include <string>

namespace conformance::ferry_error_info_test {
namespace {

ferryErrorInfo recent_info() {
  ferryErrorInfo info = {};
  info.structSize = sizeof info;
  EXPECT_OK(ferryGetErrorInfo(&info));
  return info;
}

void expect_fields(const ferryErrorInfo& info, aclError code, const char* message_code,
                   const char* argument, const char* value, const char* allowed) {
  EXPECT_EQ(code, info.code) << info.text;
  EXPECT_STREQ(message_code, info.messageCode) << info.text;
  EXPECT_STREQ(argument, info.argument) << info.text;
  EXPECT_STREQ(value, info.value) << info.text;
  EXPECT_STREQ(allowed, info.allowed) << info.text;
}

class FerryGetErrorInfo : public WithDevice {};
class FerryGetProblem : public WithDevice {};

TEST_F(FerryGetErrorInfo, HasTheFieldsOfAnArgument) {
  char from[64] = {}, to[63] = {};
  ASSERT_EQ(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(to, 63, from, 64, ACL_MEMCPY_HOST_TO_HOST));
  const ferryErrorInfo info = recent_info();
  expect_fields(info, ACL_ERROR_RT_PARAM_INVALID, "EE1003", "count", "64", "0 to destMax = 63");
  EXPECT_STREQ("aclrtMemcpy", info.function);
  EXPECT_STREQ("aclrtMemcpy: count is 64, allowed is 0 to destMax = 63 (EE1003)", info.text);
  clear_errors();
}

TEST_F(FerryGetErrorInfo, HasTheFieldsOfAnItem) {
  DeviceBuffer device(64);
  PinnedBuffer host(64);
  void* to[] = {device.get(), device.get()};
  void* from[] = {host.get(), host.get()};
  size_t limits[] = {32, 32};
  size_t sizes[] = {32, 33};
  size_t first = 0, failed = 0;
  aclrtMemcpyBatchAttr attribute = {};
  ASSERT_EQ(ACL_ERROR_INVALID_PARAM,
            aclrtMemcpyBatch(to, limits, from, sizes, 2, &attribute, &first, 1, &failed));
  expect_fields(recent_info(), ACL_ERROR_INVALID_PARAM, "EH0009", "sizes[1]", "33",
                "up to destMaxs[1] = 32");
  attribute.rsv[2] = 7;
  ASSERT_EQ(ACL_ERROR_INVALID_PARAM,
            aclrtMemcpyBatch(to, limits, from, limits, 2, &attribute, &first, 1, &failed));
  expect_fields(recent_info(), ACL_ERROR_INVALID_PARAM, "EH0007", "attrs[0].rsv[2]", "7", "0");
  clear_errors();
}

TEST_F(FerryGetErrorInfo, LeavesEmptyWhatDoesNotApply) {
  on_new_thread([] {
    int32_t device = 0;
    ASSERT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetDevice(&device));
    expect_fields(recent_info(), ACL_ERROR_RT_CONTEXT_NULL, "EE1018", "", "", "");
    ASSERT_EQ(ACL_ERROR_INVALID_PARAM, aclrtFree(nullptr));
    expect_fields(recent_info(), ACL_ERROR_INVALID_PARAM, "EH0008", "devPtr", "NULL", "");
  });
}

TEST_F(FerryGetErrorInfo, IsEmptyBeforeTheFirstError) {
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtFree(nullptr));
  on_new_thread([] {
    const ferryErrorInfo info = recent_info();
    expect_fields(info, ACL_SUCCESS, "", "", "", "");
    EXPECT_STREQ("", info.function);
    EXPECT_STREQ("", info.text);
  });
  clear_errors();
}

TEST_F(FerryGetErrorInfo, ChangesNothingAndOutlivesTheText) {
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtFree(nullptr));
  const std::string text = recent_info().text;
  EXPECT_EQ(text, recent_info().text);
  EXPECT_EQ(text, recent_text());
  EXPECT_EQ(nullptr, aclGetRecentErrMsg());
  EXPECT_STREQ("devPtr", recent_info().argument);
}

FERRY_PROCESS_TEST(FerryGetErrorInfoProcess, IsTheThreadsOwnWhenTextsAreShared) {
  const ConfigFile file(R"({"err_msg_mode": "1"})");
  ASSERT_OK(aclInit(file.path()));
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtFree(nullptr));
  on_new_thread([] { EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtFreeHost(nullptr)); });
  EXPECT_STREQ("devPtr", recent_info().argument);
  EXPECT_NE(std::string::npos, recent_text().find("hostPtr"));
}

TEST_F(FerryGetErrorInfo, RefusesNullAndAStructThatIsTooSmall) {
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetErrorInfo(nullptr));
  ferryErrorInfo info = {};
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetErrorInfo(&info));
  info.structSize = sizeof info - 1;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetErrorInfo(&info));
  EXPECT_EQ(nullptr, info.text);
}

FERRY_PROCESS_TEST(FerryGetProblemProcess, ListsWhatIsWrongWithTheEnvironment, "FERRY_THREADS=many",
                   "FERRY_SOC=Ascend910B1", "FERRY_SPEED=fast") {
  ferryErrorInfo problem = {};
  problem.structSize = sizeof problem;
  std::string texts;
  size_t count = 0;
  for (; ferryGetProblem(count, &problem) == ACL_SUCCESS; ++count) {
    EXPECT_EQ(ACL_ERROR_INVALID_PARAM, problem.code);
    EXPECT_STREQ("", problem.function);
    EXPECT_STREQ("", problem.messageCode);
    EXPECT_EQ(0u, std::string(problem.text).find(problem.argument)) << problem.text;
    texts.append(problem.text).append("\n");
    if (std::string("FERRY_THREADS") != problem.argument) continue;
    EXPECT_STREQ("many", problem.value);
    EXPECT_STREQ("1 to 256", problem.allowed);
  }
  EXPECT_EQ(2u, count) << texts;
  EXPECT_NE(std::string::npos, texts.find("FERRY_THREADS is \"many\", allowed is 1 to 256\n"));
  EXPECT_NE(std::string::npos, texts.find("FERRY_SPEED is not a variable of Ferry"));
}

FERRY_PROCESS_TEST(FerryGetProblemProcess, IsWhatCallsFailWith, "FERRY_THREADS=many") {
  ferryErrorInfo problem = {};
  problem.structSize = sizeof problem;
  ASSERT_OK(ferryGetProblem(0, &problem));
  ASSERT_EQ(ACL_ERROR_INVALID_PARAM, aclInit(nullptr));
  EXPECT_EQ(std::string("aclInit: ") + problem.text + " (EH0009)", recent_text());
  EXPECT_EQ(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtSetDevice(0));
  EXPECT_STREQ(problem.argument, recent_info().argument);
  EXPECT_EQ(
      std::string("aclrtSetDevice: the configuration is not usable: ") + problem.text + " (EE1001)",
      recent_text());
}

FERRY_PROCESS_TEST(FerryGetProblemProcess, SaysWhichNameIsNoRule, "FERRY_CHECK=leek") {
  ferryErrorInfo problem = {};
  problem.structSize = sizeof problem;
  ASSERT_OK(ferryGetProblem(0, &problem));
  EXPECT_STREQ("FERRY_CHECK", problem.argument);
  EXPECT_STREQ("leek", problem.value);
  EXPECT_NE(std::string::npos, std::string(problem.allowed).find("leak"));
}

TEST_F(FerryGetProblem, ListsNoneWhenAllIsWell) {
  ferryErrorInfo problem = {};
  problem.structSize = sizeof problem;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetProblem(0, &problem));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetProblem(SIZE_MAX, &problem));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetProblem(0, nullptr));
  EXPECT_EQ(nullptr, problem.text);
}

}  // namespace
}  // namespace conformance::ferry_error_info_test
