// SPDX-License-Identifier: Apache-2.0
// 16-bit floats and the sizes of data types.
#include "api/adapters.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ferry::api {
namespace {

constexpr unsigned kHalfMantissaBits = 10;
constexpr int kHalfBias = 15;
constexpr uint16_t kHalfInfinity = 0x7C00;
constexpr uint16_t kHalfQuietBit = 0x0200;

}  // namespace

float aclFloat16ToFloat(aclFloat16 value) {
  const bool negative = (value & 0x8000) != 0;
  const int exponent = value >> kHalfMantissaBits & 0x1F;
  const int mantissa = value & 0x3FF;
  float magnitude = 0;
  if (exponent == 0x1F) {
    // A NaN keeps its payload; arithmetic would not.
    const uint32_t bits = 0x7F800000u | static_cast<uint32_t>(mantissa) << 13;
    magnitude = std::bit_cast<float>(bits);
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), 1 - kHalfBias - 10);
  } else {
    magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - kHalfBias - 10);
  }
  return negative ? -magnitude : magnitude;
}

aclFloat16 aclFloatToFloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) {
    const auto payload = static_cast<uint16_t>(magnitude >> 13 & 0x3FF);
    return static_cast<aclFloat16>(sign | kHalfInfinity | kHalfQuietBit | payload);
  }
  if (magnitude == 0) return sign;
  if (magnitude == 0x7F800000) return static_cast<aclFloat16>(sign | kHalfInfinity);
  // Scaled to units of the result's last place, so rounding to an integer rounds the result.
  const float absolute = std::bit_cast<float>(magnitude);
  int exponent = 0;
  std::frexp(absolute, &exponent);
  const int unit = std::max(exponent - 1 - static_cast<int>(kHalfMantissaBits), 1 - kHalfBias - 10);
  const float scaled = std::nearbyint(std::ldexp(absolute, -unit));
  // Added, not ORed: a mantissa that was rounded up carries into the exponent.
  const auto field = static_cast<uint32_t>(unit + kHalfBias + 10 - 1) << kHalfMantissaBits;
  const uint64_t half = field + static_cast<uint64_t>(scaled);
  return static_cast<aclFloat16>(sign | std::min<uint64_t>(half, kHalfInfinity));
}

size_t aclDataTypeSize(aclDataType dataType) {
  switch (dataType) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64:
      return 8;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

}  // namespace ferry::api
