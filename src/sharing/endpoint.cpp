// SPDX-License-Identifier: Apache-2.0
// Names of sockets, and the list of all in /proc/net/unix.
#include "sharing/endpoint.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>

namespace ferry::sharing {
namespace {

constexpr int kSocketType = SOCK_SEQPACKET | SOCK_CLOEXEC;

struct SocketName {
  sockaddr_un value{};
  socklen_t size = 0;

  explicit SocketName(const Address& address) {
    char text[64];
    std::snprintf(text, sizeof text, "%" PRIu32 "-%016" PRIx64, address.process, address.token);
    set(text);
  }
  explicit SocketName(const std::string& name) { set(name.c_str()); }
  // The first byte is 0: the abstract namespace, which has no files.
  void set(const char* name) {
    value.sun_family = AF_UNIX;
    const int length = std::snprintf(value.sun_path + 1, sizeof value.sun_path - 1, "ferry1/%u/%s",
                                     geteuid(), name);
    size =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length));
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&value); }
  std::string_view text() const {
    return {value.sun_path + 1, size - offsetof(sockaddr_un, sun_path) - 1};
  }
};

// Calls `look` with the name of each socket in the abstract namespace that one reading of the list
// shows. False when it cannot be read; errno says why.
template <class Look>
bool read_names(Look look) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/net/unix", "re"),
                                                             std::fclose);
  if (file == nullptr) return false;
  struct Line {
    ~Line() { std::free(text); }  // NOLINT(cppcoreguidelines-no-malloc): getline allocates
    char* text = nullptr;
    size_t capacity = 0;
  } line;
  for (ssize_t size = 0; (size = getline(&line.text, &line.capacity, file.get())) > 0;) {
    std::string_view text(line.text, static_cast<size_t>(size));
    if (text.back() == '\n') text.remove_suffix(1);
    // The name is the last column; a leading 0 byte is shown as @.
    const size_t column = text.rfind(" @");
    if (column == std::string_view::npos) continue;
    look(text.substr(column + 2));
  }
  return std::feof(file.get()) != 0;  // otherwise there is no memory for a line
}

}  // namespace

std::optional<Address> parse_socket_name(std::string_view name) {
  unsigned user = 0;
  Address address;
  char text[sizeof(sockaddr_un::sun_path)] = {};
  if (name.size() >= sizeof text) return {};
  std::copy(name.begin(), name.end(), text);
  // NOLINTNEXTLINE(cert-err34-c): a number that does not fit gives another name below
  if (std::sscanf(text, "ferry1/%u/%" SCNu32 "-%" SCNx64, &user, &address.process,
                  &address.token) != 3)
    return {};
  if (address.process == 0 || user != geteuid()) return {};
  // Only the one spelling that we write.
  if (SocketName(address).text() != name) return {};
  return address;
}

namespace {

Descriptor listen_at(const SocketName& name) {
  Descriptor made =
      Descriptor::made_by([] { return socket(AF_UNIX, kSocketType | SOCK_NONBLOCK, 0); });
  if (!made) return made;
  if (bind(made.number(), name.get(), name.size) != 0 || listen(made.number(), SOMAXCONN) != 0)
    made.reset();
  return made;
}

Descriptor connect_to(const SocketName& name, Clock::time_point deadline) {
  Descriptor made = Descriptor::made_by([] { return socket(AF_UNIX, kSocketType, 0); });
  if (!made) return made;
  int failed = -1;
  do {
    // connect() waits if the other side has many connections to accept, at most for this time.
    const int left = std::max(milliseconds_until(deadline), 1);
    const timeval limit{left / 1000, left % 1000 * 1000L};
    setsockopt(made.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    failed = connect(made.number(), name.get(), name.size);
  } while (failed != 0 && errno == EINTR && Clock::now() < deadline);
  if (failed != 0) {
    made.reset();
    return made;
  }
  pid_t process = 0;
  if (!is_of_this_user(made.number(), process)) {
    made.reset();
    errno = ECONNREFUSED;
  }
  return made;
}

}  // namespace

Descriptor listen_at(const Address& address) {
  return listen_at(SocketName(address));
}

Descriptor listen_at_name(const std::string& name) {
  return listen_at(SocketName(name));
}

Descriptor connect_to(const Address& address, Clock::time_point deadline) {
  return connect_to(SocketName(address), deadline);
}

Descriptor connect_to_name(const std::string& name) {
  return connect_to(SocketName(name), Clock::now());
}

bool is_of_this_user(int socket, pid_t& process) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  process = peer.pid;
  return peer.uid == geteuid();
}

std::optional<std::vector<Address>> list_sockets() {
  std::vector<Address> found;
  // A reading takes several system calls, and can miss a socket whose neighbour in the kernel's
  // table goes away in between. Twice in a row is out of the ordinary.
  for (int reading = 0; reading < 2; ++reading) {
    const bool is_read = read_names([&](std::string_view name) {
      if (const auto address = parse_socket_name(name)) found.push_back(*address);
    });
    if (!is_read) return {};
  }
  const auto key = [](const Address& address) {
    return std::tuple(address.process, address.token);
  };
  std::ranges::sort(found, {}, key);
  // Accepted connections are listed under the name of their socket, too.
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<bool> has_socket_below(const std::string& folder) {
  const SocketName start(folder);
  bool is_found = false;
  for (int reading = 0; reading < 2 && !is_found; ++reading) {
    const bool is_read = read_names(
        [&](std::string_view name) { is_found = is_found || name.starts_with(start.text()); });
    if (!is_read) return {};
  }
  return is_found;
}

}  // namespace ferry::sharing
