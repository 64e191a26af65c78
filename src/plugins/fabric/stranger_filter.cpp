// SPDX-License-Identifier: Apache-2.0
// Finding the sockets, and the filter's program.
#include "plugins/fabric/stranger_filter.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace ferry::fabric {
namespace {

struct Listener {
  int file;
  uint64_t inode;
  uint16_t port;  // in the order of the network
};

// False when `file` is no TCP socket that listens.
bool look_at(int file, Listener& listener) {
  int is_listening = 0;
  socklen_t length = sizeof is_listening;
  if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &length) != 0) return false;
  if (is_listening == 0) return false;
  sockaddr_storage address{};
  length = sizeof address;
  struct stat status {};
  if (getsockname(file, reinterpret_cast<sockaddr*>(&address), &length) != 0) return false;
  if (fstat(file, &status) != 0) return false;
  if (address.ss_family == AF_INET) {
    listener.port = reinterpret_cast<const sockaddr_in*>(&address)->sin_port;
  } else if (address.ss_family == AF_INET6) {
    listener.port = reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port;
  } else {
    return false;
  }
  listener.file = file;
  listener.inode = status.st_ino;
  return true;
}

std::vector<Listener> listeners_of_this_process() {
  std::vector<Listener> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"), closedir);
  if (!folder) return found;
  while (const dirent* entry = readdir(folder.get())) {
    char* end = nullptr;
    const long file = std::strtol(entry->d_name, &end, 10);
    Listener listener{};
    if (end != entry->d_name && *end == '\0' && look_at(static_cast<int>(file), listener)) {
      found.push_back(listener);
    }
  }
  return found;
}

constexpr sock_filter statement(int code, uint32_t value) {
  return {static_cast<uint16_t>(code), 0, 0, value};
}
// Skips `otherwise` instructions unless the loaded word has this value.
constexpr sock_filter unless_equal(uint32_t value, uint8_t otherwise) {
  return {BPF_JMP | BPF_JEQ | BPF_K, 0, otherwise, value};
}
constexpr uint32_t network_header(uint32_t offset) {
  return static_cast<uint32_t>(SKF_NET_OFF) + offset;
}
constexpr sock_filter kPass = statement(BPF_RET | BPF_K, UINT32_MAX);
constexpr sock_filter kDrop = statement(BPF_RET | BPF_K, 0);

uint32_t word_of(const StrangerFilter::Host& host, size_t index) {
  uint32_t word = 0;
  std::memcpy(&word, host.data() + index * sizeof word, sizeof word);
  return ntohl(word);
}

bool is_version_4(const StrangerFilter::Host& host) {
  return word_of(host, 0) == 0 && word_of(host, 1) == 0 && word_of(host, 2) == 0xFFFF;
}

// Both families in one program: the version of a packet decides.
std::vector<sock_filter> program_of(const std::set<StrangerFilter::Host>& hosts) {
  constexpr uint32_t kSource4 = 12;
  constexpr uint32_t kSource6 = 8;
  std::vector<sock_filter> version_4{statement(BPF_LD | BPF_W | BPF_ABS, network_header(kSource4))};
  std::vector<sock_filter> version_6;
  for (const StrangerFilter::Host& host : hosts) {
    if (is_version_4(host)) {
      version_4.push_back(unless_equal(word_of(host, 3), 1));
      version_4.push_back(kPass);
      continue;
    }
    for (uint32_t i = 0; i < 4; ++i) {
      version_6.push_back(statement(BPF_LD | BPF_W | BPF_ABS, network_header(kSource6 + 4 * i)));
      version_6.push_back(unless_equal(word_of(host, i), static_cast<uint8_t>(7 - 2 * i)));
    }
    version_6.push_back(kPass);
  }
  version_4.push_back(kDrop);
  version_6.push_back(kDrop);
  std::vector<sock_filter> program{
      statement(BPF_LD | BPF_B | BPF_ABS, network_header(0)),
      statement(BPF_ALU | BPF_RSH | BPF_K, 4), unless_equal(4, 1),
      // Conditional jumps reach 255 instructions; this one any number.
      statement(BPF_JMP | BPF_JA, static_cast<uint32_t>(version_6.size()))};
  program.insert(program.end(), version_6.begin(), version_6.end());
  program.insert(program.end(), version_4.begin(), version_4.end());
  return program;
}

}  // namespace

void StrangerFilter::begin() {
  for (const Listener& listener : listeners_of_this_process())
    others_.insert(listener.inode);
}

std::string StrangerFilter::install(std::span<const uint8_t> ucx_address) {
  const std::string_view address(reinterpret_cast<const char*>(ucx_address.data()),
                                 ucx_address.size());
  for (const Listener& listener : listeners_of_this_process()) {
    const std::string_view port(reinterpret_cast<const char*>(&listener.port),
                                sizeof listener.port);
    if (others_.contains(listener.inode) || address.find(port) == std::string_view::npos) continue;
    sockets_.push_back(listener.file);
  }
  const std::lock_guard lock(mutex_);
  return apply(hosts_);
}

std::string StrangerFilter::admit(const Host& host) {
  const std::lock_guard lock(mutex_);
  std::set<Host> hosts = hosts_;
  if (!hosts.insert(host).second) return {};
  std::string wrong = apply(hosts);
  if (wrong.empty()) hosts_ = std::move(hosts);
  return wrong;
}

std::string StrangerFilter::apply(const std::set<Host>& hosts) const {
  std::vector<sock_filter> program = program_of(hosts);
  if (program.size() > BPF_MAXINSNS) return "too many hosts for the filter of UCX's sockets";
  const sock_fprog filter{static_cast<uint16_t>(program.size()), program.data()};
  for (const int file : sockets_) {
    if (setsockopt(file, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0) {
      return std::string("the filter of UCX's sockets: ") + std::strerror(errno);
    }
  }
  return {};
}

}  // namespace ferry::fabric
