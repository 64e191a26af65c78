// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#include "report/sections.h"

#include <fmt/format.h>

#include <cmath>

namespace ferry::tools::report {
namespace {

// Three digits.
std::string digits_of(double value) {
  if (value >= 99.95) return fmt::format("{:.0f}", value);
  return value >= 9.995 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

}  // namespace

std::string time_text(int64_t nanoseconds) {
  if (nanoseconds < 0) return fmt::format("-{}", time_text(-(nanoseconds + 1)));
  const auto value = static_cast<double>(nanoseconds);
  if (nanoseconds < 1000) return fmt::format("{} ns", nanoseconds);
  if (value < 999.5e3) return digits_of(value / 1e3) + " us";
  if (value < 999.5e6) return digits_of(value / 1e6) + " ms";
  return digits_of(value / 1e9) + " s";
}

std::string share_text(double share) {
  if (!std::isfinite(share) || share <= 0) return "";
  if (share < 0.001) return "< 0.1 %";
  return share < 0.0995 ? fmt::format("{:.1f} %", share * 100)
                        : fmt::format("{:.0f} %", share * 100);
}

std::string rate_text(double gbps) {
  if (!std::isfinite(gbps) || gbps <= 0) return "";
  return gbps < 0.005 ? "< 0.01" : digits_of(gbps);
}

std::string count_text(uint64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string printable(std::string_view text) {
  std::string result(text.substr(0, 1000));
  for (char& letter : result) {
    const auto byte = static_cast<unsigned char>(letter);
    // Control characters; those of 8 bits are only sent by texts that are not UTF-8.
    if (byte < 0x20 || byte == 0x7f) letter = '?';
  }
  return result;
}

}  // namespace ferry::tools::report
