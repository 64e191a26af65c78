// SPDX-License-Identifier: Apache-2.0
// Parsing FERRY_FABRIC. Whether the address is one of this host is found out when it is used.
#include "base/fabric_options.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace ferry {
namespace {

bool is_address(const std::string& text, int family) {
  in6_addr room{};
  return inet_pton(family, text.c_str(), &room) == 1;
}

bool parse_port(std::string_view text, uint16_t& port) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port != 0;
}

// "10.0.0.1", "10.0.0.1:7000", "fd00::1", "[fd00::1]:7000".
bool parse_listen(std::string_view text, FabricOptions& options) {
  const bool is_in_brackets = text.starts_with('[');
  const size_t close = text.find(']');
  if (is_in_brackets) {
    if (close == std::string_view::npos) return false;
    options.address = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
  } else {
    const bool is_version_6 = std::count(text.begin(), text.end(), ':') > 1;
    const size_t colon = is_version_6 ? text.size() : std::min(text.find(':'), text.size());
    options.address = text.substr(0, colon);
    text.remove_prefix(colon);
  }
  if (!is_address(options.address, AF_INET6) &&
      (is_in_brackets || !is_address(options.address, AF_INET))) {
    return false;
  }
  return text.empty() || (text.front() == ':' && parse_port(text.substr(1), options.port));
}

}  // namespace

bool parse_fabric_options(std::string_view text, FabricOptions& options) {
  constexpr std::string_view kListen = "listen=";
  constexpr std::string_view kSecret = "secret=";
  FabricOptions parsed;
  parsed.timeout = options.timeout;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(',', start), text.size());
    const std::string_view part = text.substr(start, end - start);
    start = end + 1;
    if (part.starts_with(kListen)) {
      if (!parse_listen(part.substr(kListen.size()), parsed)) return false;
    } else if (part.starts_with(kSecret)) {
      parsed.secret = part.substr(kSecret.size());
    } else if (part == "always") {
      parsed.is_for_this_host = true;
    } else {
      return false;
    }
  }
  if (!parsed.is_on()) return false;
  options = parsed;
  return true;
}

}  // namespace ferry
