// SPDX-License-Identifier: Apache-2.0
// The sockets of processes that offer something: their names, which of them exist, and connecting
// to one. A name is ferry1/UID/PID-TOKEN in the abstract namespace, with 16 digits of token.
#pragma once

#include "sharing/channel.h"
#include "sharing/descriptor.h"
#include "sharing/handle.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::sharing {

// The address in a name of a socket of this user; empty when it is anything else.
std::optional<Address> parse_socket_name(std::string_view name);

// A socket that takes connections, without waiting. None: errno says why.
Descriptor listen_at(const Address& address);

// A connection, which was made before the deadline. None: errno says why. It is ECONNREFUSED when
// there is no such socket, or when it belongs to another user.
Descriptor connect_to(const Address& address, Clock::time_point deadline);

// Whether the process at the other end runs under our user; `process` is then its pid.
bool is_of_this_user(int socket, pid_t& process);

// The sockets of this user that exist now, this process's own among them. Empty as an optional when
// /proc/net/unix cannot be read; errno says why.
std::optional<std::vector<Address>> list_sockets();

// ---- sockets with other names of this user, ferry1/UID/NAME ----

// The only one with this name. It never accepts a connection: others can see it, and wait for its
// end. None: errno says why, EADDRINUSE if there is one.
Descriptor listen_at_name(const std::string& name);
// A connection that lasts as long as the socket. None: errno says why, as connect_to().
Descriptor connect_to_name(const std::string& name);
// Whether there is a socket whose name begins so. Empty as list_sockets().
std::optional<bool> has_socket_below(const std::string& folder);

}  // namespace ferry::sharing
