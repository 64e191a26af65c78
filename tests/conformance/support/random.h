// SPDX-License-Identifier: Apache-2.0
// Tasks that generate random numbers, and the generator as it was published, written a second time.
// Header only.
#pragma once

#include "support/conformance.h"

#include <array>
#include <cstring>

namespace conformance {

inline aclrtRandomParaInfo parameter(const void* bytes, uint8_t size) {
  aclrtRandomParaInfo info{};
  std::memcpy(info.valueOrAddr, bytes, size);
  info.size = size;
  return info;
}
template <class T>
aclrtRandomParaInfo value_parameter(T value) {
  return parameter(&value, sizeof value);
}
inline aclrtRandomParaInfo address_parameter(const void* address, uint8_t size) {
  aclrtRandomParaInfo info = parameter(&address, sizeof address);
  info.isAddr = 1;
  info.size = size;
  return info;
}

// Numbers from `least` up to `most`.
template <class T>
aclrtRandomNumTaskInfo uniform(aclDataType type, T least, T most, uint64_t seed, uint64_t count,
                               void* result) {
  aclrtRandomNumTaskInfo info{};
  info.dataType = type;
  info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
  info.randomNumFuncParaInfo.paramInfo.uniformDisInfo = {value_parameter(least),
                                                         value_parameter(most)};
  info.randomResultAddr = result;
  info.randomSeed = value_parameter(seed);
  info.randomNum = value_parameter(count);
  return info;
}

inline aclrtRandomNumTaskInfo normal(aclrtRandomNumFuncType function, aclDataType type, float mean,
                                     float deviation, uint64_t seed, uint64_t count, void* result) {
  aclrtRandomNumTaskInfo info = uniform<float>(type, mean, deviation, seed, count, result);
  info.randomNumFuncParaInfo.funcType = function;
  return info;
}

inline aclrtRandomNumTaskInfo dropout(float ratio, uint64_t seed, uint64_t count, void* result) {
  aclrtRandomNumTaskInfo info = uniform<float>(ACL_FLOAT, ratio, 0, seed, count, result);
  info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK;
  info.randomNumFuncParaInfo.paramInfo.dropoutBitmaskInfo.dropoutRation = value_parameter(ratio);
  return info;
}

// The four words of one block of Philox4x32-10.
inline std::array<uint32_t, 4> philox_block(uint64_t key, std::array<uint32_t, 4> counter) {
  uint32_t k0 = static_cast<uint32_t>(key);
  uint32_t k1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = 0xD2511F53ull * counter[0];
    const uint64_t p1 = 0xCD9E8D57ull * counter[2];
    const uint32_t c1 = counter[1];
    const uint32_t c3 = counter[3];
    counter[0] = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    counter[1] = static_cast<uint32_t>(p1);
    counter[2] = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    counter[3] = static_cast<uint32_t>(p0);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return counter;
}

}  // namespace conformance
