// SPDX-License-Identifier: Apache-2.0
// Texts come from programs and may hold any bytes; what is written is UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::plugins::trace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Bytes of the character that `text` starts with; 0 when it starts with none.
inline size_t character_at(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const auto continues = [&](size_t from, size_t to) {
    if (text.size() < to) return false;
    for (size_t i = from; i < to; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return false;
    }
    return true;
  };
  if (text.empty()) return 0;
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1, 2) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1, 3)) return 0;
    const bool is_overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool is_surrogate = first == 0xED && byte(1) >= 0xA0;
    return is_overlong || is_surrogate ? 0 : 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1, 4)) return 0;
    const bool is_overlong = first == 0xF0 && byte(1) < 0x90;
    const bool is_too_large = first == 0xF4 && byte(1) >= 0x90;
    return is_overlong || is_too_large ? 0 : 4;
  }
  return 0;
}

// The text with U+FFFD for what is not UTF-8; `room` holds it if there is such a thing.
inline std::string_view clean(std::string_view text, std::string& room) {
  const auto is_ascii = [](char c) { return static_cast<uint8_t>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return text;
  room.clear();
  while (!text.empty()) {
    const size_t size = character_at(text);
    room += size > 0 ? text.substr(0, size) : kReplacement;
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return room;
}

}  // namespace ferry::plugins::trace
