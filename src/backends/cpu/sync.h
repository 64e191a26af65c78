// SPDX-License-Identifier: Apache-2.0
// What queues, markers, flags and engines synchronise with. tests/interleavings compiles the same
// sources with another file of this name, whose types let a model checker choose every step.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace ferry::cpu::sync {

using Clock = std::chrono::steady_clock;
using Condition = std::condition_variable;
using Mutex = std::mutex;
using Lock = std::unique_lock<Mutex>;
template <class T>
using Atomic = std::atomic<T>;
// A thread_local variable: the threads of the model checker share one thread of the system.
template <class T>
using PerThread = T;

}  // namespace ferry::cpu::sync
