// SPDX-License-Identifier: Apache-2.0
// The one thread of a context that runs its host functions, in the order in which their streams
// come to them.
#pragma once

#include "base/status.h"
#include "core/stream_function.h"

#include <list>
#include <memory>

namespace ferry {

// May be shared between threads. The thread is started on first use; it outlives the object if a
// function does not return. A function may end it: then another takes its place.
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
  // `call` is a list of one: it was allocated when the function was launched, because a queue that
  // comes to it cannot report a lack of memory to anyone.
  static void post(Calls& calls, std::list<StreamFunction>&& call);

  // Functions that have not started are dropped; their streams continue.
  void stop();

 private:
  std::shared_ptr<Calls> calls_;
};

}  // namespace ferry
