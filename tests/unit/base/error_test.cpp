// SPDX-License-Identifier: Apache-2.0
// What an error is made of, and the text that is rendered from it.
#include "base/error.h"

#include "base/error_state.h"
#include "base/status.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace ferry::error_test {
namespace {

const void* const kAddress = reinterpret_cast<void*>(0x7f10);

enum Kind { kNegative = -1, kLarge = 7 };

struct Row {
  Status (*decide)();
  const char* message_code;
  const char* argument;
  const char* value;
  const char* allowed;
  const char* text;
};

constexpr aclError kCode = ACL_ERROR_RT_PARAM_INVALID;

const Row kRows[] = {
    {[] { return reject(kCode, kEE1003, "count", size_t{64}).allowed("0 to %d", 63); }, "EE1003",
     "count", "64", "0 to 63", "call: count is 64, allowed is 0 to 63 (EE1003)"},
    {[] { return reject(kCode, kEH0007, "kind", kNegative).allowed("0 to 5"); }, "EH0007", "kind",
     "-1", "0 to 5", "call: kind is -1, allowed is 0 to 5 (EH0007)"},
    {[] { return reject(kCode, kEH0007, "size", 0).allowed("1 or more"); }, "EH0007", "size", "0",
     "1 or more", "call: size is 0, allowed is 1 or more (EH0007)"},
    {[] {
       return reject(kCode, kEH0009, {"sizes", 3}, UINT64_MAX)
           .allowed("up to destMaxs[%d] = %d", 3, 8);
     },
     "EH0009", "sizes[3]", "18446744073709551615", "up to destMaxs[3] = 8",
     "call: sizes[3] is 18446744073709551615, allowed is up to destMaxs[3] = 8 (EH0009)"},
    {[] {
       return reject(kCode, kEH0007, {"attrs", 1, "rsv", 2}, uint8_t{9}).allowed("0");
     },
     "EH0007", "attrs[1].rsv[2]", "9", "0", "call: attrs[1].rsv[2] is 9, allowed is 0 (EH0007)"},
    {[] {
       return reject(kCode, kWE0001, "type", Value::hex(0x81))
           .detail(", supported are ")
           .allowed("0 and 0x4");
     },
     "WE0001", "type", "0x81", "0 and 0x4", "call: type is 0x81, supported are 0 and 0x4 (WE0001)"},
    {[] {
       return reject(kCode, kEE1011, "ptr", kAddress)
           .because(", which the host may not %s", "read");
     },
     "EE1011", "ptr", "0x7f10", "", "call: ptr is 0x7f10, which the host may not read (EE1011)"},
    {[] {
       return reject(kCode, kEH0009, "configPath", Value::quoted("a b"))
           .because(", which cannot be read");
     },
     "EH0009", "configPath", "a b", "",
     "call: configPath is \"a b\", which cannot be read (EH0009)"},
    {[] {
       return reject(kCode, kEE1016, "stream", Value::beside(kAddress))
           .because(" is not subscribed");
     },
     "EE1016", "stream", "0x7f10", "", "call: stream 0x7f10 is not subscribed (EE1016)"},
    {[] {
       return reject(kCode, kEE1011, "devPtr", Value::alone(kAddress))
           .because(" is not the start of device memory");
     },
     "EE1011", "devPtr", "0x7f10", "", "call: 0x7f10 is not the start of device memory (EE1011)"},
    {[] {
       return reject(kCode, kEH0012, "config").detail(" is reserved and must be ").allowed("NULL");
     },
     "EH0012", "config", "", "NULL", "call: config is reserved and must be NULL (EH0012)"},
    {[] {
       return fail_null({"dsts", 0}, kCode, kEE1004);
     },
     "EE1004", "dsts[0]", "NULL", "", "call: dsts[0] is NULL (EE1004)"},
    {[] { return fail_handle(kCode, "event", kAddress, "event"); }, "EE1017", "event", "0x7f10", "",
     "call: event is 0x7f10, which is not a live event: it was destroyed or never was one "
     "(EE1017)"},
    {[] { return fail(kCode, kEE9999, "the thread %s is gone", "t"); }, "EE9999", "", "", "",
     "call: the thread t is gone (EE9999)"},
    {[] {
       const Error cause("FERRY_LOG", Value::quoted("loud").after(" names "), ", allowed is ",
                         "error");
       return fail(kCode, kEE1001, cause, "not usable: ");
     },
     "EE1001", "FERRY_LOG", "loud", "error",
     "call: not usable: FERRY_LOG names \"loud\", allowed is error (EE1001)"},
    {[] { return fail(kCode, kNoMessageCode, "plain"); }, "", "", "", "", "call: plain"},
};

TEST(Error, HasFieldsAndATextMadeOfThem) {
  const CallScope scope("call");
  for (const Row& row : kRows) {
    EXPECT_EQ(row.decide().code(), kCode);
    const Error& error = recent_error();
    EXPECT_STREQ(error.text(), row.text);
    EXPECT_EQ(error.code, kCode) << row.text;
    EXPECT_STREQ(error.function, "call") << row.text;
    EXPECT_STREQ(name_of(error.message), row.message_code) << row.text;
    EXPECT_STREQ(error.argument(), row.argument) << row.text;
    EXPECT_STREQ(error.value(), row.value) << row.text;
    EXPECT_STREQ(error.allowed(), row.allowed) << row.text;
  }
}

TEST(Error, ItsSentenceIsTheTextWithoutCallAndMessageCode) {
  const CallScope scope("call");
  static_cast<void>(reject(kCode, kEE1010, "stream", kAddress).because(" (id 3)"));
  EXPECT_STREQ(recent_error().text(), "call: stream is 0x7f10 (id 3) (EE1010)");
  EXPECT_EQ(recent_error().sentence(), "stream is 0x7f10 (id 3)");
}

TEST(Error, OnlyADeadHandleIsOne) {
  static_cast<void>(fail_handle(kCode, "event", kAddress, "event"));
  EXPECT_EQ(recent_error().handle, kAddress);
  static_cast<void>(reject(kCode, kNoMessageCode, "event", kAddress).because(", which is"));
  EXPECT_EQ(recent_error().handle, nullptr);
}

TEST(Error, WhatIsTooLongIsCutAndTheMessageCodeStays) {
  const CallScope scope("call");
  for (const size_t length : {700u, 780u, 797u, 798u, 799u, 800u, 5000u}) {
    const std::string huge(length, 'x');
    static_cast<void>(reject(kCode, kEE1003, huge.c_str(), Value::quoted(huge.c_str()))
                          .detail("%s", huge.c_str())
                          .allowed("%s", huge.c_str()));
    const Error& error = recent_error();
    EXPECT_LT(std::strlen(error.argument()) + std::strlen(error.value()), 800u);
    EXPECT_EQ(std::strspn(error.argument(), "x"), std::strlen(error.argument()));
    EXPECT_EQ(std::strspn(error.value(), "x"), std::strlen(error.value()));
    EXPECT_STREQ(error.allowed(), "");
    EXPECT_TRUE(std::string(error.text()).ends_with(" (EE1003)")) << error.text();
  }
  static_cast<void>(fail(kCode, kNoMessageCode, "short"));
  EXPECT_STREQ(recent_error().text(), "call: short");
}

TEST(Error, EveryMessageCodeHasItsName) {
  EXPECT_STREQ(name_of(kEE1001), "EE1001");
  EXPECT_STREQ(name_of(kEE9999), "EE9999");
  EXPECT_STREQ(name_of(kEH0007), "EH0007");
  EXPECT_STREQ(name_of(kWE0001), "WE0001");
}

}  // namespace
}  // namespace ferry::error_test
