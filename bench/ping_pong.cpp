// SPDX-License-Identifier: Apache-2.0
// Both processes of the ping-pong. They share one page of memory.
#include "bench/ping_pong.h"

#include "bench/client.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

namespace ferry::bench {
// A word that one process changes and the other waits for.
class Ball {
 public:
  void pass(uint32_t number) {
    word_.store(number, std::memory_order_release);
    syscall(SYS_futex, &word_, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
  // Sleeps until it has changed. False after `limit`, if there is one: the other process may have
  // ended.
  bool wait_for_other_than(uint32_t number, const timespec* limit, uint32_t& changed) {
    for (;;) {
      changed = word_.load(std::memory_order_acquire);
      if (changed != number) return true;
      const long slept = syscall(SYS_futex, &word_, FUTEX_WAIT, number, limit, nullptr, 0);
      if (slept != 0 && errno == ETIMEDOUT) return false;
    }
  }

 private:
  std::atomic<uint32_t> word_{0};
};

// An event that another process can open, or has created.
class SharedEvent {
 public:
  SharedEvent() { check(aclrtCreateEventExWithFlag(&handle_, ACL_EVENT_IPC)); }
  explicit SharedEvent(const aclrtIpcEventHandle& other) {
    check(aclrtIpcOpenEventHandle(other, &handle_));
  }
  ~SharedEvent() { static_cast<void>(aclrtDestroyEvent(handle_)); }
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  aclrtIpcEventHandle handle_for_others() const {
    aclrtIpcEventHandle handle{};
    check(aclrtIpcGetEventHandle(handle_, &handle));
    return handle;
  }
  void record(const Stream& stream) const { check(aclrtRecordEvent(handle_, stream.handle())); }
  void wait() const { check(aclrtSynchronizeEvent(handle_)); }

 private:
  aclrtEvent handle_ = nullptr;
};

enum class PingPong::Task : int { kFutex, kOpen, kEvents, kClose, kEnd };

struct PingPong::Shared {
  alignas(64) Ball ping;
  alignas(64) Ball pong;
  alignas(64) Task task = Task::kFutex;  // written before ping is passed
  uint32_t number = 0;                   // of the latest ping
  aclrtIpcEventHandle ping_event{};
  aclrtIpcEventHandle pong_event{};
  char failure[256] = {};  // of the child; "" when all went well
};

// What one side has: its own event, which it records, and the other's.
struct PingPong::Events {
  Stream stream;
  SharedEvent own;
  std::optional<SharedEvent> other;
};

PingPong::PingPong() {
  void* const page =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error("mmap");
  shared_ = new (page) Shared;
  std::fflush(nullptr);  // or the child would print buffered output again
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    serve(*shared_);
    _exit(0);
  }
  if (process_ < 0) {
    munmap(shared_, sizeof(Shared));
    throw std::runtime_error("cannot start a child process");
  }
}

PingPong::~PingPong() {
  events_.reset();
  shared_->task = Task::kEnd;
  shared_->ping.pass(++shared_->number);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  munmap(shared_, sizeof(Shared));
}

// The child's main loop.
void PingPong::serve(Shared& shared) {
  std::optional<Session> session;
  std::optional<Events> events;
  uint32_t number = 0;
  for (;;) {
    try {
      shared.ping.wait_for_other_than(number, nullptr, number);
      switch (shared.task) {
        case Task::kFutex:
          break;
        case Task::kOpen:
          if (!session) session.emplace();
          events.emplace();
          events->other.emplace(shared.ping_event);
          shared.pong_event = events->own.handle_for_others();
          break;
        case Task::kEvents:
          events->other->wait();
          events->own.record(events->stream);
          break;
        case Task::kClose:
          events.reset();
          break;
        case Task::kEnd:
          return;
      }
    } catch (const std::exception& error) {
      std::snprintf(shared.failure, sizeof shared.failure, "%s", error.what());
    }
    shared.pong.pass(number);
  }
}

void PingPong::pass(Task task) {
  shared_->task = task;
  const uint32_t before = shared_->number++;
  shared_->ping.pass(shared_->number);
  constexpr timespec kLimit{.tv_sec = 30, .tv_nsec = 0};
  uint32_t answered = 0;
  if (!shared_->pong.wait_for_other_than(before, &kLimit, answered)) {
    throw std::runtime_error("the other process does not answer");
  }
  if (shared_->failure[0] != '\0') throw std::runtime_error(shared_->failure);
}

void PingPong::open_events() {
  events_ = std::make_unique<Events>();
  shared_->ping_event = events_->own.handle_for_others();
  pass(Task::kOpen);
  events_->other.emplace(shared_->pong_event);
}

void PingPong::close_events() {
  pass(Task::kClose);
  events_.reset();
}

void PingPong::pass_by_futex() {
  pass(Task::kFutex);
}

void PingPong::pass_by_events() {
  events_->own.record(events_->stream);
  pass(Task::kEvents);
  events_->other->wait();
}

}  // namespace ferry::bench
