// SPDX-License-Identifier: Apache-2.0
// FERRY_FABRIC: where this process listens for other hosts, and the secret that they share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ferry {

struct FabricOptions {
  std::string address = "127.0.0.1";  // numeric
  uint16_t port = 0;                  // 0: any
  std::string secret;                 // a file; "": FERRY_FABRIC is not set
  bool is_for_this_host = false;      // processes of this host are reached over it, too
  uint64_t timeout = 5'000'000'000;   // nanoseconds; FERRY_FABRIC_TIMEOUT

  bool is_on() const { return !secret.empty(); }
};

inline constexpr const char* kAllowedFabricOptions =
    "[listen=ADDRESS[:PORT],]secret=FILE[,always], with a numeric address ([ADDRESS]:PORT for "
    "IPv6)";

// False when the text is none of these. Keeps the timeout.
bool parse_fabric_options(std::string_view text, FabricOptions& options);

}  // namespace ferry
