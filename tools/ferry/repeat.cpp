// SPDX-License-Identifier: Apache-2.0
// One child per seed, one after the other. Its output goes into files until it is known whether it
// has to be shown.
#include "repeat.h"

#include "commands.h"
#include "process.h"
#include "start.h"
#include "text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace ferry::tools {
namespace {

constexpr const char* kRepeatName = "ferry run";
constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::atomic<pid_t> running{0};    // the child that signals are forwarded to
std::atomic<int> stop_signal{0};  // the latest signal that was forwarded

void forward(int signal_number) {
  stop_signal.store(signal_number);
  const pid_t child = running.load();
  if (child > 0) kill(child, signal_number);
}

void forward_signals() {
  struct sigaction action {};
  action.sa_handler = forward;
  sigemptyset(&action.sa_mask);
  for (const int number : kForwarded)
    sigaction(number, &action, nullptr);
}

// Ends this process as the signal would have ended it.
[[noreturn]] void end_by(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  std::_Exit(128 + signal_number);
}

// What one run printed, on both streams.
// Not safe to share between threads.
class Output {
 public:
  bool open() {
    out_ = std::tmpfile();
    err_ = std::tmpfile();
    return out_ != nullptr && err_ != nullptr;
  }
  // In the child: redirects both streams to the files.
  void take_streams() const {
    dup2(fileno(out_), STDOUT_FILENO);
    dup2(fileno(err_), STDERR_FILENO);
  }
  bool clear() const { return clear(out_) && clear(err_); }
  void show() const {
    copy(out_, STDOUT_FILENO);
    copy(err_, STDERR_FILENO);
  }

 private:
  static bool clear(std::FILE* file) {
    return ftruncate(fileno(file), 0) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0;
  }
  static void copy(std::FILE* from, int to) {
    char buffer[65536];
    lseek(fileno(from), 0, SEEK_SET);
    for (ssize_t count = 0; (count = read(fileno(from), buffer, sizeof buffer)) > 0;) {
      write_all(to, {buffer, static_cast<size_t>(count)});
    }
  }

  std::FILE* out_ = nullptr;  // open until this process ends
  std::FILE* err_ = nullptr;
};

// One line that is overwritten; on a terminal only.
void show_progress(const std::string& text) {
  static const bool is_terminal = isatty(STDERR_FILENO) == 1;
  if (is_terminal) write_all(STDERR_FILENO, "\r\033[K" + text);
}

std::string with_seed(std::string text, uint64_t seed) {
  for (size_t at = text.find("%s"); at != std::string::npos; at = text.find("%s", at))
    text.replace(at, 2, std::to_string(seed));
  return text;
}

// Runs in the child; `failure` gets errno when the program cannot be started.
[[noreturn]] void be_run(const std::vector<std::string>& command, uint64_t seed,
                         const Output& output, int failure) {
  setenv("FERRY_SCHEDULE", fmt::format("shuffle:{}", seed).c_str(), 1);
  if (const char* report = std::getenv("FERRY_REPORT")) {
    setenv("FERRY_REPORT", with_seed(report, seed).c_str(), 1);
  }
  output.take_streams();
  const int error = become(command);
  write_all(failure, {reinterpret_cast<const char*>(&error), sizeof error});
  std::_Exit(kExitNotExecutable);
}

struct Run {
  int status = 0;       // as waitpid gives it
  int start_error = 0;  // errno; 0 when the program was started
};

// None when the fork failed.
std::optional<Run> run_once(const std::vector<std::string>& command, uint64_t seed,
                            const Output& output) {
  int ends[2];
  if (!output.clear() || pipe2(ends, O_CLOEXEC) != 0) return {};
  // A signal between the fork and the store to `running` would be lost.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    be_run(command, seed, output, ends[1]);
  }
  running.store(child);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(ends[1]);
  Run run;
  ssize_t count = 0;
  do {
    count = read(ends[0], &run.start_error, sizeof run.start_error);
  } while (child > 0 && count < 0 && errno == EINTR);
  close(ends[0]);
  while (child > 0 && waitpid(child, &run.status, 0) < 0 && errno == EINTR) {
  }
  running.store(0);
  if (child < 0) return {};
  return run;
}

int shell_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string failure_text(int status) {
  constexpr int kFindings = 86;
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == kFindings ? "has findings (exit code 86)" : fmt::format("exit code {}", code);
}

// The command that repeats the run with this seed.
std::string again_text(const std::vector<std::string>& command, const Repeats& repeats,
                       uint64_t seed) {
  std::vector<std::string> words{"ferry", "run"};
  for (const std::string& option : repeats.options)
    words.push_back(option.starts_with("--report=") ? with_seed(option, seed) : option);
  words.insert(words.end(), {"--schedule", fmt::format("shuffle:{}", seed), "--"});
  words.insert(words.end(), command.begin(), command.end());
  return shell_quoted(words);
}

void conclude(const std::vector<std::string>& command, const Repeats& repeats, uint64_t runs,
              const std::vector<uint64_t>& failed) {
  show_progress("");
  const uint64_t last = repeats.first_seed + runs - 1;
  if (failed.empty()) {
    complain(kRepeatName,
             fmt::format("all {} runs passed, seeds {} to {}", runs, repeats.first_seed, last));
    return;
  }
  complain(kRepeatName, fmt::format("{} of {} runs failed, with the seed{} {}", failed.size(), runs,
                                    failed.size() == 1 ? "" : "s", fmt::join(failed, ", ")));
  complain(kRepeatName, "again: " + again_text(command, repeats, failed.front()));
}

}  // namespace

int repeat(const std::vector<std::string>& command, const Repeats& repeats) {
  Output output;
  if (!output.open()) {
    complain(kRepeatName, "cannot create a temporary file for the output of the runs");
    return kExitFailure;
  }
  forward_signals();
  std::vector<uint64_t> failed;
  int result = kExitSuccess;
  uint64_t runs = 0;
  while (runs < repeats.count && (failed.empty() || repeats.keeps_going)) {
    const uint64_t seed = repeats.first_seed + runs++;
    show_progress(fmt::format("{}: run {} of {}, seed {}, {} failed", kRepeatName, runs,
                              repeats.count, seed, failed.size()));
    const std::optional<Run> run = run_once(command, seed, output);
    if (stop_signal.load() != 0) {
      show_progress("");
      end_by(stop_signal.load());
    }
    if (!run) {
      show_progress("");
      complain(kRepeatName, fmt::format("run {} cannot be started", runs));
      return kExitFailure;
    }
    if (run->start_error != 0) {
      show_progress("");
      return report_failed_start(command.front(), run->start_error);
    }
    if (run->status == 0) continue;
    show_progress("");
    output.show();
    complain(kRepeatName, fmt::format("seed {}: {}", seed, failure_text(run->status)));
    if (failed.empty()) result = shell_code(run->status);
    failed.push_back(seed);
  }
  conclude(command, repeats, runs, failed);
  return result;
}

}  // namespace ferry::tools
