// SPDX-License-Identifier: Apache-2.0
// Lists of processes on several servers, of which this server is the only one that Ferry knows.
#pragma once

#include "base/status.h"

#include "acl/acl_rt.h"

#include <cstddef>

namespace ferry::api {

// 107000 when there is no list, or an entry has none.
Status check_server_pids(const aclrtServerPid* entries, size_t count);

// 207000 on products without super pods, and for entries that name no device of this server.
Status check_on_this_server(const char* function, const aclrtServerPid* entries, size_t count);

}  // namespace ferry::api
