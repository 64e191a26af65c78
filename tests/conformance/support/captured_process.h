// SPDX-License-Identifier: Apache-2.0
// Runs the current test again in a new process and keeps what that process writes to standard
// error, without the last line of the checker, which counts calls and streams.
#pragma once

#include "support/conformance.h"

#include <unistd.h>

#include <cstdio>

namespace conformance {

struct EndedProcess {
  int status;  // as run_in_process gives it
  std::string standard_error;
};

inline void remove_last_line_of_checker(std::string& text) {
  const size_t at = text.rfind("ferry: checked ");
  if (at != std::string::npos && text.find('\n', at) == text.size() - 1) text.erase(at);
}

// For a test of the form
//   if (is_child()) { what happens in the process } else { checks of run_this_test_apart() }
inline EndedProcess run_this_test_apart(const std::vector<std::string>& environment = {}) {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test->test_suite_name()) + "." + test->name();

  std::FILE* file = std::tmpfile();
  EXPECT_NE(file, nullptr);
  std::fflush(stderr);
  const int standard_error = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  EndedProcess ended{run_in_process(name.c_str(), environment), ""};
  dup2(standard_error, STDERR_FILENO);
  close(standard_error);

  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
    ended.standard_error.push_back(static_cast<char>(c));
  std::fclose(file);
  remove_last_line_of_checker(ended.standard_error);
  return ended;
}

}  // namespace conformance
