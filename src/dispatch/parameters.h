// SPDX-License-Identifier: Apache-2.0
// What layers must know of a function's parameters, found in the text of the list of functions:
// there is no code per function.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ferry {

struct Parameters {
  static constexpr size_t kNone = SIZE_MAX;

  size_t stream = kNone;           // the place of the stream
  size_t size = kNone;             // of "size_t size"
  bool has_address_first = false;  // the first one receives an address

  bool allocates() const { return has_address_first && size != kNone; }
};

// The place of the parameter that begins with `declaration`, in "(void** devPtr, size_t size)".
consteval size_t place_of(std::string_view text, std::string_view declaration) {
  size_t place = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') ++place;
    const bool begins = i > 0 && (text[i - 1] == '(' || text[i - 1] == ' ');
    if (begins && text.substr(i, declaration.size()) == declaration) return place;
  }
  return Parameters::kNone;
}

consteval Parameters parameters_of(std::string_view text) {
  return {.stream = place_of(text, "aclrtStream "),
          .size = place_of(text, "size_t size"),
          .has_address_first = text.substr(0, 7) == "(void**"};
}

// An argument as one word; 0 for types that nobody asks for.
template <class T>
uint64_t word_of(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<uint64_t>(value);
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<uint64_t>(value);
  } else {
    return 0;
  }
}

using Words = std::array<uint64_t, 20>;

template <class... Arguments>
Words words_of(Arguments... arguments) {
  static_assert(sizeof...(arguments) <= std::tuple_size_v<Words>);
  return {word_of(arguments)...};
}

}  // namespace ferry
