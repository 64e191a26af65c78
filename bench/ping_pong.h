// SPDX-License-Identifier: Apache-2.0
// A second process that answers: each round trip wakes it, and it wakes this process. With futexes
// alone, and with events that both processes record and wait for.
#pragma once

#include <sys/types.h>

#include <memory>

namespace ferry::bench {

/// Used by one thread.
class PingPong {
 public:
  /// Must be called before this process uses the library: the other process is a child.
  PingPong();
  ~PingPong();
  PingPong(const PingPong&) = delete;
  PingPong& operator=(const PingPong&) = delete;

  /// Makes the events. The device must be set, and stay so until this object is destroyed or
  /// close_events() is called. Throws when a call fails here or there.
  void open_events();
  void close_events();

  /// One round trip: this process changes a word and wakes the other by a futex; the other answers
  /// in the same way.
  void pass_by_futex();
  /// The same, and work is ordered with it: before a word is changed an event is recorded, and
  /// after it was seen the host waits for that event. Events cannot replace the words, which say
  /// that there is a record to wait for.
  void pass_by_events();

 private:
  struct Shared;
  struct Events;
  enum class Task : int;
  void pass(Task task);
  static void serve(Shared& shared);

  Shared* shared_ = nullptr;
  std::unique_ptr<Events> events_;
  pid_t process_ = -1;
};

}  // namespace ferry::bench
