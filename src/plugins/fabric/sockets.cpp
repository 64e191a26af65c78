// SPDX-License-Identifier: Apache-2.0
// Nothing here waits, except where a deadline is given.
#include "plugins/fabric/sockets.h"

#include "plugins/fabric/engine.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ferry::fabric {
namespace {

constexpr uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool is_version_4(const ferryx_fabric_place& place) {
  return std::equal(std::begin(kMapped), std::end(kMapped), place.address);
}

union AnyAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

socklen_t to_system(const ferryx_fabric_place& place, AnyAddress& address) {
  std::memset(&address, 0, sizeof address);
  if (is_version_4(place)) {
    address.v4.sin_family = AF_INET;
    address.v4.sin_port = htons(place.port);
    std::memcpy(&address.v4.sin_addr, place.address + sizeof kMapped, 4);
    return sizeof address.v4;
  }
  address.v6.sin6_family = AF_INET6;
  address.v6.sin6_port = htons(place.port);
  std::memcpy(&address.v6.sin6_addr, place.address, 16);
  return sizeof address.v6;
}

ferryx_fabric_place from_system(const AnyAddress& address) {
  ferryx_fabric_place place{};
  if (address.any.sa_family == AF_INET) {
    std::copy(std::begin(kMapped), std::end(kMapped), place.address);
    std::memcpy(place.address + sizeof kMapped, &address.v4.sin_addr, 4);
    place.port = ntohs(address.v4.sin_port);
  } else {
    std::memcpy(place.address, &address.v6.sin6_addr, 16);
    place.port = ntohs(address.v6.sin6_port);
  }
  return place;
}

// Small frames travel at once.
void tune(const Socket& socket) {
  const int on = 1;
  setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool wait_for(const Socket& socket, short events, int64_t deadline) {
  for (;;) {
    const int64_t left = deadline - now();
    if (left <= 0) return false;
    pollfd file{socket.number(), events, 0};
    const int ready = poll(&file, 1, static_cast<int>(left / 1'000'000 + 1));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace

void Socket::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

bool parse_address(const std::string& text, uint16_t port, ferryx_fabric_place& place) {
  AnyAddress address{};
  if (inet_pton(AF_INET, text.c_str(), &address.v4.sin_addr) == 1) {
    address.any.sa_family = AF_INET;
  } else if (inet_pton(AF_INET6, text.c_str(), &address.v6.sin6_addr) == 1) {
    address.any.sa_family = AF_INET6;
  } else {
    return false;
  }
  place = from_system(address);
  place.port = port;
  return true;
}

std::string in_words(const ferryx_fabric_place& place) {
  char text[INET6_ADDRSTRLEN] = "";
  if (is_version_4(place)) {
    inet_ntop(AF_INET, place.address + sizeof kMapped, text, sizeof text);
    return std::string(text) + ":" + std::to_string(place.port);
  }
  inet_ntop(AF_INET6, place.address, text, sizeof text);
  return "[" + std::string(text) + "]:" + std::to_string(place.port);
}

bool is_loopback(const ferryx_fabric_place& place) {
  if (is_version_4(place)) return place.address[12] == 127;
  return std::all_of(place.address, place.address + 15, [](uint8_t b) { return b == 0; }) &&
         place.address[15] == 1;
}

bool is_any(const ferryx_fabric_place& place) {
  const size_t first = is_version_4(place) ? sizeof kMapped : 0;
  return std::all_of(place.address + first, place.address + 16, [](uint8_t b) { return b == 0; });
}

std::string device_of(const ferryx_fabric_place& place) {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  std::string name;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr) continue;
    const int family = entry->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    AnyAddress address{};
    std::memcpy(&address, entry->ifa_addr,
                family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    const ferryx_fabric_place own = from_system(address);
    if (std::memcmp(own.address, place.address, sizeof own.address) == 0) name = entry->ifa_name;
  }
  freeifaddrs(list);
  return name;
}

Socket listen_at(ferryx_fabric_place& place) {
  AnyAddress address{};
  const socklen_t size = to_system(place, address);
  Socket socket(::socket(address.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return {};
  const int on = 1;
  setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(socket.number(), &address.any, size) != 0) return {};
  if (listen(socket.number(), 128) != 0) return {};
  socklen_t own = sizeof address;
  if (getsockname(socket.number(), &address.any, &own) != 0) return {};
  place.port = from_system(address).port;
  return socket;
}

Socket accept_from(const Socket& listener, ferryx_fabric_place& visitor) {
  AnyAddress address{};
  socklen_t size = sizeof address;
  Socket socket(accept4(listener.number(), &address.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket) return {};
  visitor = from_system(address);
  tune(socket);
  return socket;
}

Socket connect_to(const ferryx_fabric_place& place, int64_t deadline) {
  AnyAddress address{};
  const socklen_t size = to_system(place, address);
  Socket socket(::socket(address.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return {};
  if (connect(socket.number(), &address.any, size) != 0) {
    if (errno != EINPROGRESS) return {};
    if (!wait_for(socket, POLLOUT, deadline)) {
      errno = ETIMEDOUT;
      return {};
    }
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) {
      errno = error;
      return {};
    }
  }
  tune(socket);
  return socket;
}

// ---- frames ----

FrameReader::State FrameReader::read(const Socket& socket, size_t most_payload) {
  if (std::exchange(is_whole_, false)) {
    filled_ = 0;
    has_header_ = false;
  }
  for (;;) {
    const size_t wanted = kFrameHeaderSize + (has_header_ ? header_.size : 0);
    if (filled_ == wanted && has_header_) {
      is_whole_ = true;
      return State::kFrame;
    }
    if (filled_ == wanted) {
      fault_ =
          parse_header(std::span<const uint8_t, kFrameHeaderSize>(bytes_.data(), kFrameHeaderSize),
                       most_payload, header_);
      if (fault_ != HeaderFault::kGood) return State::kBad;
      has_header_ = true;
      continue;
    }
    bytes_.resize(wanted);
    const ssize_t count =
        recv(socket.number(), bytes_.data() + filled_, wanted - filled_, MSG_DONTWAIT);
    if (count > 0) {
      filled_ += static_cast<size_t>(count);
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return State::kNothing;
    return State::kEnded;
  }
}

bool write_all(const Socket& socket, const Bytes& bytes, int64_t deadline) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = send(socket.number(), bytes.data() + done, bytes.size() - done,
                               MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      done += static_cast<size_t>(count);
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    const bool is_full = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    if (!is_full || !wait_for(socket, POLLOUT, deadline)) return false;
  }
  return true;
}

FrameReader::State read_frame(const Socket& socket, FrameReader& reader, size_t most_payload,
                              int64_t deadline) {
  for (;;) {
    const FrameReader::State state = reader.read(socket, most_payload);
    if (state != FrameReader::State::kNothing) return state;
    if (!wait_for(socket, POLLIN, deadline)) return FrameReader::State::kNothing;
  }
}

}  // namespace ferry::fabric
