// SPDX-License-Identifier: Apache-2.0
// A short-lived connection to each process, and one poll() over all of them.
#include "sharing/search.h"

#include "sharing/endpoint.h"

#include <poll.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace ferry::sharing {
namespace {

struct Asked {
  Descriptor socket;
  Address address;
};

std::string no_answer(uint32_t process) {
  return "process " + std::to_string(process) + " does not answer; it may be stopped";
}

std::string no_answer(const std::vector<Asked>& asked) {
  if (asked.size() == 1) return no_answer(asked.front().address.process);
  std::string text = "processes";
  for (const Asked& one : asked)
    text.append(" ").append(std::to_string(one.address.process));
  return text + " do not answer; they may be stopped";
}

// The processes that were asked. `text` says why others could not be.
std::vector<Asked> ask_all(const std::vector<Address>& addresses, const Request& request,
                           std::string& text) {
  std::vector<Asked> asked;
  asked.reserve(addresses.size());
  for (const Address& address : addresses) {
    // Only a process that has not accepted thousands of connections would make this wait.
    Descriptor socket = connect_to(address, Clock::now());
    if (!socket) {
      if (errno == EAGAIN)
        text = no_answer(address.process);
      else if (errno != ECONNREFUSED && errno != ENOENT)
        text = std::string("a socket cannot be made: ") + std::strerror(errno);
      continue;
    }
    if (send_message(socket.number(), request) == Transfer::kDone)
      asked.push_back({std::move(socket), address});
  }
  return asked;
}

// Removes those that have answered, or have ended. The one that knows the object, if any.
std::optional<Address> take_replies(std::vector<Asked>& asked) {
  std::optional<Address> found;
  std::erase_if(asked, [&](const Asked& one) {
    Reply reply;
    const Transfer received = receive_message(one.socket.number(), reply);
    if (received == Transfer::kBusy) return false;
    if (received == Transfer::kDone && reply.outcome == Reply::Outcome::kYes) found = one.address;
    return true;
  });
  return found;
}

}  // namespace

Search find_owner(const Name& name, Kind kind, Clock::time_point deadline) {
  Search search;
  const auto addresses = list_sockets();
  if (!addresses && errno == ENOMEM) throw std::bad_alloc();
  if (!addresses) {
    search.outcome = Search::Outcome::kUnclear;
    search.text = std::string("/proc/net/unix cannot be read: ") + std::strerror(errno);
    return search;
  }
  Request request;
  request.type = Request::Type::kFind;
  request.name = name;
  request.kind = kind;
  std::vector<Asked> asked = ask_all(*addresses, request, search.text);
  std::vector<pollfd> polled;
  polled.reserve(asked.size());
  while (!asked.empty()) {
    if (const auto found = take_replies(asked)) {
      search.outcome = Search::Outcome::kFound;
      search.address = *found;
      return search;
    }
    if (asked.empty()) break;
    if (Clock::now() >= deadline) {
      search.text = no_answer(asked);
      break;
    }
    polled.clear();
    for (const Asked& one : asked)
      polled.push_back({one.socket.number(), POLLIN, 0});
    poll(polled.data(), polled.size(), milliseconds_until(deadline));
  }
  if (!search.text.empty()) search.outcome = Search::Outcome::kUnclear;
  return search;
}

}  // namespace ferry::sharing
