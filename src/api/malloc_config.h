// SPDX-License-Identifier: Apache-2.0
// Reading aclrtMallocConfig: the attributes of an allocation.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/memory.h"

#include "acl/acl_rt.h"

namespace ferry::api {

// 100000 when the configuration has a count but no list.
Status check_list(const aclrtMallocConfig* configuration);
// 107000 when the configuration has no list.
Status check_list_given(const aclrtMallocConfig* configuration);

// Attributes of device memory; 107000 for one that is not allowed or names another device.
Status read_device_attributes(const aclrtMallocConfig* configuration, const Device& device,
                              MemoryWish& wish);
// Attributes of host memory; 107000 for one that is not allowed, 207000 for a VA flag.
Status read_host_attributes(const aclrtMallocConfig* configuration);

}  // namespace ferry::api
