// SPDX-License-Identifier: Apache-2.0
// 16-bit floating-point numbers: IEEE halves and bfloat16. Rounded to nearest, ties to even.
// Without branches that depend on the data where possible, so that loops over them can be
// vectorised.
#pragma once

#include <bit>
#include <cstdint>

namespace ferry {

inline float float_of_half(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t magnitude = half & 0x7FFF;
  // The exponent is biased by 15 there and by 127 here.
  const uint32_t normal = (magnitude << 13) + (uint32_t{112} << 23);
  const uint32_t special = 0x7F800000 | magnitude << 13;  // infinity keeps its 0, NaN its payload
  const uint32_t subnormal = std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24F);
  const uint32_t bits = magnitude >= 0x7C00 ? special : magnitude >= 0x0400 ? normal : subnormal;
  return std::bit_cast<float>(sign | bits);
}

inline uint16_t half_of_float(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  // Adding 0.5 moves a subnormal result to the last bits of the sum, rounded.
  const uint32_t subnormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000;
  // A mantissa that is rounded up carries into the exponent.
  const uint32_t normal =
      (magnitude - (uint32_t{112} << 23) + 0x0FFF + (magnitude >> 13 & 1)) >> 13;
  const uint32_t nan = 0x7E00 | (magnitude >> 13 & 0x03FF);
  uint32_t half = magnitude < 0x38800000 ? subnormal : normal;
  if (magnitude >= 0x477FF000) half = 0x7C00;  // 65520 and more round to infinity
  if (magnitude > 0x7F800000) half = nan;
  return static_cast<uint16_t>(sign | half);
}

inline float float_of_bfloat16(uint16_t value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value) << 16);
}

inline uint16_t bfloat16_of_float(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  const bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
  return static_cast<uint16_t>(is_nan ? bits >> 16 | 0x0040 : rounded);
}

}  // namespace ferry
