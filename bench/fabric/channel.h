// SPDX-License-Identifier: Apache-2.0
// Messages between the benchmark and its peer, over a socket: a number in front says how long each
// is.
#pragma once

#include <string>

namespace ferry::bench::fabric {

/// Where a peer of the benchmark listens unless told otherwise.
constexpr const char* kDefaultPort = "18520";

/// "host", "host:port" or "[address]:port".
struct Address {
  std::string host;
  std::string port;
};
/// Throws when `text` has another form.
Address parse_address(const std::string& text);

/// Owns a connected socket. Calls throw when the other side is gone, or silent for a minute.
class Channel {
 public:
  explicit Channel(int socket);
  ~Channel();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&&) = delete;

  void send(const std::string& message);
  /// False when the other side has closed the channel.
  bool receive(std::string& message);

 private:
  int socket_;
};

Channel connect_to(const Address& address);

/// Waits for connections at one address.
class Listener {
 public:
  explicit Listener(const Address& address);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Channel accept() const;

 private:
  int socket_ = -1;
};

}  // namespace ferry::bench::fabric
