// SPDX-License-Identifier: Apache-2.0
// Child processes that report through a pipe.
#include "isolated.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace stress {

namespace {

// Far more than any program takes, also under a sanitizer on a machine that is busy.
constexpr int kHangMilliseconds = 60000;

// A process that writes records to its parent.
class Child {
 public:
  explicit Child(const std::function<void(int)>& body) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    std::fflush(nullptr);
    process_ = fork();
    if (process_ == 0) {
      close(ends[0]);
      body(ends[1]);
      std::exit(0);  // the checker may have another code
    }
    if (process_ < 0) std::abort();
    close(ends[1]);
    pipe_ = ends[0];
  }
  ~Child() {
    if (!is_over_) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(pipe_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The next bytes that the child writes; false when it has ended or hangs.
  bool read_into(void* record, size_t size) {
    for (size_t done = 0; done < size;) {
      pollfd ready{.fd = pipe_, .events = POLLIN, .revents = 0};
      hangs_ = poll(&ready, 1, kHangMilliseconds) <= 0;
      if (hangs_) return false;
      const ssize_t count = read(pipe_, static_cast<char*>(record) + done, size - done);
      if (count <= 0) return false;
      done += static_cast<size_t>(count);
    }
    return true;
  }

  // How a child ended that has nothing more to write: "" if it ended well.
  std::string end() {
    char nothing = 0;
    if (!hangs_) read_into(&nothing, 1);
    if (hangs_) return "did not return";
    int status = 0;
    waitpid(process_, &status, 0);
    is_over_ = true;
    if (WIFSIGNALED(status)) return std::string("crashed: ") + strsignal(WTERMSIG(status));
    if (WEXITSTATUS(status) != 0) return "exited with " + std::to_string(WEXITSTATUS(status));
    return "";
  }

 private:
  pid_t process_ = 0;
  int pipe_ = 0;
  bool hangs_ = false;
  bool is_over_ = false;
};

void write_record(int pipe, const void* record, size_t size) {
  if (write(pipe, record, size) != static_cast<ssize_t>(size)) _exit(1);
}

struct Difference {
  size_t operation;
  size_t offset;
  char text[400];
};

}  // namespace

std::optional<Failure> run_isolated(const Program& program,
                                    const std::vector<Prediction>& predictions) {
  Child child([&](int pipe) {
    const std::optional<Failure> failure = Executor().run(program, predictions);
    if (!failure) return;
    Difference difference{.operation = failure->operation, .offset = failure->offset, .text = {}};
    std::strncpy(difference.text, failure->text.c_str(), sizeof(difference.text) - 1);
    write_record(pipe, &difference, sizeof(difference));
  });
  Difference difference{};
  if (child.read_into(&difference, sizeof(difference))) {
    return Failure{difference.operation, difference.text, difference.offset};
  }
  const std::string end = child.end();
  if (end.empty()) return std::nullopt;
  return Failure{.operation = SIZE_MAX, .text = "the program " + end, .offset = 0};
}

uint64_t run_seeds(uint64_t begin, uint64_t end, Arguments arguments,
                   const std::function<void(uint64_t)>& progress) {
  Child child([&](int pipe) {
    Executor executor;
    for (uint64_t seed = begin; seed < end; ++seed) {
      write_record(pipe, &seed, sizeof(seed));
      const Program program = generate(seed, arguments);
      if (const std::optional<Failure> failure = executor.run(program, *predict(program))) {
        std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed),
                     failure->text.c_str());
        return;
      }
    }
    write_record(pipe, &end, sizeof(end));
  });
  uint64_t latest = begin;
  while (child.read_into(&latest, sizeof(latest)) && latest != end)
    progress(latest);
  const std::string way = child.end();
  if (!way.empty()) {
    std::fprintf(stderr, "seed %llu: the program %s\n", static_cast<unsigned long long>(latest),
                 way.c_str());
  }
  // The end of the process is part of the last program.
  return latest == end && !way.empty() ? end - 1 : latest;
}

}  // namespace stress
