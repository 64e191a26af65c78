// SPDX-License-Identifier: Apache-2.0
// fork, pipe and wait.
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace ferry::tools {
namespace {

std::string read_all(int file) {
  std::string result;
  char buffer[4096];
  for (;;) {
    const ssize_t count = read(file, buffer, sizeof buffer);
    if (count > 0) {
      result.append(buffer, static_cast<size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      return result;
    }
  }
}

// Waits for a child and returns its status as a shell would.
int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_child(const std::function<void(int output)>& body, std::string& output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  std::fflush(nullptr);  // else the child would print it again
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    body(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  if (child > 0) output = read_all(ends[0]);
  close(ends[0]);
  return child > 0 ? wait_for(child) : -1;
}

}  // namespace

std::string output_of_child(const std::function<void(int output)>& body) {
  std::string output;
  static_cast<void>(run_child(body, output));
  return output;
}

int code_of_child(const std::function<int()>& body) {
  std::fflush(nullptr);  // else the child would print it again
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::exit(body());
  }
  return child > 0 ? wait_for(child) : -1;
}

int run_and_read(const std::vector<std::string>& command, std::string& output) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  return run_child(
      [&](int pipe_end) {
        dup2(pipe_end, STDOUT_FILENO);
        dup2(pipe_end, STDERR_FILENO);
        execvp(arguments[0], arguments.data());
        _exit(127);
      },
      output);
}

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace ferry::tools
