// SPDX-License-Identifier: Apache-2.0
// The visitor's side of a connection to a process that offers something, and finding the one that
// this process has already.
#pragma once

#include "sharing/channel.h"
#include "sharing/descriptor.h"
#include "sharing/handle.h"
#include "sharing/visit.h"

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry::sharing {

// May be shared between threads. Ends with its last Hold, or with the other process.
class Connection final : public Holder {
 public:
  explicit Connection(Descriptor socket);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  enum class Asked {
    kAnswered,
    kEnded,  // the connection has ended before the answer
    kLate,   // the deadline came first
    kNoRoom  // the system refuses to pass the message or the descriptor on
  };
  // Opens an object; one thread at a time. Fills in the number of the opening. Unless the reply
  // says yes, nothing is held afterwards, even if an answer is still to come. Throws
  // std::bad_alloc.
  Asked open(Request& request, Clock::time_point deadline, Reply& reply, Descriptor& file);

  // Waits for room until the deadline. False when the connection has ended, or there is no room.
  bool signal(uint64_t opening, Clock::time_point deadline) override;
  // Never waits and needs no memory. A message for which there is no room is sent before the next
  // one, or is made needless by the end of the connection.
  void let_go(uint64_t opening) override;

  bool has_ended() const { return has_ended_.load(std::memory_order_relaxed) || is_inherited(); }

 private:
  Asked exchange(const Request& request, Clock::time_point deadline, Reply& reply,
                 Descriptor& file);
  Asked await_reply(uint64_t opening, Clock::time_point deadline, Reply& reply, Descriptor& file);
  Transfer send_when_possible(const Request& request, Clock::time_point deadline);
  Transfer send_locked(const Request& request);
  Transfer note_end(Transfer result);
  bool is_inherited() const;

  const Descriptor socket_;
  const pid_t process_;                 // which made it: a child of fork leaves it alone
  std::atomic<bool> has_ended_{false};  // set once; a hint, the socket decides

  std::mutex turn_mutex_;  // guards is_asking_
  std::condition_variable turn_ended_;
  bool is_asking_ = false;  // a thread waits for its reply

  std::mutex send_mutex_;  // guards the members below
  uint64_t last_opening_ = 0;
  size_t not_let_go_ = 0;  // openings whose end was not sent
  // Ended openings whose end was not sent. Invariant: the capacity is at least not_let_go_.
  std::vector<uint64_t> unsent_;
};

// The connection to a process, a new one if there is none. nullptr: errno says why, as
// connect_to().
std::shared_ptr<Connection> connection_to(const Address& address, Clock::time_point deadline);

}  // namespace ferry::sharing
