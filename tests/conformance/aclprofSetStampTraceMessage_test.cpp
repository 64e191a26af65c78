// SPDX-License-Identifier: Apache-2.0
// aclprofSetStampTraceMessage: up to 127 characters.
#include "support/profiling.h"

namespace conformance::profiling::aclprofSetStampTraceMessage_test {
namespace {

TEST(AclprofSetStampTraceMessage, RefusesNullAndLongTexts) {
  const Stamp stamp("before");
  const std::string long_text(128, 'x');
  EXPECT_FAILS(100000, "EH0008", aclprofSetStampTraceMessage(nullptr, "a", 1));
  EXPECT_FAILS(100000, "EH0008", aclprofSetStampTraceMessage(stamp.get(), nullptr, 1));
  EXPECT_FAILS(100000, "EH0007", aclprofSetStampTraceMessage(stamp.get(), long_text.c_str(), 128));
  EXPECT_FAILS(100000, "EH0007",
               aclprofSetStampTraceMessage(stamp.get(), long_text.c_str(), UINT32_MAX));
  for (void* wrong : no_stamps())
    EXPECT_FAILS(100000, "EH0009", aclprofSetStampTraceMessage(wrong, "a", 1));
  const Session session;
  const Recorded recorded;
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_EQ(recorded.texts(), Texts{"0 before"});
}

TEST(AclprofSetStampTraceMessage, CopiesTheText) {
  const Session session;
  const Recorded recorded;
  const Stamp stamp;
  std::string longest(127, 'x');
  EXPECT_OK(aclprofSetStampTraceMessage(stamp.get(), longest.c_str(), 127));
  EXPECT_OK(aclprofMark(stamp.get()));
  char text[] = "abcdef";
  EXPECT_OK(aclprofSetStampTraceMessage(stamp.get(), text, 3));
  text[0] = 'z';
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_OK(aclprofSetStampTraceMessage(stamp.get(), "short", 100));
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_EQ(recorded.texts(), (Texts{"0 " + longest, "0 abc", "0 short"}));
}

}  // namespace
}  // namespace conformance::profiling::aclprofSetStampTraceMessage_test
