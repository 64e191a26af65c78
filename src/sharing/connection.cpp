// SPDX-License-Identifier: Apache-2.0
// Requests and their replies over one connection. Each opening has a number, so that a reply that
// comes too late is told from the one that is waited for.
#include "sharing/connection.h"

#include "sharing/endpoint.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <utility>

namespace ferry::sharing {
namespace {

struct Connections {
  std::mutex mutex;  // guards the map
  std::map<std::pair<uint32_t, uint64_t>, std::weak_ptr<Connection>> by_address;
};

Connections& connections() {
  static auto* instance = new Connections;
  return *instance;
}

// Under the lock.
std::shared_ptr<Connection> known_connection(Connections& all, const Address& address) {
  const auto found = all.by_address.find({address.process, address.token});
  if (found == all.by_address.end()) return nullptr;
  std::shared_ptr<Connection> connection = found->second.lock();
  return connection != nullptr && !connection->has_ended() ? connection : nullptr;
}

Request short_request(Request::Type type, uint64_t opening) {
  Request request;
  request.type = type;
  request.opening = opening;
  return request;
}

}  // namespace

Connection::Connection(Descriptor socket) : socket_(std::move(socket)), process_(getpid()) {}

bool Connection::is_inherited() const {
  return getpid() != process_;  // the socket is closed there; its number may be another file
}

Transfer Connection::note_end(Transfer result) {
  if (result == Transfer::kEnded || result == Transfer::kGarbage) {
    has_ended_.store(true, std::memory_order_relaxed);
    shutdown(socket_.number(), SHUT_RDWR);
    return Transfer::kEnded;
  }
  return result;
}

// Under the lock of sending: the ends of openings go first, as far as there is room.
Transfer Connection::send_locked(const Request& request) {
  while (!unsent_.empty()) {
    const Transfer sent = note_end(
        send_message(socket_.number(), short_request(Request::Type::kLetGo, unsent_.back())));
    if (sent != Transfer::kDone) return sent;
    unsent_.pop_back();
    --not_let_go_;
  }
  return note_end(send_message(socket_.number(), request));
}

Transfer Connection::send_when_possible(const Request& request, Clock::time_point deadline) {
  for (;;) {
    {
      const std::lock_guard lock(send_mutex_);
      const Transfer sent = send_locked(request);
      if (sent != Transfer::kBusy) return sent;
    }
    if (!wait_for_socket(socket_.number(), POLLOUT, deadline)) return Transfer::kBusy;
  }
}

bool Connection::signal(uint64_t opening, Clock::time_point deadline) {
  if (is_inherited()) return false;
  return send_when_possible(short_request(Request::Type::kSignal, opening), deadline) ==
         Transfer::kDone;
}

void Connection::let_go(uint64_t opening) {
  if (is_inherited()) return;
  const std::lock_guard lock(send_mutex_);
  if (send_locked(short_request(Request::Type::kLetGo, opening)) == Transfer::kDone)
    --not_let_go_;
  else
    unsent_.push_back(opening);
}

Connection::Asked Connection::open(Request& request, Clock::time_point deadline, Reply& reply,
                                   Descriptor& file) {
  {
    std::unique_lock lock(turn_mutex_);
    if (!turn_ended_.wait_until(lock, deadline, [&] { return !is_asking_; })) return Asked::kLate;
    is_asking_ = true;
  }
  const std::unique_ptr<Connection, void (*)(Connection*)> end_turn(this, [](Connection* asking) {
    const std::lock_guard lock(asking->turn_mutex_);
    asking->is_asking_ = false;
    asking->turn_ended_.notify_one();
  });
  {
    const std::lock_guard lock(send_mutex_);
    if (unsent_.capacity() <= not_let_go_) unsent_.reserve(2 * not_let_go_ + 8);
    ++not_let_go_;
    request.opening = ++last_opening_;
  }
  try {
    return exchange(request, deadline, reply, file);
  } catch (...) {
    let_go(request.opening);
    throw;
  }
}

Connection::Asked Connection::exchange(const Request& request, Clock::time_point deadline,
                                       Reply& reply, Descriptor& file) {
  const auto forget = [&] {
    const std::lock_guard lock(send_mutex_);
    --not_let_go_;
  };
  const Transfer sent = send_when_possible(request, deadline);
  if (sent != Transfer::kDone) {
    forget();
    if (sent == Transfer::kFailed) return Asked::kNoRoom;
    return sent == Transfer::kEnded ? Asked::kEnded : Asked::kLate;
  }
  const Asked asked = await_reply(request.opening, deadline, reply, file);
  if (asked == Asked::kAnswered && reply.outcome == Reply::Outcome::kYes) return asked;
  if (asked == Asked::kAnswered)
    forget();
  else
    let_go(request.opening);  // it may be opened yet
  return asked;
}

Connection::Asked Connection::await_reply(uint64_t opening, Clock::time_point deadline,
                                          Reply& reply, Descriptor& file) {
  for (;;) {
    const Transfer received = note_end(receive_message(socket_.number(), reply, &file));
    if (received == Transfer::kEnded) return Asked::kEnded;
    if (received == Transfer::kFailed) return Asked::kNoRoom;
    if (received == Transfer::kBusy) {
      if (!wait_for_socket(socket_.number(), POLLIN, deadline)) return Asked::kLate;
      continue;
    }
    if (reply.opening < opening) continue;  // its thread has stopped waiting, and has let go of it
    if (reply.opening > opening) {
      note_end(Transfer::kGarbage);
      return Asked::kEnded;
    }
    // The kernel drops a descriptor for which this process has no number left.
    return reply.has_file != 0 && !file ? Asked::kNoRoom : Asked::kAnswered;
  }
}

std::shared_ptr<Connection> connection_to(const Address& address, Clock::time_point deadline) {
  Connections& all = connections();
  {
    const std::lock_guard lock(all.mutex);
    if (std::shared_ptr<Connection> known = known_connection(all, address)) return known;
  }
  Descriptor socket = connect_to(address, deadline);
  if (!socket) return nullptr;
  auto made = std::make_shared<Connection>(std::move(socket));
  const std::lock_guard lock(all.mutex);
  // Another thread may have been faster: then `made` ends here.
  if (std::shared_ptr<Connection> known = known_connection(all, address)) return known;
  std::erase_if(all.by_address, [](const auto& entry) { return entry.second.expired(); });
  all.by_address.insert_or_assign({address.process, address.token}, made);
  return made;
}

}  // namespace ferry::sharing
