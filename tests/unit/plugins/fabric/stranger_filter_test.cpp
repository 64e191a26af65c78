// SPDX-License-Identifier: Apache-2.0
// Hosts are addresses of loopback: 127.0.0.1, 127.0.0.2, ...; ::1 is the only one of IPv6.
#include "plugins/fabric/stranger_filter.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <vector>

namespace ferry::fabric {
namespace {

constexpr int kLongMs = 20000;

class Socket {
 public:
  explicit Socket(int family, int flags = 0) : file_(socket(family, SOCK_STREAM | flags, 0)) {}
  ~Socket() { close(file_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int file() const { return file_; }

 private:
  int file_;
};

sockaddr_in version_4(const char* host, uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = port;
  inet_pton(AF_INET, host, &address.sin_addr);
  return address;
}

StrangerFilter::Host host_of(const char* text) {
  StrangerFilter::Host host{};
  if (inet_pton(AF_INET6, text, host.data()) == 1) return host;
  inet_pton(AF_INET, text, host.data() + 12);
  host[10] = host[11] = 0xFF;
  return host;
}

// A listening socket, as UCX opens one.
class Listening {
 public:
  Listening() : socket_(AF_INET) {
    const sockaddr_in address = version_4("127.0.0.1", 0);
    EXPECT_EQ(bind(socket_.file(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(socket_.file(), 100), 0);
    sockaddr_in own{};
    socklen_t length = sizeof own;
    getsockname(socket_.file(), reinterpret_cast<sockaddr*>(&own), &length);
    port_ = own.sin_port;
  }
  uint16_t port() const { return port_; }
  // UCX's address has the port somewhere.
  std::vector<uint8_t> address() const {
    std::vector<uint8_t> bytes(40);
    std::memcpy(bytes.data() + 17, &port_, sizeof port_);
    return bytes;
  }

 private:
  Socket socket_;
  uint16_t port_ = 0;
};

// A connection that is being made from `host`.
class Connecting {
 public:
  Connecting(const char* host, uint16_t port) : socket_(AF_INET, SOCK_NONBLOCK) {
    const sockaddr_in own = version_4(host, 0);
    const sockaddr_in other = version_4("127.0.0.1", port);
    EXPECT_EQ(bind(socket_.file(), reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
    // It does not wait: is_made() says how it ends.
    static_cast<void>(
        connect(socket_.file(), reinterpret_cast<const sockaddr*>(&other), sizeof other));
  }
  bool is_made(int milliseconds) const {
    pollfd entry{.fd = socket_.file(), .events = POLLOUT, .revents = 0};
    return poll(&entry, 1, milliseconds) == 1 && (entry.revents & POLLOUT) != 0;
  }

 private:
  Socket socket_;
};

TEST(StrangerFilter, OnlyAdmittedHostsConnect) {
  StrangerFilter filter;
  filter.begin();
  const Listening listening;
  ASSERT_EQ(filter.install(listening.address()), "");
  ASSERT_EQ(filter.sockets(), 1U);
  ASSERT_EQ(filter.admit(host_of("127.0.0.2")), "");
  ASSERT_EQ(filter.admit(host_of("::1")), "");  // beside those of version 4
  ASSERT_EQ(filter.admit(host_of("fe80::17")), "");
  const Connecting stranger("127.0.0.1", listening.port());
  const Connecting admitted("127.0.0.2", listening.port());
  EXPECT_TRUE(admitted.is_made(kLongMs));
  EXPECT_FALSE(stranger.is_made(0)) << "it came first";
  // The kernel of the stranger tries again after a second.
  ASSERT_EQ(filter.admit(host_of("127.0.0.1")), "");
  EXPECT_TRUE(stranger.is_made(kLongMs));
}

TEST(StrangerFilter, SocketsOfTheProgramAreLeftAlone) {
  const Listening before;
  StrangerFilter filter;
  filter.begin();
  const Listening ucx;
  const Listening
      meanwhile;  // another thread of the program opens one; UCX's address does not have its port
  // Even if UCX's address happens to have the port of a socket that was there before.
  std::vector<uint8_t> address = ucx.address();
  const uint16_t port_before = before.port();
  std::memcpy(address.data() + 30, &port_before, sizeof port_before);
  ASSERT_EQ(filter.install(address), "");
  ASSERT_EQ(filter.sockets(), 1U);
  for (const uint16_t port : {before.port(), meanwhile.port()}) {
    const Connecting connecting("127.0.0.1", port);
    EXPECT_TRUE(connecting.is_made(kLongMs));
  }
}

TEST(StrangerFilter, AThousandHostsFit) {
  StrangerFilter filter;
  filter.begin();
  const Listening listening;
  ASSERT_EQ(filter.install(listening.address()), "");
  StrangerFilter::Host host = host_of("10.0.0.0");
  for (uint32_t i = 0; i < 1024; ++i) {
    host[14] = static_cast<uint8_t>(i >> 8);
    host[15] = static_cast<uint8_t>(i);
    ASSERT_EQ(filter.admit(host), "") << i;
  }
  ASSERT_EQ(filter.admit(host_of("127.0.0.9")), "");
  const Connecting admitted("127.0.0.9", listening.port());
  EXPECT_TRUE(admitted.is_made(kLongMs)) << "it is the last of a long program";
  std::string wrong;
  for (uint32_t i = 0; i < 3000 && wrong.empty(); ++i) {
    host[13] = 1;
    host[14] = static_cast<uint8_t>(i >> 8);
    host[15] = static_cast<uint8_t>(i);
    wrong = filter.admit(host);
  }
  EXPECT_EQ(wrong, "too many hosts for the filter of UCX's sockets");
  const Connecting again("127.0.0.9", listening.port());
  EXPECT_TRUE(again.is_made(kLongMs)) << "nothing has changed";
}

}  // namespace
}  // namespace ferry::fabric
