// SPDX-License-Identifier: Apache-2.0
// The one thread of a context that runs its host functions, in the order in which their streams
// come to them.
#pragma once

#include "base/status.h"

#include "ferry/backend.h"

#include <memory>

namespace ferry {

// A host function that is ready to run.
struct HostCall {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  ferryx_callout* callout = nullptr;  // to be completed when the function has returned
};

// May be shared between threads. The thread is started on first use; it outlives the object if a
// function does not return.
class HostThread {
 public:
  HostThread();
  ~HostThread();
  HostThread(const HostThread&) = delete;
  HostThread& operator=(const HostThread&) = delete;

  // 207005 when the thread cannot be started.
  Status start();
  // The queue of calls, kept alive by everything that may still post to it.
  struct Calls;
  std::shared_ptr<Calls> calls() const { return calls_; }
  static void post(Calls& calls, const HostCall& call);

  // Functions that have not started are dropped; their streams continue.
  void stop();

 private:
  std::shared_ptr<Calls> calls_;
};

// Whether the calling thread is one that runs host functions.
bool is_host_thread();

}  // namespace ferry
