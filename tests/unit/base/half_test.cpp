// SPDX-License-Identifier: Apache-2.0
// 16-bit floating-point numbers: every value, and the ties between them.
#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ferry {
namespace {

TEST(Half, EveryValueSurvives) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = float_of_half(half);
    if ((bits & 0x7FFF) > 0x7C00) {
      ASSERT_TRUE(std::isnan(value) && (half_of_float(value) & 0x7FFF) > 0x7C00) << bits;
    } else {
      ASSERT_EQ(half, half_of_float(value)) << bits;
    }
  }
}

TEST(Half, TiesGoToEvenAndOthersToTheNearest) {
  for (uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = float_of_half(static_cast<uint16_t>(bits));
    const float high = float_of_half(static_cast<uint16_t>(bits + 1));
    const float middle = (low + high) / 2;
    const uint32_t even = bits + (bits & 1);
    ASSERT_EQ(even, half_of_float(middle)) << bits;
    ASSERT_EQ(bits, half_of_float(std::nextafter(middle, 0.0F))) << bits;
    ASSERT_EQ(bits + 1, half_of_float(std::nextafter(middle, 1e9F))) << bits;
    ASSERT_EQ(even | 0x8000, half_of_float(-middle)) << bits;
  }
}

TEST(Half, LargeNumbersAreInfinite) {
  EXPECT_EQ(0x7BFF, half_of_float(65519.99F));
  EXPECT_EQ(0x7C00, half_of_float(65520));
  EXPECT_EQ(0xFC00, half_of_float(-std::numeric_limits<float>::max()));
  EXPECT_EQ(0x7C00, half_of_float(std::numeric_limits<float>::infinity()));
  EXPECT_EQ(65504, float_of_half(0x7BFF));
  EXPECT_EQ(0x1p-24F, float_of_half(1));
}

TEST(Bfloat16, EveryValueSurvivesAndTiesGoToEven) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto stored = static_cast<uint16_t>(bits);
    const float value = float_of_bfloat16(stored);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(float_of_bfloat16(bfloat16_of_float(value)))) << bits;
      continue;
    }
    ASSERT_EQ(stored, bfloat16_of_float(value)) << bits;
    if (std::isinf(value)) continue;
    const auto wide = std::bit_cast<uint32_t>(value);
    ASSERT_EQ(bits + (bits & 1), bfloat16_of_float(std::bit_cast<float>(wide | 0x8000))) << bits;
    ASSERT_EQ(bits, bfloat16_of_float(std::bit_cast<float>(wide | 0x7FFF))) << bits;
    ASSERT_EQ(bits + 1, bfloat16_of_float(std::bit_cast<float>(wide | 0x8001))) << bits;
  }
}

}  // namespace
}  // namespace ferry
