// SPDX-License-Identifier: Apache-2.0
// Members spin for a moment before they sleep: a baseline that had to wake its threads for every
// short copy would be too easy to beat.
#include "bench/raw/thread_team.h"

#include <algorithm>

namespace ferry::bench {
namespace {

constexpr int kSpins = 4096;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

ThreadTeam::ThreadTeam() {
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (size_t member = 1; member < cores; ++member)
    threads_.emplace_back(&ThreadTeam::serve, this, member);
}

ThreadTeam::~ThreadTeam() {
  work_ = nullptr;
  turn_.fetch_add(1, std::memory_order_release);
  turn_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void ThreadTeam::run(const std::function<void(size_t member)>& work) {
  work_ = &work;
  busy_.store(threads_.size(), std::memory_order_relaxed);
  turn_.fetch_add(1, std::memory_order_release);
  turn_.notify_all();
  work(0);
  while (busy_.load(std::memory_order_acquire) != 0)
    pause();
}

void ThreadTeam::serve(size_t member) {
  for (uint32_t seen = 0;; ++seen) {
    for (int spins = 0; turn_.load(std::memory_order_acquire) == seen; ++spins) {
      if (spins < kSpins) {
        pause();
      } else {
        turn_.wait(seen, std::memory_order_acquire);
      }
    }
    if (work_ == nullptr) return;
    (*work_)(member);
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace ferry::bench
