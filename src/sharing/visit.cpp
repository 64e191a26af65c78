// SPDX-License-Identifier: Apache-2.0
// Opening an object of another process: finding the process, asking it, and what can go wrong.
#include "sharing/visit.h"

#include "sharing/channel.h"
#include "sharing/connection.h"
#include "sharing/far_hosts.h"
#include "sharing/search.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ferry::sharing {
namespace {

constexpr std::chrono::seconds kLongestWait{10};

// The connection that we have may have ended. While the process ends, a second one may be made and
// end without an answer. The third attempt is refused.
constexpr int kMostAttempts = 3;

Visit unreachable(std::string text) {
  Visit result;
  result.outcome = Visit::Outcome::kUnreachable;
  result.text = std::move(text);
  return result;
}

// `text` says why that is not certain, if so.
Visit unknown(std::string text) {
  Visit result;
  result.text = std::move(text);
  return result;
}

Visit result_of_errno(int error, const Address& address) {
  if (error == ECONNREFUSED || error == ENOENT) return {};
  if (error == EAGAIN)
    return unreachable("process " + std::to_string(address.process) +
                       " accepts no connection; it may be stopped");
  return unreachable(std::string("a socket cannot be made: ") + std::strerror(error) +
                     "; raise the limit of open files (ulimit -n), or close some");
}

Visit result_of_reply(const Reply& reply, Descriptor file, Hold hold) {
  Visit result;
  switch (reply.outcome) {
    case Reply::Outcome::kYes:
      result.outcome = Visit::Outcome::kOpened;
      result.facts = reply.facts;
      result.file = std::move(file);
      result.hold = std::move(hold);
      return result;
    case Reply::Outcome::kRefused:
      result.outcome = Visit::Outcome::kRefused;
      result.code = reply.code;
      result.text = reply.get_text();
      return result;
    case Reply::Outcome::kUnknown:
      return result;
  }
  return unreachable("the process that offers it has sent an answer of another version");
}

}  // namespace

bool Hold::signal() const {
  return holder_ != nullptr && holder_->signal(opening_, Clock::now() + kLongestWait);
}

void Hold::ask_later(std::span<const std::byte> question, Answered answered) const {
  holder_->ask(question, std::move(answered));
}

bool Hold::wait_for(const uint32_t& number, Clock::time_point deadline) const {
  return holder_->wait_for(number, deadline);
}

Told Hold::ask(std::span<const std::byte> question) const {
  struct Waiting {
    Told told;
    uint32_t is_there = 0;  // changed atomically
  };
  // The answer may come after this call has given up.
  const auto waiting = std::make_shared<Waiting>();
  holder_->ask(question, [waiting](const Told& told) {
    waiting->told = told;
    __atomic_store_n(&waiting->is_there, 1u, __ATOMIC_RELEASE);
  });
  if (holder_->wait_for(waiting->is_there, Clock::now() + kLongestWait)) return waiting->told;
  return {.is_lost = true, .text = "it has not answered within 10 s", .answer = {}};
}

void Hold::reset() {
  if (holder_ == nullptr) return;
  holder_->let_go(opening_);
  holder_.reset();
}

namespace {

std::atomic<FarHosts*> the_far_hosts{nullptr};

Visit visit_here(const Handle& handle, Kind kind, int32_t device) {
  Address address = handle.address;
  if (address.process == 0) {
    Search search = find_owner(handle.name, kind, Clock::now() + kLongestWait);
    if (search.outcome != Search::Outcome::kFound) return unknown(std::move(search.text));
    address = search.address;
  }
  const Clock::time_point deadline = Clock::now() + kLongestWait;
  Request request;
  request.type = Request::Type::kOpen;
  request.name = handle.name;
  request.kind = kind;
  request.device = device;
  const std::string process = "process " + std::to_string(address.process);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::shared_ptr<Connection> connection = connection_to(address, deadline);
    if (connection == nullptr) return result_of_errno(errno, address);
    Reply reply;
    Descriptor file;
    switch (connection->open(request, deadline, reply, file)) {
      case Connection::Asked::kAnswered: {
        const bool is_open = reply.outcome == Reply::Outcome::kYes;
        return result_of_reply(reply, std::move(file),
                               is_open ? Hold(std::move(connection), request.opening) : Hold());
      }
      case Connection::Asked::kLate:
        return unreachable(process + " has not answered within 10 s; it may be stopped");
      case Connection::Asked::kNoRoom:
        return unreachable(process +
                           " cannot pass it on: this process has no file descriptor left; raise "
                           "the limit of open files (ulimit -n), or close some");
      case Connection::Asked::kEnded:
        break;
    }
  }
  return unreachable(process + " ends every connection");
}

bool is_own(const Handle& handle) {
  const std::shared_ptr<Offer> offer = Exchange::instance().find(handle.name);
  return offer != nullptr;
}

}  // namespace

FarHosts* far_hosts() {
  return the_far_hosts.load(std::memory_order_acquire);
}

void install_far_hosts(FarHosts* hosts) {
  the_far_hosts.store(hosts, std::memory_order_release);
}

Visit visit(const Handle& handle, Kind kind, int32_t device, FabricOrigin origin) {
  FarHosts* const hosts = far_hosts();
  if (origin == FabricOrigin::kOtherHost && (hosts == nullptr || handle.place.port == 0)) {
    Visit foreign;
    foreign.outcome = Visit::Outcome::kForeign;
    return foreign;
  }
  if (hosts == nullptr || handle.place.port == 0) return visit_here(handle, kind, device);
  if (origin == FabricOrigin::kOtherHost) return hosts->visit(handle, kind, device);
  const bool is_own_object = is_own(handle);
  if (is_own_object || !hosts->is_for_this_host()) {
    Visit near = visit_here(handle, kind, device);
    // Keys do not tell their host, and processes in other network namespaces are not seen here.
    if (is_own_object || near.outcome != Visit::Outcome::kUnknown) return near;
  }
  return hosts->visit(handle, kind, device);
}

}  // namespace ferry::sharing
