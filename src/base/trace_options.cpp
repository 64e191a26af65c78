// SPDX-License-Identifier: Apache-2.0
// Parses the options of a trace.
#include "base/trace_options.h"

#include <charconv>

namespace ferry {
namespace {

bool parse_option(std::string_view option, TraceOptions& options) {
  constexpr std::string_view kRing = "ring=";
  if (option == "items") return options.items = true;
  if (option == "contents") return options.contents = true;
  if (option == "stacks") return options.stacks = true;
  if (!option.starts_with(kRing)) return false;
  option.remove_prefix(kRing.size());
  const auto [end, error] =
      std::from_chars(option.data(), option.data() + option.size(), options.ring);
  return error == std::errc() && end == option.data() + option.size() && options.ring >= 1 &&
         options.ring <= kLargestTraceRing;
}

}  // namespace

bool parse_trace_options(std::string_view text, TraceOptions& options) {
  options = {};
  while (!text.empty()) {
    const size_t comma = text.find(',');
    if (!parse_option(text.substr(0, comma), options)) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
    if (text.empty()) return false;  // a comma at the end
  }
  return true;
}

}  // namespace ferry
