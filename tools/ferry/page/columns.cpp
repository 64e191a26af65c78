// SPDX-License-Identifier: Apache-2.0
#include "page/columns.h"

#include <algorithm>
#include <string_view>

namespace ferry::tools::page {
namespace {

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::vector<uint8_t>& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = (group << 8) | (j < count ? bytes[i + j] : 0U);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += j <= count ? kBase64Digits[(group >> (18 - 6 * j)) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace

void Column::add(int64_t value) {
  values_.push_back(static_cast<uint64_t>(std::clamp(value, -kLargestExact, kLargestExact)));
}

void Column::add_unsigned(uint64_t value) {
  values_.push_back(std::min(value, static_cast<uint64_t>(kLargestExact)));
}

bool Column::is_constant() const {
  return std::all_of(values_.begin(), values_.end(),
                     [this](uint64_t value) { return value == values_.front(); });
}

std::string Column::encode() const {
  std::vector<uint8_t> bytes;
  bytes.reserve(values_.size() * 2);
  uint64_t before = 0;
  for (const uint64_t value : values_) {
    const uint64_t difference = value - before;
    before = value;
    const uint64_t sign = (difference >> 63) != 0 ? UINT64_MAX : 0;
    uint64_t rest = (difference << 1) ^ sign;
    while (rest >= 128) {
      bytes.push_back(static_cast<uint8_t>((rest & 127U) | 128U));
      rest >>= 7;
    }
    bytes.push_back(static_cast<uint8_t>(rest));
  }
  return base64(bytes);
}

}  // namespace ferry::tools::page
