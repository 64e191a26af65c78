// SPDX-License-Identifier: Apache-2.0
// aclFloatToFloat16: the nearest 16-bit float, compared with a computation that rounds explicitly.
#include "support/conformance.h"

#include <bit>
#include <cmath>
#include <limits>

namespace conformance::aclFloatToFloat16_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Divides by the distance between neighbours and rounds the quotient, ties to even. All steps are
// exact in double.
uint32_t nearest(float value) {
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude >= 65520) return sign | 0x7c00;
  int exponent = -14;
  if (magnitude >= std::ldexp(1.0, -14)) exponent = std::ilogb(magnitude);
  const double steps = std::nearbyint(magnitude / std::ldexp(1.0, exponent - 10));
  // The steps of a normal number count from 1024; an extra step carries into the exponent.
  return sign | (static_cast<uint32_t>(exponent + 14) * 1024 + static_cast<uint32_t>(steps));
}

// Reports a failure per value, but not millions of them.
class Comparison {
 public:
  void check(float value) {
    const uint32_t actual = aclFloatToFloat16(value);
    const uint32_t expected = nearest(value);
    if (actual == expected || ++wrong_ > 10) return;
    ADD_FAILURE() << std::hexfloat << value << " became bits " << actual << " instead of "
                  << expected;
  }

  void check_both_signs(float value) {
    check(value);
    check(-value);
  }

 private:
  int wrong_ = 0;
};

float half_value(uint32_t bits) {
  const auto fraction = static_cast<float>(bits & 1023);
  const auto exponent = static_cast<int>(bits >> 10);
  return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
}

TEST(AclFloatToFloat16, KeepsEveryValueAndRoundsItsNeighbours) {
  Comparison comparison;
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const float value = half_value(bits);
    EXPECT_EQ(aclFloatToFloat16(value), bits);
    comparison.check_both_signs(value);
    comparison.check_both_signs(std::nextafter(value, kInfinity));
    comparison.check_both_signs(std::nextafter(value, 0.0f));
  }
}

TEST(AclFloatToFloat16, RoundsTiesToTheEvenNeighbour) {
  Comparison comparison;
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float middle = (half_value(bits) + half_value(bits + 1)) / 2;
    EXPECT_EQ(aclFloatToFloat16(middle), bits + (bits & 1));
    comparison.check_both_signs(middle);
    comparison.check_both_signs(std::nextafter(middle, kInfinity));
    comparison.check_both_signs(std::nextafter(middle, 0.0f));
  }
}

TEST(AclFloatToFloat16, IsNearestForMillionsOfValues) {
  Comparison comparison;
  uint32_t state = 12345;
  for (int i = 0; i < 3000000; ++i) {
    state = state * 1664525 + 1013904223;
    // The low bits of such a generator hardly change: swap the halves for every other value.
    const uint32_t bits = i % 2 == 0 ? state : std::rotl(state, 16);
    const auto value = std::bit_cast<float>(bits);
    if (!std::isnan(value)) comparison.check(value);
  }
}

TEST(AclFloatToFloat16, IsNearestInTheRangeOfHalves) {
  Comparison comparison;
  uint32_t state = 54321;
  for (int i = 0; i < 1000000; ++i) {
    state = state * 1664525 + 1013904223;
    // Exponents from 2^-26 to 2^17, so that both ends of the range occur often.
    const uint32_t exponent = 127 - 26 + (state >> 27) + (state >> 24) % 13;
    comparison.check_both_signs(std::bit_cast<float>(exponent << 23 | (state & 0x7fffff)));
  }
}

TEST(AclFloatToFloat16, TurnsLargeValuesIntoInfinity) {
  EXPECT_EQ(aclFloatToFloat16(65504.0f), 0x7bff);
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(aclFloatToFloat16(65520.0f), 0x7c00);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::max()), 0x7c00);
  EXPECT_EQ(aclFloatToFloat16(kInfinity), 0x7c00);
  EXPECT_EQ(aclFloatToFloat16(-65520.0f), 0xfc00);
  EXPECT_EQ(aclFloatToFloat16(-kInfinity), 0xfc00);
}

TEST(AclFloatToFloat16, TurnsSmallValuesIntoZeroOfTheSameSign) {
  const float half_of_smallest = std::ldexp(1.0f, -25);
  EXPECT_EQ(aclFloatToFloat16(0.0f), 0x0000);
  EXPECT_EQ(aclFloatToFloat16(-0.0f), 0x8000);
  EXPECT_EQ(aclFloatToFloat16(half_of_smallest), 0x0000);
  EXPECT_EQ(aclFloatToFloat16(-half_of_smallest), 0x8000);
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(half_of_smallest, 1.0f)), 0x0001);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(aclFloatToFloat16(-std::numeric_limits<float>::min()), 0x8000);
}

TEST(AclFloatToFloat16, KeepsNanWhateverItsBits) {
  for (const uint32_t bits : {0x7fc00000u, 0x7f800001u, 0x7f801fffu, 0x7f802000u, 0x7fffffffu,
                              0xffc00000u, 0xff800001u, 0xffffffffu}) {
    const uint32_t half = aclFloatToFloat16(std::bit_cast<float>(bits));
    EXPECT_EQ(half & 0x7c00, 0x7c00u) << bits;
    EXPECT_NE(half & 0x03ff, 0u) << bits;
  }
}

}  // namespace
}  // namespace conformance::aclFloatToFloat16_test
