// SPDX-License-Identifier: Apache-2.0
// Takes the place of src/backends/cpu/sync.h: the same names, as Relacy's types. Before each
// operation Relacy may switch to another thread; each load may return any value that the C++ memory
// model allows.
#pragma once

#include "interleavings/relacy.h"
#include "interleavings/run.h"

#include <array>
#include <atomic>
#include <chrono>
#include <utility>

namespace ferry::cpu::sync {

using interleavings::Place;

// Time stands still, and no wait times out: a time limit would make up for a wake-up that got lost.
struct Clock {
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;
  static time_point now() { return {}; }
};

template <class T>
class Atomic {
 public:
  Atomic(T value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  T load(std::memory_order order = std::memory_order_seq_cst, Place at = Place::current()) const {
    return value_.load(order_of(order), interleavings::shown(at));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst,
             Place at = Place::current()) {
    value_.store(value, order_of(order), interleavings::shown(at));
  }
  T fetch_add(T value, std::memory_order order = std::memory_order_seq_cst,
              Place at = Place::current()) {
    return value_.fetch_add(value, order_of(order), interleavings::shown(at));
  }
  T fetch_sub(T value, std::memory_order order = std::memory_order_seq_cst,
              Place at = Place::current()) {
    return value_.fetch_sub(value, order_of(order), interleavings::shown(at));
  }

 private:
  static rl::memory_order order_of(std::memory_order order) {
    switch (order) {
      case std::memory_order_relaxed:
        return rl::mo_relaxed;
      case std::memory_order_consume:
        return rl::mo_consume;
      case std::memory_order_acquire:
        return rl::mo_acquire;
      case std::memory_order_release:
        return rl::mo_release;
      case std::memory_order_acq_rel:
        return rl::mo_acq_rel;
      case std::memory_order_seq_cst:
        break;
    }
    return rl::mo_seq_cst;
  }

  rl::atomic<T> value_;
};

class Mutex {
 public:
  void lock(Place at = Place::current()) { mutex_.lock(interleavings::shown(at)); }
  // No switch before it: what others could do in between they can also do before the last operation
  // under the lock, or after this one.
  void unlock(Place at = Place::current()) {
    const rl::preemption_disabler no_switch(rl::ctx());
    mutex_.unlock(interleavings::shown(at));
  }

 private:
  friend class Condition;
  rl::mutex mutex_;
};

// As std::unique_lock, as far as it is used.
class Lock {
 public:
  explicit Lock(Mutex& mutex, Place at = Place::current()) : mutex_(&mutex), at_(at) {
    mutex.lock(at);
  }
  Lock(Lock&& other) noexcept
      : mutex_(std::exchange(other.mutex_, nullptr)), is_held_(other.is_held_), at_(other.at_) {}
  Lock& operator=(Lock&& other) noexcept {
    std::swap(mutex_, other.mutex_);
    std::swap(is_held_, other.is_held_);
    std::swap(at_, other.at_);
    return *this;
  }
  ~Lock() {
    if (mutex_ != nullptr && is_held_) mutex_->unlock(at_);
  }

  void lock(Place at = Place::current()) {
    mutex_->lock(at);
    is_held_ = true;
  }
  void unlock(Place at = Place::current()) {
    mutex_->unlock(at);
    is_held_ = false;
  }
  Mutex* mutex() const { return mutex_; }

 private:
  Mutex* mutex_;
  bool is_held_ = true;
  Place at_;
};

class Condition {
 public:
  void notify_one(Place at = Place::current()) { condition_.notify_one(interleavings::shown(at)); }
  void notify_all(Place at = Place::current()) { condition_.notify_all(interleavings::shown(at)); }

  template <class IsOver>
  void wait(Lock& lock, IsOver is_over, Place at = Place::current()) {
    while (!is_over())
      wait_once(*lock.mutex(), at);
  }
  template <class IsOver>
  bool wait_until(Lock& lock, Clock::time_point /*when*/, IsOver is_over,
                  Place at = Place::current()) {
    wait(lock, is_over, at);
    return true;
  }

  // A wait for no condition in particular is the sleep of a copy thread.
  void wait(Lock& lock, Place at = Place::current()) {
    interleavings::Run& run = interleavings::run();
    if (!run.is_over) {
      run.sleeps_on = this;
      run.sleeps_with = lock.mutex();
      wait_once(*lock.mutex(), at);
      run.sleeps_on = nullptr;
    }
    if (run.is_over) throw interleavings::EndOfRun();
  }
  void wait_until(Lock& lock, Clock::time_point /*when*/, Place at = Place::current()) {
    wait(lock, at);
  }

 private:
  void wait_once(Mutex& mutex, const Place& at) {
    condition_.wait(mutex.mutex_, interleavings::shown(at));
  }

  rl::condition_variable condition_;
};

// One value for each thread of a run. A new run finds the initial value.
template <class T>
class PerThread {
 public:
  constexpr PerThread(T initial) : initial_(initial) {}  // NOLINT(google-explicit-constructor)
  operator T() const { return of_run() ? values_[rl::thread_index()] : initial_; }
  PerThread& operator=(T value) {
    if (!of_run()) values_.fill(initial_);
    run_ = interleavings::run().number;
    values_[rl::thread_index()] = value;
    return *this;
  }

 private:
  static constexpr size_t kMostThreads = 4;
  bool of_run() const { return run_ == interleavings::run().number; }

  T initial_;
  uint64_t run_ = 0;
  std::array<T, kMostThreads> values_{};
};

}  // namespace ferry::cpu::sync
