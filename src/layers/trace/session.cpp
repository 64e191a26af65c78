// SPDX-License-Identifier: Apache-2.0
// The writer thread drains all buffers in rounds, at least every 100 ms while something is noted,
// and flushes the file after each. A program that starts, stops or flushes waits for it.
#include "layers/trace/session.h"

#include "base/error_state.h"
#include "base/log.h"
#include "base/thread.h"
#include "layers/trace/calls.h"
#include "layers/trace/event_list.h"
#include "layers/trace/joiner.h"
#include "layers/trace/kept_events.h"
#include "layers/trace/late_sink.h"
#include "layers/trace/modules.h"
#include "layers/trace/recorder.h"
#include "layers/trace/services.h"
#include "layers/trace/tap_state.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace ferry::layers::trace {
namespace {

Services the_services{};

int64_t wall_clock() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

void write_to_stderr(const std::string& line) {
  // Where standard error is closed there is nowhere to say that.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

class Session {
 public:
  Session(const std::string& path, const TraceOptions& options)
      : path_(path),
        options_(options),
        start_(now()),
        file_(path, {.clock = start_,
                     .started = wall_clock(),
                     .has_items = options.items,
                     .has_contents = options.contents}),
        kept_(file_, options.ring),
        events_(sink()),
        unfinished_(sink(), EventList::Stay::kUntilMore),
        joiner_(events_, known_queues(), start_) {}

  std::string open() { return file_.open(); }
  const std::string& path() const { return path_; }
  const TraceOptions& options() const { return options_; }

  // The writer thread.
  void run();

  // Waits until everything noted so far is in the file. "" or what is wrong.
  std::string flush();
  // Ends the thread. Recording has stopped.
  std::string finish(const char* reason);

 private:
  Sink& sink() { return options_.ring != 0 ? static_cast<Sink&>(kept_) : file_; }
  bool round();
  void put_in_file(bool is_asked);
  void put_unfinished_in_file(bool is_asked);
  bool has_waited_long() const;
  void end(const char* reason);
  void note_problem(std::string problem);

  const std::string path_;
  const TraceOptions options_;
  const int64_t start_;

  // Of the writer thread.
  LateSink file_;
  KeptEvents kept_;
  EventList events_;
  EventList unfinished_;
  Joiner joiner_;
  Modules modules_;
  uint64_t lost_ = 0;  // records for which there was no memory
  bool is_told_ = false;
  bool had_some_ = false;           // in the round before: its spans are looked at now
  int64_t unfinished_written_ = 0;  // when

  std::mutex mutex_;  // guards what follows, and is that of the condition
  std::condition_variable changed_;
  uint64_t flushes_wanted_ = 0;
  uint64_t flushes_done_ = 0;
  const char* end_reason_ = nullptr;  // set: the trace is to end
  bool is_over_ = false;
  std::string problem_;
};

bool Session::round() {
  try {
    joiner_.begin_round(Recorder::instance().open_calls());
  } catch (const std::bad_alloc&) {
    joiner_.begin_round({});  // those of the round before may have ended
    ++lost_;
  }
  const bool is_any = Recorder::instance().drain([&](const Buffer& buffer, const Record& record) {
    try {
      joiner_.take(buffer, record);
    } catch (const std::bad_alloc&) {
      ++lost_;
    }
  });
  try {
    joiner_.end_round(known_queues().next_round());
  } catch (const std::bad_alloc&) {
    ++lost_;
  }
  return is_any;
}

// The file is told about modules with every flush: a file that ends early must be readable.
void Session::put_in_file(bool is_asked) {
  events_.write();
  if (!events_.problem().empty()) return note_problem(events_.problem());
  if (options_.ring != 0 && !is_asked) return;
  if (options_.ring == 0 && !file_.is_open()) return;  // nothing was written
  std::string wrong = modules_.write_new(file_);
  if (wrong.empty()) wrong = sink().flush();
  if (wrong.empty()) return put_unfinished_in_file(is_asked);
  events_.fail(wrong);
  note_problem(std::move(wrong));
}

// What has just begun is in progress in every round, and would be written and taken out each time.
void Session::put_unfinished_in_file(bool is_asked) {
  constexpr int64_t kLong = 100'000'000;
  unfinished_written_ = now();
  const int64_t since = is_asked ? unfinished_written_ : unfinished_written_ - kLong;
  joiner_.write_unfinished(since, unfinished_written_, unfinished_);
  if (unfinished_.problem().empty()) return;
  events_.fail(unfinished_.problem());
  note_problem(unfinished_.problem());
}

// Nothing else happens, and the file should say how long calls have been in progress.
bool Session::has_waited_long() const {
  constexpr int64_t kLong = 1'000'000'000;
  return joiner_.has_open_calls() && now() - unfinished_written_ > kLong;
}

void Session::note_problem(std::string problem) {
  if (!std::exchange(is_told_, true)) {
    write_to_stderr("ferry: the trace is not written: " + path_ + " " + problem + "\n");
  }
  const std::lock_guard lock(mutex_);
  problem_ = std::move(problem);
}

void Session::end(const char* reason) {
  try {
    joiner_.finish(now());
    put_in_file(true);
  } catch (const std::bad_alloc&) {
    ++lost_;
  }
  const uint64_t dropped = Recorder::instance().dropped() + joiner_.dropped() + lost_;
  if (dropped != 0) {
    FERRY_LOG(kWarn, "the trace %s lacks %llu events: they came faster than they were written",
              path_.c_str(), static_cast<unsigned long long>(dropped));
  }
  if (std::string wrong = sink().close(dropped, reason); !wrong.empty()) {
    note_problem(std::move(wrong));
  }
}

void Session::run() {
  for (bool is_over = false; !is_over;) {
    Recorder::instance().wait_for_work();
    const char* end_reason = nullptr;
    uint64_t flushes = 0;
    bool is_asked = false;
    {
      const std::lock_guard lock(mutex_);
      end_reason = end_reason_;
      flushes = flushes_wanted_;
      is_asked = flushes != flushes_done_;
    }
    bool is_any = round();
    // Spans are looked at one round later.
    if (is_asked || end_reason != nullptr) {
      is_any |= round();
      is_any |= round();
    }
    try {
      if (is_any || had_some_ || is_asked || has_waited_long()) put_in_file(is_asked);
    } catch (const std::bad_alloc&) {
      ++lost_;
    }
    had_some_ = is_any;
    is_over = end_reason != nullptr;
    if (is_over) end(end_reason);
    const std::lock_guard lock(mutex_);
    flushes_done_ = flushes;
    is_over_ = is_over;
    changed_.notify_all();
  }
}

std::string Session::flush() {
  std::unique_lock lock(mutex_);
  const uint64_t wanted = ++flushes_wanted_;
  Recorder::instance().call_writer();
  changed_.wait(lock, [&] { return flushes_done_ >= wanted || is_over_; });
  return problem_;
}

std::string Session::finish(const char* reason) {
  std::unique_lock lock(mutex_);
  end_reason_ = reason;
  Recorder::instance().call_writer();
  changed_.wait(lock, [&] { return is_over_; });
  return problem_;
}

// The trace that runs. Guarded by the lock of control, which is held while a trace starts, flushes
// or stops: these follow each other.
std::shared_ptr<Session>& current() {
  static auto* const session = new std::shared_ptr<Session>;
  return *session;
}
constinit std::mutex control;

void leave_child_alone() {
  Recorder::instance().disown_in_child();
}

// False when the system has no memory for it.
bool watch_process() {
  static const bool is_watched = pthread_atfork(nullptr, nullptr, leave_child_alone) == 0 &&
                                 std::atexit(end_at_exit) == 0 &&
                                 std::at_quick_exit(end_at_exit) == 0;
  return is_watched;
}

Status fail_with_path(const std::string& path, const std::string& wrong) {
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "path", Value::quoted(path.c_str()))
      .because(", which %s", wrong.c_str());
}

Status begin(const std::string& path, const TraceOptions& options, Creation creation) {
  if (!watch_process()) return fail(ACL_ERROR_BAD_ALLOC, kEH9999, "host memory is exhausted");
  auto session = std::make_shared<Session>(path, options);
  if (creation == Creation::kNow) {
    if (const std::string wrong = session->open(); !wrong.empty()) {
      return fail_with_path(path, wrong);
    }
  }
  marker_numbers().clear();
  known_queues().clear();
  Recorder::instance().begin(options);
  const Status started = start_thread("ferry-trace", [session] { session->run(); });
  if (!started.ok()) {
    Recorder::instance().stop_recording();
    Recorder::instance().end();
    return started;
  }
  services().set_tap(true);
  current() = std::move(session);
  return {};
}

// The call that ends the trace, such as aclprofStop, is not one whose end is lost.
void leave_out_current_call() {
  const ThreadState* const state = thread_state();
  if (state == nullptr || state->call == nullptr) return;
  if (state->call->function() == current_function()) state->call->leave_out();
}

std::string end_current(const char* reason) {
  Recorder::instance().stop_recording();
  services().set_tap(false);
  std::string wrong = current()->finish(reason);
  Recorder::instance().end();
  current().reset();
  return wrong;
}

Status fail_not_running() {
  return fail(ACL_ERROR_INVALID_PARAM, kEH0009, "no trace is running");
}

}  // namespace

