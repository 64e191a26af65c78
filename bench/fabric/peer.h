// SPDX-License-Identifier: Apache-2.0
// The side that answers: a child of `ferry bench fabric --local`, or `ferry bench fabric --listen`
// on another host.
#pragma once

#include "bench/fabric/channel.h"

#include <string>

namespace ferry::bench::fabric {

/// Answers requests until the other side closes the channel. UCX uses `network_device` only, if it
/// is not "".
void serve_peer(Channel& channel, const std::string& network_device);

/// Serves one benchmark after another, until it is interrupted. Does not return unless it fails.
[[noreturn]] void listen_for_benchmarks(const std::string& address);

}  // namespace ferry::bench::fabric
