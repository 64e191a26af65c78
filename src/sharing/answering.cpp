// SPDX-License-Identifier: Apache-2.0
// One poll() over all connections. Nothing here waits for a single visitor: a reply that finds no
// room ends the connection, because a visitor that waits for its replies always has room.
#include "sharing/answering.h"

#include "base/log.h"
#include "sharing/endpoint.h"

#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <new>
#include <string>

namespace ferry::sharing {
namespace {

constexpr int kBackOffMilliseconds = 100;

void back_off() {
  const timespec pause{0, kBackOffMilliseconds * 1'000'000L};
  nanosleep(&pause, nullptr);
}

// Calls a function of an offer that nobody waits for.
template <class Call>
void tell(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    FERRY_LOG(kError, "an offer to other processes could not be updated: %s", error.what());
  }
}

Reply reply_to(const Request& request, Reply::Outcome outcome) {
  Reply reply;
  reply.opening = request.opening;
  reply.outcome = outcome;
  return reply;
}

Reply out_of_memory(const Request& request) {
  Reply reply = reply_to(request, Reply::Outcome::kRefused);
  reply.code = ACL_ERROR_RT_MEMORY_ALLOCATION;
  reply.set_text("the process that offers it has no memory left; try again later");
  return reply;
}

Reply reply_with(const Request& request, const Answer& answer) {
  const bool is_open = answer.code == ACL_SUCCESS;
  Reply reply = reply_to(request, is_open ? Reply::Outcome::kYes : Reply::Outcome::kRefused);
  reply.code = answer.code;
  reply.has_file = is_open && answer.file >= 0 ? 1 : 0;
  reply.facts = answer.facts;
  reply.set_text(answer.text);
  return reply;
}

}  // namespace

Answering::Answering(Descriptor listener, OfferBook& book)
    : listener_(std::move(listener)), book_(book) {
  polled_.reserve(1);
}

void Answering::run() {
  for (;;) {
    try {
      poll_once();
    } catch (const std::bad_alloc&) {
      accepts_later_ = true;
    }
  }
}

void Answering::poll_once() {
  polled_.clear();
  polled_.push_back({accepts_later_ ? -1 : listener_.number(), POLLIN, 0});
  for (const auto& client : clients_)
    polled_.push_back({client->socket.number(), POLLIN, 0});
  const int timeout = accepts_later_ ? kBackOffMilliseconds : -1;
  accepts_later_ = false;
  if (poll(polled_.data(), polled_.size(), timeout) < 0) {
    if (errno != EINTR) back_off();  // without memory, or above a lowered limit of files
    return;
  }
  // From the end, since a client that goes is replaced by the last one.
  for (size_t i = clients_.size(); i-- > 0;)
    if (polled_[i + 1].revents != 0 && !serve(*clients_[i])) disconnect(i);
  if (polled_[0].revents != 0) accept_one();
}

void Answering::accept_one() {
  // Before the connection exists: it stays in the line if there is no memory.
  auto client = std::make_unique<Client>();
  if (clients_.size() == clients_.capacity()) clients_.reserve(2 * clients_.size() + 4);
  polled_.reserve(clients_.capacity() + 1);
  client->socket = Descriptor::made_by(
      [&] { return accept4(listener_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); });
  if (!client->socket) {
    accepts_later_ = errno != EAGAIN && errno != EINTR && errno != ECONNABORTED;
    return;
  }
  if (is_of_this_user(client->socket.number(), client->process))
    clients_.push_back(std::move(client));
}

void Answering::disconnect(size_t index) {
  const std::unique_ptr<Client> client = std::move(clients_[index]);
  clients_[index] = std::move(clients_.back());
  clients_.pop_back();
  client->socket.reset();
  for (const auto& held : client->held)
    tell([&] { held.second->closed(); });
}

bool Answering::serve(Client& client) {
  Request request;
  switch (receive_message(client.socket.number(), request)) {
    case Transfer::kDone:
      break;
    case Transfer::kBusy:
      return true;
    default:
      return false;
  }
  try {
    return answer(client, request);
  } catch (const std::exception&) {
    return send_message(client.socket.number(), out_of_memory(request)) == Transfer::kDone;
  }
}

bool Answering::answer(Client& client, const Request& request) {
  switch (request.type) {
    case Request::Type::kOpen:
      return open(client, request);
    case Request::Type::kFind:
      return find(client, request);
    case Request::Type::kSignal:
      return signal(client, request);
    case Request::Type::kLetGo:
      return let_go(client, request);
  }
  return false;
}

bool Answering::open(Client& client, const Request& request) {
  const int socket = client.socket.number();
  if (client.held.contains(request.opening)) return false;  // no visitor of ours does that
  // The place is made first: behind a successful open() nothing may fail.
  decltype(client.held) place;
  place.try_emplace(request.opening);
  const Visitor visitor{client.process, client.process == getpid(), request.device};
  const OfferBook::Opened opened = book_.open(request.name, request.kind, visitor);
  if (opened.offer == nullptr)
    return send_message(socket, reply_to(request, Reply::Outcome::kUnknown)) == Transfer::kDone;
  const Reply reply = reply_with(request, opened.answer);
  if (reply.outcome != Reply::Outcome::kYes) return send_message(socket, reply) == Transfer::kDone;
  place.begin()->second = opened.offer;
  client.held.merge(place);
  const int file = reply.has_file != 0 ? opened.answer.file : -1;
  const Transfer sent = send_message(socket, reply, file);
  if (sent != Transfer::kFailed) return sent == Transfer::kDone;
  // Such as too many descriptors on their way.
  let_go(client, request);
  return send_message(socket, out_of_memory(request)) == Transfer::kDone;
}

bool Answering::find(Client& client, const Request& request) {
  const std::shared_ptr<Offer> offer = book_.find(request.name);
  const bool is_known = offer != nullptr && offer->kind() == request.kind;
  const auto outcome = is_known ? Reply::Outcome::kYes : Reply::Outcome::kUnknown;
  return send_message(client.socket.number(), reply_to(request, outcome)) == Transfer::kDone;
}

bool Answering::signal(Client& client, const Request& request) {
  const auto held = client.held.find(request.opening);
  if (held == client.held.end()) return false;
  tell([&] { held->second->signalled(); });
  return true;
}

// An opening that is not held is no mistake: the visitor has stopped waiting for an open() that was
// refused later.
bool Answering::let_go(Client& client, const Request& request) {
  const auto held = client.held.extract(request.opening);
  if (!held.empty()) tell([&] { held.mapped()->closed(); });
  return true;
}

}  // namespace ferry::sharing
