// SPDX-License-Identifier: Apache-2.0
// Each result takes its words in order, so that results depend on nothing but key and counter.
#include "core/random_numbers.h"

#include "base/half.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

namespace ferry {
namespace {

__extension__ using Wide = unsigned __int128;

bool is_floating(aclDataType type) {
  return type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16;
}

bool is_signed(aclDataType type) {
  return type == ACL_INT32 || type == ACL_INT64;
}

uint64_t element_size(aclDataType type) {
  if (type == ACL_FLOAT16 || type == ACL_BF16) return 2;
  return type == ACL_INT64 || type == ACL_UINT64 ? 8 : 4;
}

float float_of(uint64_t parameter) {
  return std::bit_cast<float>(static_cast<uint32_t>(parameter));
}

// A parameter of an integer type, extended to 64 bits.
uint64_t integer_of(uint64_t parameter, aclDataType type) {
  if (type == ACL_INT32) return static_cast<uint64_t>(int64_t{static_cast<int32_t>(parameter)});
  return type == ACL_UINT32 ? static_cast<uint32_t>(parameter) : parameter;
}

// In [0, 1), with the 24 bits that a float has.
float unit_float(uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24F;
}

void put_float(aclDataType type, float value, char* out) {
  if (type == ACL_FLOAT) {
    std::memcpy(out, &value, sizeof value);
    return;
  }
  const uint16_t half = type == ACL_FLOAT16 ? half_of_float(value) : bfloat16_of_float(value);
  std::memcpy(out, &half, sizeof half);
}

// An element is kept, bit 1, unless its word falls into the share that is dropped.
void generate_mask(float ratio, Philox& words, uint64_t count, char* out) {
  for (uint64_t i = 0; i < count; i += 8) {
    unsigned bits = 0;
    for (unsigned bit = 0; bit < 8 && i + bit < count; ++bit) {
      if (unit_float(words.next()) >= ratio) bits |= 1u << bit;
    }
    out[i / 8] = static_cast<char>(bits);
  }
}

// The high bits of word * range: without bias worth mentioning, and without a loop.
void generate_integers(const Distribution& of, Philox& words, uint64_t count, char* out) {
  const uint64_t least = integer_of(of.first, of.type);
  const uint64_t range = integer_of(of.second, of.type) - least;
  const uint64_t size = element_size(of.type);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t value = least;
    if (size == 8) {
      value += static_cast<uint64_t>(Wide{words.next_pair()} * range >> 64);
    } else {
      value += words.next() * range >> 32;
    }
    std::memcpy(out + i * size, &value, size);
  }
}

void generate_uniform(const Distribution& of, Philox& words, uint64_t count, char* out) {
  if (!is_floating(of.type)) return generate_integers(of, words, count, out);
  const float least = float_of(of.first);
  const float width = float_of(of.second) - least;
  const uint64_t size = element_size(of.type);
  for (uint64_t i = 0; i < count; ++i)
    put_float(of.type, least + width * unit_float(words.next()), out + i * size);
}

// Box and Muller: two words give two numbers.
class Normal {
 public:
  explicit Normal(Philox& words) : words_(words) {}

  double next() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2 * std::log(1 - double{unit_float(words_.next())}));
    const double angle = 2 * std::numbers::pi * double{unit_float(words_.next())};
    second_ = radius * std::sin(angle);
    has_second_ = true;
    return radius * std::cos(angle);
  }

 private:
  Philox& words_;
  double second_ = 0;
  bool has_second_ = false;
};

void generate_normal(const Distribution& of, Philox& words, uint64_t count, char* out) {
  constexpr double kMostTruncated = 2;  // standard deviations
  const bool is_truncated = of.function == ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS;
  const double mean = float_of(of.first);
  const double deviation = float_of(of.second);
  const uint64_t size = element_size(of.type);
  Normal normal(words);
  for (uint64_t i = 0; i < count; ++i) {
    double value = normal.next();
    while (is_truncated && std::fabs(value) > kMostTruncated)
      value = normal.next();
    put_float(of.type, static_cast<float>(mean + deviation * value), out + i * size);
  }
}

}  // namespace

uint64_t parameter_size(const Distribution& distribution) {
  const bool is_mask = distribution.function == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK;
  if (is_mask || is_floating(distribution.type)) return sizeof(float);
  return element_size(distribution.type);
}

bool has_values(const Distribution& of) {
  switch (of.function) {
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
      return float_of(of.first) >= 0 && float_of(of.first) <= 1;
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
      if (is_floating(of.type)) {
        return std::isfinite(float_of(of.second) - float_of(of.first)) &&
               float_of(of.first) <= float_of(of.second);
      }
      if (is_signed(of.type)) {
        return static_cast<int64_t>(integer_of(of.first, of.type)) <=
               static_cast<int64_t>(integer_of(of.second, of.type));
      }
      return integer_of(of.first, of.type) <= integer_of(of.second, of.type);
    default:
      return std::isfinite(float_of(of.first)) && std::isfinite(float_of(of.second)) &&
             float_of(of.second) >= 0;
  }
}

uint64_t result_size(const Distribution& distribution, uint64_t count) {
  if (distribution.function == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK) {
    return count / 8 + (count % 8 != 0 ? 1 : 0);
  }
  uint64_t size = 0;
  const bool is_too_large = __builtin_mul_overflow(count, element_size(distribution.type), &size);
  return is_too_large ? UINT64_MAX : size;
}

void generate(const Distribution& distribution, Philox& words, uint64_t count, char* out) {
  switch (distribution.function) {
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
      return generate_mask(float_of(distribution.first), words, count, out);
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
      return generate_uniform(distribution, words, count, out);
    default:
      return generate_normal(distribution, words, count, out);
  }
}

}  // namespace ferry
