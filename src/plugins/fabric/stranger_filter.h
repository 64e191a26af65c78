// SPDX-License-Identifier: Apache-2.0
// Keeps strangers away from the TCP sockets at which UCX listens. UCX serves whoever connects
// there, and its TCP transport writes bytes to any address that a packet names, whatever features
// the context has. A socket filter of the kernel drops packets of hosts that have not proven the
// secret, before UCX sees them. It needs no privilege.
//
// What remains: processes of admitted hosts, and whoever can send packets with their addresses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ferry::fabric {

// May be shared between threads.
class StrangerFilter {
 public:
  // An IPv6 address, or an IPv4 address mapped into one.
  using Host = std::array<uint8_t, 16>;

  // Remembers the listening sockets of this process, which are not UCX's. Before UCX opens its
  // own.
  void begin();
  // Closes those that came since, and whose port occurs in the address of UCX, for all hosts. ""
  // or what is wrong.
  std::string install(std::span<const uint8_t> ucx_address);

  // Packets of this host pass from now on. "" or what is wrong; then nothing has changed.
  std::string admit(const Host& host);

  size_t sockets() const { return sockets_.size(); }

 private:
  std::string apply(const std::set<Host>& hosts) const;

  std::set<uint64_t> others_;  // inodes
  std::vector<int> sockets_;   // UCX's; it owns them and keeps them as long as its worker
  std::mutex mutex_;           // guards hosts_ and which filter is attached
  std::set<Host> hosts_;
};

}  // namespace ferry::fabric
