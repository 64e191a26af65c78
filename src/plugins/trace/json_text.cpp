// SPDX-License-Identifier: Apache-2.0
#include "plugins/trace/json_text.h"

#include "plugins/trace/utf8.h"

#include <charconv>
#include <cmath>

namespace ferry::plugins::trace {
namespace {

constexpr size_t kNumber = 24;  // characters of the longest number

constexpr bool is_plain(char c) {
  return static_cast<uint8_t>(c) >= 0x20 && static_cast<uint8_t>(c) < 0x7F && c != '"' && c != '\\';
}

}  // namespace

JsonText& JsonText::number(uint64_t number) {
  char* at = bytes_.room(kNumber);
  bytes_.used(static_cast<size_t>(std::to_chars(at, at + kNumber, number).ptr - at));
  return *this;
}

JsonText& JsonText::number(int64_t number) {
  char* at = bytes_.room(kNumber);
  bytes_.used(static_cast<size_t>(std::to_chars(at, at + kNumber, number).ptr - at));
  return *this;
}

JsonText& JsonText::time(int64_t nanoseconds) {
  char* const begin = bytes_.room(kNumber + 2);
  char* at = begin;
  auto magnitude = static_cast<uint64_t>(nanoseconds);
  if (nanoseconds < 0) {
    *at++ = '-';
    magnitude = 0 - magnitude;
  }
  at = std::to_chars(at, at + kNumber, magnitude / 1000).ptr;
  const auto rest = static_cast<unsigned>(magnitude % 1000);
  *at++ = '.';
  *at++ = static_cast<char>('0' + rest / 100);
  *at++ = static_cast<char>('0' + rest / 10 % 10);
  *at++ = static_cast<char>('0' + rest % 10);
  bytes_.used(static_cast<size_t>(at - begin));
  return *this;
}

JsonText& JsonText::decimal(double number) {
  // Six significant digits: gbps may be tiny or huge.
  char* at = bytes_.room(kNumber);
  if (!std::isfinite(number)) number = 0;
  const auto end = std::to_chars(at, at + kNumber, number, std::chars_format::general, 6);
  bytes_.used(static_cast<size_t>(end.ptr - at));
  return *this;
}

JsonText& JsonText::address(uint64_t address) {
  char* const begin = bytes_.room(kNumber);
  char* at = begin;
  *at++ = '"';
  *at++ = '0';
  *at++ = 'x';
  at = std::to_chars(at, at + 16, address, 16).ptr;
  *at++ = '"';
  bytes_.used(static_cast<size_t>(at - begin));
  return *this;
}

void JsonText::escaped(std::string_view text) {
  while (!text.empty()) {
    const char c = text.front();
    size_t size = character_at(text);
    if (is_plain(c)) {
      raw(text.substr(0, 1));
    } else if (size == 0) {
      raw(kReplacement);
      size = 1;
    } else if (c == '"' || c == '\\') {
      raw("\\").raw(text.substr(0, 1));
    } else if (c == '\n') {
      raw("\\n");
    } else if (c == '\t') {
      raw("\\t");
    } else if (static_cast<uint8_t>(c) < 0x20 || c == 0x7F) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto byte = static_cast<uint8_t>(c);
      raw("\\u00").raw(kDigits.substr(byte >> 4, 1)).raw(kDigits.substr(byte & 15, 1));
    } else {
      raw(text.substr(0, size));
    }
    text.remove_prefix(size);
  }
}

JsonText& JsonText::quoted(std::string_view text) {
  char* const begin = bytes_.room(text.size() + 2);
  char* at = begin;
  *at++ = '"';
  size_t plain = 0;
  for (; plain < text.size() && is_plain(text[plain]); ++plain)
    *at++ = text[plain];
  if (plain == text.size()) {
    *at++ = '"';
    bytes_.used(static_cast<size_t>(at - begin));
    return *this;
  }
  bytes_.used(static_cast<size_t>(at - begin));
  escaped(text.substr(plain));
  return raw("\"");
}

}  // namespace ferry::plugins::trace
