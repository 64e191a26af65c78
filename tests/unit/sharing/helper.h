// SPDX-License-Identifier: Apache-2.0
// The program ferry_visitor, which does in another process what a test tells it, line by line.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>

namespace ferry::sharing {

class Helper {
 public:
  Helper();
  ~Helper();  // kills it
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  pid_t process() const { return process_; }
  // Sends a line and returns the one that answers it; "" when the process has ended.
  std::string ask(const std::string& command);
  void tell(const std::string& command);
  std::string answer();
  // Returns when the process has the state.
  void stop();
  void go_on();
  void kill();

 private:
  pid_t process_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace ferry::sharing
