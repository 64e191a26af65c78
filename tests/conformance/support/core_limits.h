// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of limits for cores. Header only.
#pragma once

#include "support/devices.h"

namespace conformance {

constexpr aclrtDevResLimitType kCube = ACL_RT_DEV_RES_CUBE_CORE;
constexpr aclrtDevResLimitType kVector = ACL_RT_DEV_RES_VECTOR_CORE;
inline aclrtDevResLimitType type_of(int number) {
  return static_cast<aclrtDevResLimitType>(number);
}
inline const aclrtDevResLimitType kNoType = type_of(2);

// What the emulated product has.
inline uint32_t cores_of_product(aclrtDevResLimitType type) {
  int64_t value = 0;
  EXPECT_OK(aclrtGetDeviceInfo(
      0, type == kCube ? ACL_DEV_ATTR_CUBE_CORE_NUM : ACL_DEV_ATTR_VECTOR_CORE_NUM, &value));
  return static_cast<uint32_t>(value);
}

inline uint32_t device_limit(aclrtDevResLimitType type, int32_t device = 0) {
  uint32_t value = 99999;
  EXPECT_OK(aclrtGetDeviceResLimit(device, type, &value));
  return value;
}

inline uint32_t stream_limit(aclrtStream stream, aclrtDevResLimitType type) {
  uint32_t value = 99999;
  EXPECT_OK(aclrtGetStreamResLimit(stream, type, &value));
  return value;
}

inline uint32_t thread_limit(aclrtDevResLimitType type) {
  uint32_t value = 99999;
  EXPECT_OK(aclrtGetResInCurrentThread(type, &value));
  return value;
}

}  // namespace conformance
