// SPDX-License-Identifier: Apache-2.0
// Pieces of JSON, appended to bytes. Written by hand, as it runs for every event of a trace.
#pragma once

#include "plugins/trace/output.h"

#include <concepts>
#include <cstdint>
#include <string_view>

namespace ferry::plugins::trace {

class JsonText {
 public:
  explicit JsonText(Bytes& bytes) : bytes_(bytes) {}
  JsonText& raw(std::string_view text) {
    bytes_.add(text);
    return *this;
  }
  JsonText& number(uint64_t number);
  JsonText& number(int64_t number);
  // Microseconds with three decimals.
  JsonText& time(int64_t nanoseconds);
  JsonText& decimal(double number);
  // "0x7f00a0001000", with the quotes.
  JsonText& address(uint64_t address);
  // With quotes. Bytes that are not UTF-8 become U+FFFD.
  JsonText& quoted(std::string_view text);

 private:
  void escaped(std::string_view text);
  Bytes& bytes_;
};

// The members of an object: each method adds one. Keys are plain words.
class JsonMembers {
 public:
  explicit JsonMembers(JsonText text) : text_(text) { text_.raw("{"); }
  JsonText& key(std::string_view key) {
    text_.raw(is_first_ ? "\"" : ",\"").raw(key).raw("\":");
    is_first_ = false;
    return text_;
  }
  template <std::unsigned_integral N>
  void number(std::string_view name, N value) {
    key(name).number(static_cast<uint64_t>(value));
  }
  template <std::signed_integral N>
  void number(std::string_view name, N value) {
    key(name).number(static_cast<int64_t>(value));
  }
  void text(std::string_view name, std::string_view value) { key(name).quoted(value); }
  void address(std::string_view name, uint64_t value) { key(name).address(value); }
  void truth(std::string_view name, bool value) { key(name).raw(value ? "true" : "false"); }
  JsonText& close() { return text_.raw("}"); }

 private:
  JsonText text_;
  bool is_first_ = true;
};

}  // namespace ferry::plugins::trace
