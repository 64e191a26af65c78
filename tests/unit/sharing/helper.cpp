// SPDX-License-Identifier: Apache-2.0
// Starts and ends the other process of a test.
#include "tests/unit/sharing/helper.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>

namespace ferry::sharing {

Helper::Helper() {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  EXPECT_EQ(pipe2(to.data(), O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(from.data(), O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  std::string path =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ferry_visitor").string();
  std::array<char*, 2> arguments{path.data(), nullptr};
  EXPECT_EQ(posix_spawn(&process_, path.c_str(), &actions, nullptr, arguments.data(), environ), 0)
      << path;
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]);
  close(from[1]);
  to_ = fdopen(to[1], "w");
  from_ = fdopen(from[0], "r");
}

Helper::~Helper() {
  kill();
  std::fclose(to_);
  std::fclose(from_);
}

void Helper::tell(const std::string& command) {
  std::fprintf(to_, "%s\n", command.c_str());
  std::fflush(to_);
}

std::string Helper::answer() {
  std::string line;
  int c = 0;
  while ((c = std::fgetc(from_)) != EOF && c != '\n')
    line.push_back(static_cast<char>(c));
  return line;
}

std::string Helper::ask(const std::string& command) {
  tell(command);
  return answer();
}

void Helper::stop() {
  ::kill(process_, SIGSTOP);
  int state = 0;
  EXPECT_EQ(waitpid(process_, &state, WUNTRACED), process_);
  EXPECT_TRUE(WIFSTOPPED(state));
}

void Helper::go_on() {
  ::kill(process_, SIGCONT);
}

void Helper::kill() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  EXPECT_EQ(waitpid(process_, nullptr, 0), process_);
  process_ = -1;
}

}  // namespace ferry::sharing
