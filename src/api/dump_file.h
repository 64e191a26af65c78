// SPDX-License-Identifier: Apache-2.0
// The JSON file of aclmdlSetDump.
#pragma once

#include "base/status.h"
#include "core/profile/dump.h"

namespace ferry::api {

// 100003 when the file cannot be read, 100009 when it is not a valid dump configuration. `path` is
// the argument dumpCfgPath.
Result<DumpSettings> read_dump_file(const char* path);

}  // namespace ferry::api
