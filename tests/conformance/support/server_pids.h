// SPDX-License-Identifier: Apache-2.0
// Lists of processes with the device that they use, for the calls between servers. Header only.
#pragma once

#include "support/sharing.h"

namespace conformance::virtual_memory::sharing {

// The number by which other servers know device 0.
inline uint32_t own_sdid() {
  int64_t value = 0;
  EXPECT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_SUPER_POD_DEVICE_ID, &value));
  return static_cast<uint32_t>(value);
}

constexpr uint32_t kForeignSdid = 0x7fffff00;  // of no device of this server

// One entry with one process.
struct OnServer {
  explicit OnServer(int32_t process, uint32_t sdid = own_sdid())
      : pid(process), entry{sdid, &pid, 1} {}
  int32_t pid;
  aclrtServerPid entry;
};

}  // namespace conformance::virtual_memory::sharing
