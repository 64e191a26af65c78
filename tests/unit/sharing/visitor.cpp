// SPDX-License-Identifier: Apache-2.0
// The other process of a test: reads commands line by line, and answers each with a line. It gets
// nothing from its parent but these lines.
#include "sharing/common_ledger.h"
#include "sharing/endpoint.h"
#include "sharing/visit.h"
#include "test_offer.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ferry::sharing {
namespace {

std::shared_ptr<TestOffer> offer;
Handle offered;
std::vector<Hold> holds;
int posing = -1;
std::shared_ptr<Ledger> ledger;

std::string describe(Visit result) {
  switch (result.outcome) {
    case Visit::Outcome::kOpened: {
      holds.push_back(std::move(result.hold));
      const std::string text = result.file ? text_in(result.file.number()) : "no file";
      if (result.file && pwrite(result.file.number(), "seen", 4, 0) != 4) return "not writable";
      return "opened " + std::to_string(static_cast<int>(result.facts[0])) + " " + text;
    }
    case Visit::Outcome::kUnknown:
      return "unknown";
    case Visit::Outcome::kRefused:
      return "refused " + std::to_string(result.code) + " " + result.text;
    case Visit::Outcome::kForeign:
    case Visit::Outcome::kUnreachable:
      return "unreachable " + result.text;
  }
  return "";
}

Kind read_kind(std::istream& in) {
  uint32_t kind = 0;
  in >> kind;
  return static_cast<Kind>(kind);
}

std::string visit_key(std::istream& in) {
  std::string key;
  in >> key;
  const auto handle = read_key(key.c_str());
  return handle ? describe(visit(*handle, read_kind(in), 5)) : "not a key";
}

std::string visit_short(std::istream& in) {
  Handle handle;
  in >> std::hex >> handle.name.low >> std::dec;
  return describe(visit(handle, read_kind(in), 5));
}

std::string make_offer(std::istream& in, bool is_short) {
  offer = std::make_shared<TestOffer>(read_kind(in));
  offer->answer.facts[0] = std::byte{42};
  offer->pass_text("of the helper");
  offered = publish(offer, is_short);
  std::ostringstream out;
  if (is_short)
    out << std::hex << offered.name.low;
  else
    out << key_of(offered);
  return out.str();
}

std::string wait_for(std::istream& in, void (TestOffer::*wait)(int)) {
  int count = 0;
  in >> count;
  ((*offer).*wait)(count);
  return "reached";
}

// Leaves a child behind that does nothing until the test ends.
std::string fork_child() {
  const pid_t child = fork();
  if (child == 0) {
    pollfd input{STDIN_FILENO, 0, 0};  // reports only that nobody can write to it any more
    poll(&input, 1, -1);
    _exit(0);
  }
  return std::to_string(child);
}

std::string become(std::istream& in) {
  uid_t user = 0;
  in >> user;
  return setresuid(user, user, user) == 0 ? "done" : "failed";
}

// No more files can be opened than now; or as many as before.
std::string limit_files(bool is_limited) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = is_limited ? static_cast<rlim_t>(dup(0)) : limit.rlim_max;
  if (is_limited) close(static_cast<int>(limit.rlim_cur));
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? "done" : "failed";
}

sockaddr_un socket_name(std::istream& in, socklen_t& size) {
  std::string name;
  in >> name;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

// Asks a socket for an object without looking at its owner.
std::string knock(std::istream& in) {
  socklen_t size = 0;
  const sockaddr_un address = socket_name(in, size);
  const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (connect(socket, reinterpret_cast<const sockaddr*>(&address), size) != 0) return "refused";
  Request request;
  request.type = Request::Type::kOpen;
  in >> std::hex >> request.name.high >> request.name.low >> std::dec;
  request.kind = Kind::kMemory;
  send_message(socket, request);
  Reply reply;
  wait_for_socket(socket, POLLIN, Clock::time_point::max());
  const Transfer result = receive_message(socket, reply);
  close(socket);
  return result == Transfer::kDone ? "answered" : "ended";
}

// Takes connections under the name of another process.
std::string pose(std::istream& in) {
  socklen_t size = 0;
  const sockaddr_un address = socket_name(in, size);
  posing = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (bind(posing, reinterpret_cast<const sockaddr*>(&address), size) != 0) return "failed";
  return listen(posing, 8) == 0 ? "done" : "failed";
}

std::string taken_while_posing(std::istream&) {
  const int connection = accept4(posing, nullptr, nullptr, SOCK_CLOEXEC);
  char byte = 0;
  const ssize_t size = recv(connection, &byte, 1, 0);
  close(connection);
  return std::to_string(size);
}

std::string drop(std::istream&) {
  holds.pop_back();
  return "done";
}

std::string withdraw(std::istream&) {
  Exchange::instance().withdraw(offered.name);
  return "done";
}

std::string join_ledger(std::istream& in) {
  uint64_t capacity = 0;
  in >> capacity;
  auto found = common_ledger(capacity);
  if (!found.ok()) return std::to_string(found.status().code());
  ledger = *found;
  return "joined";
}

std::string take_bytes(std::istream& in) {
  uint32_t device = 0;
  uint64_t size = 0;
  in >> device >> size;
  return ledger->take(device, size) ? "taken" : "full";
}

std::string used_bytes(std::istream& in) {
  uint32_t device = 0;
  in >> device;
  return std::to_string(ledger->used(device));
}

const std::map<std::string, std::function<std::string(std::istream&)>> kCommands{
    {"visit", visit_key},
    {"visit_short", visit_short},
    {"offer", [](std::istream& in) { return make_offer(in, false); }},
    {"offer_short", [](std::istream& in) { return make_offer(in, true); }},
    {"withdraw", withdraw},
    {"signal", [](std::istream&) { return holds.back().signal() ? "sent" : "ended"; }},
    {"drop", drop},
    {"text", [](std::istream&) { return text_in(offer->file()); }},
    {"wait_closed", [](std::istream& in) { return wait_for(in, &TestOffer::wait_closed); }},
    {"wait_signalled", [](std::istream& in) { return wait_for(in, &TestOffer::wait_signalled); }},
    {"opened_count", [](std::istream&) { return std::to_string(offer->opened_count()); }},
    {"fork", [](std::istream&) { return fork_child(); }},
    {"become", become},
    {"limit_files", [](std::istream&) { return limit_files(true); }},
    {"unlimit_files", [](std::istream&) { return limit_files(false); }},
    {"knock", knock},
    {"pose", pose},
    {"taken", taken_while_posing},
    {"ledger", join_ledger},
    {"take", take_bytes},
    {"used", used_bytes},
};

}  // namespace
}  // namespace ferry::sharing

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    std::string command;
    in >> command;
    std::cout << ferry::sharing::kCommands.at(command)(in) << std::endl;
  }
  _exit(0);  // its offers live to the end
}
