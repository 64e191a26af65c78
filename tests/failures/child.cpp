// SPDX-License-Identifier: Apache-2.0
// Children are forked before the library is used, so each starts it anew. What a child finds out it
// writes to memory that it shares with its parent.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create
#endif

#include "child.h"

#include "attempt.h"
#include "failing_calls.h"
#include "holdings.h"
#include "program.h"

#include <execinfo.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace failures {
namespace {

constexpr int kExitOfFindings = 86;  // the checker reported something

constexpr int kMostFunctions = 256;

// What a child tells its parent.
struct Story {
  bool has_ended;  // it came to the end
  bool is_good;    // and found nothing wrong
  uint64_t fired;
  uint64_t calls;
  uint64_t failed_calls;  // of the API
  int frame_count;
  void* frames[FAILING_FRAMES];
  int function_count;
  FailingFunction functions[kMostFunctions];
  Holdings holdings;
};

Story* own_story = nullptr;  // of a child

// An exception that nothing catches: its stack says where.
[[noreturn]] void tell_of_terminate() {
  std::fputs("std::terminate is called\n", stderr);
  own_story->frame_count = backtrace(own_story->frames, FAILING_FRAMES);
  std::abort();
}

class Child {
 public:
  Child() {
    void* shared =
        mmap(nullptr, sizeof(Story), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    story_ = static_cast<Story*>(shared);
    log_ = memfd_create("log", 0);
  }

  // Forks; `tell` runs in the child. False when the child crashed, hung or complained.
  template <class Tell>
  bool run(Tell tell) {
    *story_ = {};
    if (ftruncate(log_, 0) != 0) return false;
    std::fflush(stdout);  // or the child prints it again
    const pid_t process = fork();
    if (process == 0) {
      dup2(log_, STDERR_FILENO);
      lseek(STDERR_FILENO, 0, SEEK_SET);
      mallopt(M_ARENA_MAX, 1);  // the amount of address space must not depend on chance
      own_story = story_;
      std::set_terminate(tell_of_terminate);
      tell(*story_);
      story_->is_good = outcome.is_good;
      story_->has_ended = true;
      std::exit(0);
    }
    wait_for(process);
    return is_fine();
  }

  const Story& story() const { return *story_; }
  const std::string& verdict() const { return verdict_; }
  void print_log() const {
    char line[512];
    off_t at = 0;
    for (ssize_t got = 0; (got = pread(log_, line, sizeof line, at)) > 0; at += got)
      std::fwrite(line, 1, static_cast<size_t>(got), stdout);
  }

 private:
  void wait_for(pid_t process) {
    pollfd end{.fd = static_cast<int>(syscall(SYS_pidfd_open, process, 0)),
               .events = POLLIN,
               .revents = 0};
    status_ = 0;
    is_hung_ = poll(&end, 1, static_cast<int>(time_limit) * 1000) == 0;
    if (is_hung_) kill(process, SIGABRT);
    close(end.fd);
    waitpid(process, &status_, 0);
  }

  bool is_fine() {
    const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
    // A program that goes on after a call has failed may well make mistakes.
    const bool may_misuse = outcome.misuses || (story_->failed_calls > 0 && !outcome.is_careful);
    const bool may_have_findings = may_misuse && std::getenv("FERRY_CHECK") != nullptr;
    verdict_ =
        is_hung_               ? "hangs"
        : WIFSIGNALED(status_) ? std::string("ends with signal ") + strsignal(WTERMSIG(status_))
        : !story_->has_ended   ? "ends early"
        : !story_->is_good     ? "does not go on as it should"
        : code == 0            ? ""
        : code == kExitOfFindings && may_have_findings ? ""
                                                       : "exits with " + std::to_string(code);
    return verdict_.empty();
  }

  Story* story_ = nullptr;
  int log_ = -1;
  int status_ = 0;
  bool is_hung_ = false;
  std::string verdict_;
};

// The calls that fail: from number `first` on, of one function or of all.
struct Point {
  std::string function;  // of the CUDA driver; empty: all
  uint64_t first = 0;    // 0: none
};

// Whether the function gives something back. If it fails, what the CUDA runtime remembers of it may
// stay.
bool gives_back(const std::string& function) {
  return function.find("Free") != std::string::npos ||
         function.find("Destroy") != std::string::npos ||
         function.find("Unregister") != std::string::npos;
}

const char* name_or_null(const std::string& function) {
  return function.empty() ? nullptr : function.c_str();
}

// One round in which calls fail, one in which none does.
void tell_of_failure(const Sweep& sweep, const Point& point, const Holdings& most, Story& story) {
  outcome.expect = Expect::kOneFailure;
  outcome.most_failures = sweep.width;
  // The CUDA runtime keeps a failure of its own start for ever.
  if (sweep.call == FAILING_CUDA && !sweep.opens_only) open_device();
  failing_only(name_or_null(point.function));
  failing_arm(sweep.call, point.first, point.first == 0 ? 0 : sweep.width);
  sweep.opens_only ? try_to_open_device() : run_program();
  failing_disarm();
  story.fired = failing_fired();
  story.calls = failing_calls();
  story.frame_count = failing_stack(story.frames);
  story.function_count = failing_functions(story.functions, kMostFunctions);
  if (sweep.opens_only) return;
  outcome.expect = Expect::kSuccess;
  run_program();
  story.holdings.settle(most);
  if (gives_back(point.function)) story.holdings.site_count = 0;
}

void explain(const Child& child, const Sweep& sweep, const Point& point) {
  const bool has_function = !point.function.empty();
  std::printf("\n%s number %llu fails: the program %s\n",
              has_function ? point.function.c_str() : sweep.name,
              static_cast<unsigned long long>(point.first), child.verdict().c_str());
  child.print_log();
  print_stack(child.story().frames, child.story().frame_count);
  std::printf("again: ferry_failures --call %s%s%s --at %llu --width %llu%s%s\n", sweep.name,
              has_function ? " --function " : "", point.function.c_str(),
              static_cast<unsigned long long>(point.first),
              static_cast<unsigned long long>(sweep.width), outcome.misuses ? "" : " --clean",
              sweep.opens_only ? " --opening" : "");
}

void show_progress(const char* what, uint64_t at, uint64_t end) {
  if (isatty(STDOUT_FILENO) == 0) return;
  std::printf("\r%s %llu of %llu", what, static_cast<unsigned long long>(at),
              static_cast<unsigned long long>(end));
  std::fflush(stdout);
}

// What children hold in which nothing fails. Chance decides some of it, so several are asked.
bool measure_reference(Child& child, const Sweep& sweep, Holdings& most, uint64_t& calls) {
  const Point none{.function = sweep.function, .first = 0};
  for (int i = 0; i < 5; ++i) {
    if (!child.run([&](Story& story) { tell_of_failure(sweep, none, most, story); })) {
      explain(child, sweep, none);
      return false;
    }
    most.raise_to(child.story().holdings);
    calls = std::max(calls, child.story().calls);
  }
  return true;
}

// Every call of one kind; of the functions of the CUDA driver, which are called thousands of times,
// each function's first, second, fourth and so on.
std::vector<Point> points_of(const Sweep& sweep, uint64_t calls, const Story& story) {
  std::vector<Point> points;
  if (sweep.call == FAILING_CUDA && sweep.function.empty()) {
    for (int i = 0; i < story.function_count; ++i) {
      for (uint64_t first = 1; first <= story.functions[i].calls; first *= 2)
        points.push_back({.function = story.functions[i].name, .first = first});
    }
    return points;
  }
  for (uint64_t first = 1; first <= calls; ++first)
    points.push_back({.function = sweep.function, .first = first});
  return points;
}

bool ends_well(Child& child, const Sweep& sweep, const Point& point, const Holdings& most) {
  const bool is_fine = child.run([&](Story& story) { tell_of_failure(sweep, point, most, story); });
  const Holdings& holdings = child.story().holdings;
  if (is_fine && holdings.is_within(most)) return true;
  explain(child, sweep, point);
  if (is_fine) holdings.print_excess(most);
  return false;
}

// One round with a limit to the address space.
void tell_of_limit(uint64_t bytes, Story& story) {
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
  try {
    run_program();
  } catch (const HasFailed&) {
    std::fputs("the program ends with the first call that fails\n", stderr);
  }
  story.failed_calls = outcome.failed_calls;
}

void explain_limit(const Child& child, uint64_t size, uint64_t room) {
  std::printf("\nwith %llu MiB more address space than at the start, the program %s\n",
              static_cast<unsigned long long>(room >> 20), child.verdict().c_str());
  child.print_log();
  std::printf("again: ferry_failures --address-space --at %llu%s\n",
              static_cast<unsigned long long>(size),
              outcome.is_careful ? " --careful"
              : outcome.misuses  ? ""
                                 : " --clean");
}

}  // namespace

uint64_t time_limit = 60;

int sweep_calls(const Sweep& sweep) {
  static Holdings most;
  Child child;
  uint64_t calls = 0;
  if (!measure_reference(child, sweep, most, calls)) return 1;
  uint64_t tried = 0;
  uint64_t failed = 0;
  const std::vector<Point> points = points_of(sweep, calls, child.story());
  const uint64_t begin = sweep.only != 0 ? sweep.only : sweep.from;
  const uint64_t end = sweep.only != 0 ? sweep.only : std::min(points.size(), sweep.last);
  for (uint64_t number = begin; number <= end; number += sweep.step) {
    show_progress(sweep.name, number, end);
    ++tried;
    const Point point = sweep.only != 0 ? Point{sweep.function, sweep.only} : points[number - 1];
    if (!ends_well(child, sweep, point, most)) ++failed;
  }
  std::printf("%s%s: %llu of %llu calls tried, %llu end badly\n", isatty(STDOUT_FILENO) ? "\r" : "",
              sweep.name, static_cast<unsigned long long>(tried),
              static_cast<unsigned long long>(calls), static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}

int sweep_address_space(const Sweep& sweep) {
  constexpr uint64_t kUnit = uint64_t{4} << 20;
  constexpr uint64_t kMost = 256;
  Child child;
  outcome.expect = Expect::kAnything;
  uint64_t tried = 0;
  uint64_t failed = 0;
  const uint64_t start = address_space_in_use();
  for (uint64_t size = sweep.only; size <= kMost; size += sweep.step) {
    const uint64_t room = size * kUnit;
    show_progress("size", size, kMost);
    const bool is_good = child.run([&](Story& story) { tell_of_limit(start + room, story); });
    ++tried;
    if (!is_good) {
      ++failed;
      explain_limit(child, size, room);
    }
    if (sweep.only != 0 || (is_good && child.story().failed_calls == 0)) {
      std::printf("address space: %llu sizes up to %llu MiB tried, %llu end badly\n",
                  static_cast<unsigned long long>(tried),
                  static_cast<unsigned long long>((start + room) >> 20),
                  static_cast<unsigned long long>(failed));
      return failed == 0 ? 0 : 1;
    }
  }
  std::printf("the program does not succeed with %llu MiB\n",
              static_cast<unsigned long long>((start + kMost * kUnit) >> 20));
  return 1;
}

}  // namespace failures
