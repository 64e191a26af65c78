// SPDX-License-Identifier: Apache-2.0
// The threads of the baselines that use all cores.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace ferry::bench {

/// Threads that are started once and wait for work. Used by one thread, which is itself a member.
class ThreadTeam {
 public:
  /// One member per core that this process may use.
  ThreadTeam();
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  size_t size() const { return threads_.size() + 1; }

  /// Calls `work(member)` once on every member, and returns when all have finished.
  void run(const std::function<void(size_t member)>& work);

 private:
  void serve(size_t member);

  std::vector<std::thread> threads_;
  const std::function<void(size_t)>* work_ = nullptr;  // null: stop
  std::atomic<uint32_t> turn_{0};
  std::atomic<size_t> busy_{0};
};

}  // namespace ferry::bench