void set_services(const Services& services) {
  the_services = services;
}

const Services& services() {
  return the_services;
}

Status start(const std::string& path, const TraceOptions& options, Creation creation) {
  if (Recorder::is_in_child()) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009,
                "this process was forked from one that has traced; exec a new program");
  }
  const std::lock_guard lock(control);
  if (current() != nullptr) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009, "a trace is running already, to %s",
                current()->path().c_str());
  }
  return begin(path, options, creation);
}

Status flush() {
  if (Recorder::is_in_child()) return fail_not_running();
  const std::lock_guard lock(control);
  if (current() == nullptr) return fail_not_running();
  const std::string wrong = current()->flush();
  return wrong.empty() ? Status() : fail_with_path(current()->path(), wrong);
}

Status stop() {
  if (Recorder::is_in_child()) return fail_not_running();
  const std::lock_guard lock(control);
  if (current() == nullptr) return fail_not_running();
  const std::string path = current()->path();
  leave_out_current_call();
  const std::string wrong = end_current("stop");
  return wrong.empty() ? Status() : fail_with_path(path, wrong);
}

bool is_running() {
  if (Recorder::is_in_child()) return false;
  const std::lock_guard lock(control);
  return current() != nullptr;
}

void end_at_exit() {
  if (Recorder::is_in_child()) return;
  const std::lock_guard lock(control);
  if (current() != nullptr) end_current("exit");
}

}  // namespace ferry::layers::trace
