// SPDX-License-Identifier: Apache-2.0
// aclFloat16ToFloat: the value of a 16-bit float, compared with the definition of IEEE 754.
#include "support/conformance.h"

#include <cmath>
#include <limits>

namespace conformance::aclFloat16ToFloat_test {
namespace {

// The value by the definition of binary16: sign, 5 bits of exponent, 10 bits of fraction.
float value_of(uint32_t bits) {
  const uint32_t exponent = (bits >> 10) & 31;
  const auto fraction = static_cast<float>(bits & 1023);
  float magnitude = 0;
  if (exponent == 31) {
    magnitude = (bits & 1023) == 0 ? std::numeric_limits<float>::infinity()
                                   : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
  }
  return std::copysign(magnitude, (bits & 0x8000) == 0 ? 1.0f : -1.0f);
}

TEST(AclFloat16ToFloat, IsExactForEveryInput) {
  int wrong = 0;
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float expected = value_of(bits);
    const float actual = aclFloat16ToFloat(static_cast<aclFloat16>(bits));
    const bool is_right = std::isnan(expected) ? std::isnan(actual) : actual == expected;
    if (is_right && std::signbit(actual) == std::signbit(expected)) continue;
    ADD_FAILURE() << "bits " << bits << ": " << actual << " instead of " << expected;
    ASSERT_LT(++wrong, 10) << "and so on";
  }
}

TEST(AclFloat16ToFloat, KnowsTheUsualValues) {
  EXPECT_EQ(aclFloat16ToFloat(0x0000), 0.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x3c00), 1.0f);
  EXPECT_EQ(aclFloat16ToFloat(0xc000), -2.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x3555), 0.333251953125f);
  EXPECT_EQ(aclFloat16ToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x0400), 6.103515625e-05f);
  EXPECT_EQ(aclFloat16ToFloat(0x0001), 5.9604644775390625e-08f);
  EXPECT_TRUE(std::isinf(aclFloat16ToFloat(0x7c00)));
  EXPECT_TRUE(std::isnan(aclFloat16ToFloat(0x7e00)));
}

}  // namespace
}  // namespace conformance::aclFloat16ToFloat_test
