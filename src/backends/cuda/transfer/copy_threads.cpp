// SPDX-License-Identifier: Apache-2.0
// Hands out the lanes of a job.
#include "backends/cuda/transfer/copy_threads.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

namespace ferry::cuda {
namespace {

// More threads do not make a bus faster.
constexpr long kMostThreads = 8;

void* run_body(void* argument) {
  pthread_setname_np(pthread_self(), "ferry-staging");
  (*static_cast<std::function<void()>*>(argument))();
  return nullptr;
}

// `body` must live forever. A failure is harmless: there is one helper less.
void start_detached(std::function<void()>* body) {
  // The new thread inherits the mask: signal handlers of the program run on the program's threads
  // only.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  if (pthread_create(&thread, nullptr, run_body, body) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

uint32_t default_copy_threads() {
  return static_cast<uint32_t>(std::clamp(sysconf(_SC_NPROCESSORS_ONLN) / 2, 1L, kMostThreads));
}

void CopyThreads::run(uint32_t lanes, const std::function<void(uint32_t)>& body) {
  const std::lock_guard job(jobs_);
  {
    const std::lock_guard lock(mutex_);
    if (!has_helpers_ && lanes > 1) start_helpers();
    body_ = &body;
    lanes_ = lanes;
    taken_ = 0;
    ended_ = 0;
  }
  work_came_.notify_all();
  for (uint32_t lane = 0; take_lane(lane);) {
    body(lane);
    const std::lock_guard lock(mutex_);
    ++ended_;
  }
  std::unique_lock lock(mutex_);
  lane_ended_.wait(lock, [&] { return ended_ == lanes_; });
  lanes_ = 0;
  taken_ = 0;
}

// The caller holds the mutex.
void CopyThreads::start_helpers() {
  has_helpers_ = true;
  auto* body = new std::function<void()>([this] { help(); });
  for (uint32_t i = 1; i < most_; ++i)
    start_detached(body);
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the helpers never end

bool CopyThreads::take_lane(uint32_t& lane) {
  const std::lock_guard lock(mutex_);
  if (taken_ == lanes_) return false;
  lane = taken_++;
  return true;
}

void CopyThreads::help() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_came_.wait(lock, [&] { return taken_ < lanes_; });
    const uint32_t lane = taken_++;
    const auto& body = *body_;
    lock.unlock();
    body(lane);
    lock.lock();
    if (++ended_ == lanes_) lane_ended_.notify_one();
  }
}

}  // namespace ferry::cuda
