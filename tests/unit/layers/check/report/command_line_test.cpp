// SPDX-License-Identifier: Apache-2.0
// The command that repeats a run: quoting, and the variables that belong to it.
#include "layers/check/report/command_line.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace ferry::layers::check {
namespace {

// What bash makes of the text: its words, one per line.
std::string unquoted(const std::string& text) {
  const std::string command = "bash -c " + quoted_for_shell("printf '<%s>' " + text);
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string words;
  std::array<char, 256> part{};
  while (pipe != nullptr && std::fgets(part.data(), part.size(), pipe) != nullptr)
    words += part.data();
  if (pipe != nullptr) pclose(pipe);
  return words;
}

TEST(CommandLine, IsThatOfThisProcess) {
  ASSERT_FALSE(command_line().empty());
  EXPECT_NE(command_line().front().find("unit"), std::string::npos) << command_line().front();
}

TEST(CommandLine, WordsArriveAtAShellAsTheyAre) {
  EXPECT_EQ(quoted_for_shell("./my_program"), "./my_program");
  EXPECT_EQ(quoted_for_shell("--shape=4,8"), "--shape=4,8");
  EXPECT_EQ(quoted_for_shell("it's"), "'it'\\''s'");
  EXPECT_EQ(quoted_for_shell(""), "''");
  for (const std::string& word :
       {std::string(""), std::string("a b"), std::string("it's"), std::string("\"$HOME\" `ls`"),
        std::string("*"), std::string("~"), std::string("\\"), std::string("new\nline"),
        std::string("tab\tand 'quote' \\ back\n"), std::string("\x1b[31m"), std::string("\xc3\xa4"),
        std::string("#no"), std::string("!x"), std::string("a;b&c|d>e")}) {
    EXPECT_EQ(unquoted(quoted_for_shell(word)), "<" + word + ">") << quoted_for_shell(word);
    EXPECT_EQ(quoted_for_shell(word).find_first_of("\n\t\x1b"), std::string::npos);
  }
  EXPECT_EQ(unquoted(quoted_for_shell({"a b", "c", "d'e"})), "<a b><c><d'e>");
}

TEST(CommandLine, ToRepeatARunHasItsVariables) {
  const char* const environment[] = {"HOME=/root",           "FERRY_CHECK=1",
                                     "FERRY_SCHEDULE=eager", "FERRY_REPORT=/tmp/x",
                                     "FERRY_DEVICES=cpu:2",  "FERRY_FAIL=aclrtMalloc:*=207001",
                                     "FERRY_LOG=info",       nullptr};
  EXPECT_EQ(command_to_repeat({"python3", "my test.py"}, "shuffle:7", environment),
            "FERRY_DEVICES=cpu:2 FERRY_FAIL='aclrtMalloc:*=207001' ferry run --check --schedule "
            "shuffle:7 -- python3 'my test.py'");
  const char* const rules[] = {"FERRY_CHECK=leak,overlap", nullptr};
  EXPECT_EQ(command_to_repeat({}, "lazy", rules),
            "ferry run --check --rules leak,overlap --schedule lazy -- program");
}

}  // namespace
}  // namespace ferry::layers::check
