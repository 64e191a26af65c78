// SPDX-License-Identifier: Apache-2.0
// Threads for what must not run on the thread of a running task: calling the program's exception
// callback, and ending work after a failure.
#pragma once

#include "base/status.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace ferry {

// A job belongs to the code that gives it: whoever reports the failure of a task cannot report a
// lack of memory for it to anyone.
struct ServiceJob {
  explicit ServiceJob(void (*function)(ServiceJob&)) : run(function) {}

  void (*const run)(ServiceJob&);  // may end the life of the job
  // Of the service thread, while the job is given:
  ServiceJob* next = nullptr;
  uint64_t number = 0;
};

// Runs jobs one after the other, in the order given, on a thread of its own. A job that ends the
// thread is done; the next ones run on a new thread. May be shared between threads; never
// destroyed.
class ServiceThread {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ServiceThread(const char* name) : name_(name) {}
  ServiceThread(const ServiceThread&) = delete;
  ServiceThread& operator=(const ServiceThread&) = delete;

  // Starts the thread on first use; 207005 when the system cannot create it. Call before jobs can
  // become necessary.
  Status start();

  // Returns the number of the job; the first is 1. If there is no thread, the job runs on the
  // calling thread, and the number is 0. Needs no memory.
  uint64_t run(ServiceJob& job);

  // Waits until the job with this number and all before it are done. False when the deadline comes
  // first. True at once on the thread itself, where a job waits for its own end.
  bool wait_for(uint64_t job, Clock::time_point deadline);

 private:
  Status start_locked();
  void serve();
  void run_next(std::unique_lock<std::mutex>& lock);
  void end_job();
  void replace_thread();

  const char* const name_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool is_started_ = false;
  ServiceJob* first_ = nullptr;
  ServiceJob* last_ = nullptr;  // of the list that begins with first_, if that is not empty
  uint64_t given_ = 0;
  uint64_t running_ = 0;  // the number of the latest job that was taken
  uint64_t done_ = 0;     // no thread waits for jobs up to this one
};

// The thread that ends work after a failure. It calls no function of the program, so it never hangs
// in one.
ServiceThread& service_thread();

}  // namespace ferry
