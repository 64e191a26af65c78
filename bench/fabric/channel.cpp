// SPDX-License-Identifier: Apache-2.0
// Sockets. A message that is longer than any of ours is refused, so that a stranger cannot take
// memory.
#include "bench/fabric/channel.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

namespace ferry::bench::fabric {
namespace {

constexpr uint32_t kLongestMessage = 1U << 20;
constexpr timeval kPatience{.tv_sec = 60, .tv_usec = 0};

[[noreturn]] void fail_with_errno(const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

AddressList look_up(const Address& address, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found);
  if (code != 0) {
    throw std::runtime_error(
        fmt::format("{}, port {}: {}", address.host, address.port, gai_strerror(code)));
  }
  return {found, freeaddrinfo};
}

int open_socket(const addrinfo& entry) {
  return socket(entry.ai_family, entry.ai_socktype | SOCK_CLOEXEC, entry.ai_protocol);
}

// The number of bytes that arrived: fewer than asked for when the other side has closed the
// channel.
size_t receive_all(int socket, char* bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    const ssize_t now = recv(socket, bytes + done, count - done, 0);
    if (now == 0) break;
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) fail_with_errno("the other side of the benchmark does not answer");
    done += static_cast<size_t>(now);
  }
  return done;
}

}  // namespace

Address parse_address(const std::string& text) {
  const size_t close = text.find(']');
  const bool is_bracketed = text.starts_with('[') && close != std::string::npos;
  const std::string rest = is_bracketed ? text.substr(close + 1) : text;
  const size_t colon = rest.rfind(':');
  Address address{is_bracketed ? text.substr(1, close - 1) : rest.substr(0, colon), kDefaultPort};
  if (colon != std::string::npos) address.port = rest.substr(colon + 1);
  const bool has_numeric_port =
      !address.port.empty() && address.port.find_first_not_of("0123456789") == std::string::npos;
  const bool is_plain = is_bracketed ? rest.empty() || colon == 0 : rest.find(':') == colon;
  if (address.host.empty() || !has_numeric_port || !is_plain) {
    throw std::runtime_error(
        fmt::format("\"{}\" is not an address: use HOST, HOST:PORT or [ADDRESS]:PORT", text));
  }
  return address;
}

Channel::Channel(int socket) : socket_(socket) {
  const int on = 1;
  // Fails on sockets of one host, which need neither.
  static_cast<void>(setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  static_cast<void>(setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience));
}

Channel::~Channel() {
  if (socket_ >= 0) close(socket_);
}

Channel::Channel(Channel&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

void Channel::send(const std::string& message) {
  const auto length = static_cast<uint32_t>(message.size());
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += message;
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t now = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) fail_with_errno("the other side of the benchmark cannot be told");
    done += static_cast<size_t>(now);
  }
}

bool Channel::receive(std::string& message) {
  uint32_t length = 0;
  const size_t got = receive_all(socket_, reinterpret_cast<char*>(&length), sizeof length);
  if (got == 0) return false;
  if (got < sizeof length || length > kLongestMessage) {
    throw std::runtime_error("the other side does not speak the benchmark's protocol");
  }
  message.resize(length);
  if (receive_all(socket_, message.data(), length) < length) {
    throw std::runtime_error("the other side of the benchmark has ended");
  }
  return true;
}

Channel connect_to(const Address& address) {
  const AddressList found = look_up(address, 0);
  for (const addrinfo* entry = found.get(); entry != nullptr; entry = entry->ai_next) {
    const int file = open_socket(*entry);
    if (file < 0) continue;
    if (connect(file, entry->ai_addr, entry->ai_addrlen) == 0) {
      // The longest step of the peer fills 64 MiB and compares them.
      static_cast<void>(setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience));
      return Channel(file);
    }
    close(file);
  }
  fail_with_errno(
      fmt::format("{}, port {}: cannot connect (is ferry bench --listen running there?)",
                  address.host, address.port));
}

Listener::Listener(const Address& address) {
  const AddressList found = look_up(address, AI_PASSIVE);
  const std::string name = fmt::format("{}, port {}", address.host, address.port);
  socket_ = open_socket(*found);
  const int on = 1;
  if (socket_ < 0) fail_with_errno(name);
  static_cast<void>(setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
  if (bind(socket_, found->ai_addr, found->ai_addrlen) != 0 || listen(socket_, 1) != 0) {
    const int reason = errno;
    close(socket_);
    errno = reason;
    fail_with_errno(name);
  }
}

Listener::~Listener() {
  close(socket_);
}

Channel Listener::accept() const {
  for (;;) {
    const int file = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (file >= 0) return Channel(file);
    if (errno != EINTR && errno != ECONNABORTED) fail_with_errno("accept");
  }
}

}  // namespace ferry::bench::fabric
