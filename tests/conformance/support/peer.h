// SPDX-License-Identifier: Apache-2.0
// A second process that a test drives step by step: the program ferry_peer, which gets commands as
// lines of text and answers each when it is done. It shares nothing with the test but those bytes.
#pragma once

#include "support/conformance.h"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace conformance {

using Bytes = std::vector<uint8_t>;

// What a command left: the code of the call, what it told, and the text of the failure.
struct Answer {
  aclError code = ACL_SUCCESS;
  Bytes bytes;
  std::string text;

  // The number at a position, for commands that answer with numbers.
  uint64_t number(size_t position = 0) const;
};

// Checks the code of an answer; shows the text of the failure. A failure must have a text.
#define EXPECT_ANSWER(code, answer) EXPECT_PRED_FORMAT2(::conformance::answers_with, code, (answer))
#define ASSERT_ANSWER(code, answer) ASSERT_PRED_FORMAT2(::conformance::answers_with, code, (answer))
#define EXPECT_PEER_OK(answer) EXPECT_ANSWER(ACL_SUCCESS, answer)
#define ASSERT_PEER_OK(answer) ASSERT_ANSWER(ACL_SUCCESS, answer)
// For commands that compare bytes: the call succeeded and the bytes are the expected ones.
#define EXPECT_PEER_HOLDS(answer) EXPECT_PRED_FORMAT1(::conformance::answers_yes, (answer))

::testing::AssertionResult answers_with(const char* code_text, const char* answer_text,
                                        aclError code, const Answer& answer);
::testing::AssertionResult answers_yes(const char* answer_text, const Answer& answer);

// One process. A peer that does not answer in a minute fails the test and is killed.
class Peer {
 public:
  // The code of an answer that did not come.
  static constexpr aclError kNoAnswer = -1;

  // Adds the variables to those of this process. `network`: the name of a network namespace in
  // which it runs (ip netns); "": that of this process.
  explicit Peer(const std::vector<std::string>& environment = {}, const std::string& network = "");
  // Ends the process and expects that it had nothing to complain about.
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  pid_t pid() const { return pid_; }

  // Sends a command and waits for its answer. Words are texts, numbers or bytes.
  template <class... Words>
  Answer send(const char* command, const Words&... words) {
    post(command, words...);
    return answer();
  }

  // The two halves of send(), for a command that waits for what another process does.
  template <class... Words>
  void post(const char* command, const Words&... words) {
    std::string line = command;
    ((line += ' ', line += as_word(words)), ...);
    write_line(line);
  }
  Answer answer();
  // Whether the answer is there.
  bool has_answered();

  // Ends it with SIGKILL, and returns when it is gone.
  void kill();
  // Stops all its threads, and returns when none of them runs.
  void stop() const;
  void resume() const;
  // Ends it in order, and returns its exit status; 128 + n when signal n killed it.
  int end();

 private:
  template <class Word>
  static std::string as_word(const Word& word) {
    if constexpr (std::is_same_v<Word, Bytes>) {
      return hexadecimal(word);
    } else if constexpr (std::is_arithmetic_v<Word> || std::is_enum_v<Word>) {
      return std::to_string(word);
    } else if constexpr (std::is_same_v<Word, std::vector<int32_t>>) {
      std::string text;
      for (const int32_t number : word)
        text += std::to_string(number) + ' ';
      return text;
    } else {
      return word;
    }
  }
  static std::string hexadecimal(const Bytes& bytes);

  void write_line(const std::string& line);
  // Reads what there is, up to the time limit; false at the end of the output or of the time.
  bool read_more(std::chrono::steady_clock::time_point limit);
  int wait_for_exit();
  void close_pipes();

  pid_t pid_ = -1;
  int to_ = -1;       // its standard input
  int from_ = -1;     // its standard output
  std::string read_;  // what it wrote and nobody has taken
  bool is_gone_ = false;
};

// Whether the condition comes true within a minute. For what another process does by itself.
bool becomes_true(const std::function<bool()>& condition);

// Whether ferry_peer lies next to this binary.
bool has_peer_program();

}  // namespace conformance
