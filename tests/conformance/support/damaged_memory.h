// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of memory with uncorrectable errors. There is none but what FERRY_FAIL asks
// for: the tests run in processes of their own, in which the second allocation is damaged.
#pragma once

#include "support/streams.h"

#include <cstring>

namespace conformance::damaged_memory {

#define FERRY_DAMAGE_TEST(suite, name) \
  FERRY_PROCESS_TEST(suite, name, "FERRY_FAIL=aclrtMalloc:2=uce")

// A device, and two allocations of which the second is damaged.
class Damage {
 public:
  static constexpr size_t kSize = 4096;

  Damage() {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtMalloc(&good, kSize, ACL_MEM_MALLOC_NORMAL_ONLY));
    EXPECT_OK(aclrtMalloc(&bad, kSize, ACL_MEM_MALLOC_NORMAL_ONLY));
  }
  ~Damage() {
    EXPECT_OK(aclrtFree(good));
    EXPECT_OK(aclrtFree(bad));
    EXPECT_OK(aclrtResetDevice(0));
  }
  Damage(const Damage&) = delete;
  Damage& operator=(const Damage&) = delete;

  void* good = nullptr;
  void* bad = nullptr;
};

inline size_t count_damaged() {
  aclrtMemUceInfo infos[4];
  size_t count = 99;
  EXPECT_OK(aclrtGetMemUceInfo(0, infos, 4, &count));
  return count;
}

}  // namespace conformance::damaged_memory
