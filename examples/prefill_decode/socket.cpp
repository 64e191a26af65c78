// SPDX-License-Identifier: Apache-2.0
// TCP.
#include "socket.h"

#include "check.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace prefill_decode {
namespace {

// Long enough for every step of the other program.
constexpr timeval kPatience{.tv_sec = 60, .tv_usec = 0};

[[noreturn]] void fail(const std::string& what, const char* reason) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), reason);
  std::exit(1);
}

addrinfo* look_up(const std::string& address, int flags) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) fail(address, "is not ADDRESS:PORT");
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const std::string host = address.substr(0, colon);
  const int code = getaddrinfo(host.c_str(), address.substr(colon + 1).c_str(), &hints, &found);
  if (code != 0) fail(address, gai_strerror(code));
  return found;
}

void set_options(int file) {
  const int on = 1;
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
}

}  // namespace

Socket Socket::listen(const std::string& address) {
  addrinfo* const entry = look_up(address, AI_PASSIVE);
  const int file = socket(entry->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (file < 0) fail(address, std::strerror(errno));
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(file, entry->ai_addr, entry->ai_addrlen) != 0 || ::listen(file, 1) != 0) {
    fail(address, std::strerror(errno));
  }
  freeaddrinfo(entry);
  sockaddr_in own{};
  socklen_t length = sizeof own;
  getsockname(file, reinterpret_cast<sockaddr*>(&own), &length);
  std::printf("listening at %s:%d\n", address.substr(0, address.rfind(':')).c_str(),
              ntohs(own.sin_port));
  std::fflush(stdout);
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  const int connection = accept4(file, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0) fail(address, std::strerror(errno));
  close(file);
  set_options(connection);
  return Socket(connection);
}

Socket Socket::connect(const std::string& address) {
  addrinfo* const entry = look_up(address, 0);
  const int file = socket(entry->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0 || ::connect(file, entry->ai_addr, entry->ai_addrlen) != 0) {
    fail(address, std::strerror(errno));
  }
  freeaddrinfo(entry);
  set_options(file);
  return Socket(file);
}

Socket::~Socket() {
  close(file_);
}

void Socket::send(const void* bytes, size_t count) const {
  const char* at = static_cast<const char*>(bytes);
  while (count != 0) {
    const ssize_t now = ::send(file_, at, count, MSG_NOSIGNAL);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) fail("the other program has ended", std::strerror(errno));
    at += now;
    count -= static_cast<size_t>(now);
  }
}

void Socket::receive(void* bytes, size_t count) const {
  char* at = static_cast<char*>(bytes);
  while (count != 0) {
    const ssize_t now = recv(file_, at, count, 0);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) fail("the other program does not answer", std::strerror(errno));
    if (now == 0) fail("the other program", "has ended");
    at += now;
    count -= static_cast<size_t>(now);
  }
}

}  // namespace prefill_decode
