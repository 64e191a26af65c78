// SPDX-License-Identifier: Apache-2.0
// aclInitCallbackRegister: functions that aclInit calls. Each test runs in its own process.
#include "support/config_file.h"
#include "support/devices.h"

namespace conformance::aclInitCallbackRegister_test {
namespace {

struct Calls {
  int count = 0;
  std::string text;
  size_t length = 99;
  aclError result = ACL_SUCCESS;
};

aclError note(const char* text, size_t length, void* user_data) {
  auto* calls = static_cast<Calls*>(user_data);
  ++calls->count;
  calls->text = text == nullptr ? "(null)" : text;
  calls->length = length;
  return calls->result;
}

aclError note_too(const char* text, size_t length, void* user_data) {
  return note(text, length, user_data);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, IsCalledWithTheTextOfTheFile) {
  const std::string text = "{\"err_msg_mode\": \"0\"}\n";
  const ConfigFile file(text);
  Calls calls;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note, &calls));
  EXPECT_EQ(0, calls.count);
  EXPECT_OK(aclInit(file.path()));
  EXPECT_EQ(1, calls.count);
  EXPECT_EQ(text, calls.text);
  EXPECT_EQ(text.size(), calls.length);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, IsCalledWithAnEmptyTextWithoutAFile) {
  Calls calls;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note, &calls));
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(1, calls.count);
  EXPECT_EQ("", calls.text);
  EXPECT_EQ(0u, calls.length);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, IsCalledAtOnceAfterAclInit) {
  const std::string text = "{}";
  const ConfigFile file(text);
  ASSERT_OK(aclInit(file.path()));
  Calls calls;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, note, &calls));
  EXPECT_EQ(1, calls.count);
  EXPECT_EQ(text, calls.text);
  EXPECT_EQ(text.size(), calls.length);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, KeepsAPairOnce) {
  Calls calls;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note, &calls));
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note, &calls));
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(1, calls.count);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, KeepsPairsApart) {
  Calls model, executor, other;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note, &model));
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_OP_EXECUTOR, note, &executor));
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note_too, &other));
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(1, model.count);
  EXPECT_EQ(1, executor.count);
  EXPECT_EQ(1, other.count);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, IsCalledByEveryNewAclInit) {
  Calls calls;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note, &calls));
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(2, calls.count);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, HandsItsFailureToAclInit) {
  Calls calls;
  calls.result = ACL_ERROR_FAILURE;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note, &calls));
  EXPECT_EQ(ACL_ERROR_FAILURE, aclInit(nullptr));
  EXPECT_EQ(1, calls.count);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, IsNotCalledWhenTheFileIsBad) {
  Calls calls;
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, note, &calls));
  EXPECT_EQ(ACL_ERROR_INVALID_FILE, aclInit("/nonexistent/file.json"));
  EXPECT_EQ(0, calls.count);
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, nullptr, nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

FERRY_PROCESS_TEST(AclInitCallbackRegister, LetsTheFunctionUseTheLibrary) {
  const auto use = [](const char*, size_t, void*) -> aclError {
    EXPECT_OK(aclrtSetDevice(0));
    { DeviceBuffer buffer(64); }
    return aclrtResetDevice(0);
  };
  EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, use, nullptr));
  EXPECT_OK(aclInit(nullptr));
}

}  // namespace
}  // namespace conformance::aclInitCallbackRegister_test
