// SPDX-License-Identifier: Apache-2.0
// One loop per operation and type, which the compiler vectorises. Addresses need no alignment, so
// that elements are loaded and stored by memcpy, which costs nothing.
#include "backends/cpu/reduce.h"

#include "base/half.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace ferry::cpu {
namespace {

// How an element is stored, and what it is computed as.
template <class T>
struct Plain {
  using Stored = T;
  static T load(T stored) { return stored; }
  static T store(T value) { return value; }
};
struct Half {
  using Stored = uint16_t;
  static float load(uint16_t stored) { return float_of_half(stored); }
  static uint16_t store(float value) { return half_of_float(value); }
};
struct Bfloat16 {
  using Stored = uint16_t;
  static float load(uint16_t stored) { return float_of_bfloat16(stored); }
  static uint16_t store(float value) { return bfloat16_of_float(value); }
};

// Integers wrap: they are added as unsigned numbers.
struct Sum {
  template <class T>
  static T of(T dst, T src) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint32_t>(dst) + static_cast<uint32_t>(src));
    } else {
      return dst + src;
    }
  }
};

// A NaN on either side is the result.
template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value);
  } else {
    return false;
  }
}
struct Max {
  template <class T>
  static T of(T dst, T src) {
    return dst < src || is_nan(src) ? src : dst;
  }
};
struct Min {
  template <class T>
  static T of(T dst, T src) {
    return src < dst || is_nan(src) ? src : dst;
  }
};

template <class Operation, class Element>
void combine(char* dst, const char* src, uint64_t size) {
  using Stored = typename Element::Stored;
  for (uint64_t i = 0; i + sizeof(Stored) <= size; i += sizeof(Stored)) {
    Stored mine;
    Stored other;
    std::memcpy(&mine, dst + i, sizeof mine);
    std::memcpy(&other, src + i, sizeof other);
    mine = Element::store(Operation::of(Element::load(mine), Element::load(other)));
    std::memcpy(dst + i, &mine, sizeof mine);
  }
}

template <class Operation>
void combine_type(uint32_t element, char* dst, const char* src, uint64_t size) {
  switch (element) {
    case FERRYX_FLOAT32:
      return combine<Operation, Plain<float>>(dst, src, size);
    case FERRYX_FLOAT16:
      return combine<Operation, Half>(dst, src, size);
    case FERRYX_BFLOAT16:
      return combine<Operation, Bfloat16>(dst, src, size);
    case FERRYX_INT8:
      return combine<Operation, Plain<int8_t>>(dst, src, size);
    case FERRYX_INT16:
      return combine<Operation, Plain<int16_t>>(dst, src, size);
    case FERRYX_INT32:
      return combine<Operation, Plain<int32_t>>(dst, src, size);
    default:
      return combine<Operation, Plain<uint32_t>>(dst, src, size);
  }
}

}  // namespace

uint64_t size_of(ferryx_element element) {
  switch (element) {
    case FERRYX_INT8:
      return 1;
    case FERRYX_FLOAT16:
    case FERRYX_BFLOAT16:
    case FERRYX_INT16:
      return 2;
    default:
      return 4;
  }
}

void reduce(const ferryx_reduce& how, char* dst, const char* src, uint64_t size) {
  switch (how.operation) {
    case FERRYX_SUM:
      return combine_type<Sum>(how.element, dst, src, size);
    case FERRYX_MAX:
      return combine_type<Max>(how.element, dst, src, size);
    default:
      return combine_type<Min>(how.element, dst, src, size);
  }
}

}  // namespace ferry::cpu
