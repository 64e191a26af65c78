// SPDX-License-Identifier: Apache-2.0
// What the program has asked to be dumped. Ferry writes no dump files: it keeps the settings, and
// where files would go.
#pragma once

#include "base/status.h"

#include "acl/acl_dump.h"

#include <cstdint>
#include <string>

namespace ferry {

// What a dump file of the program configures.
struct DumpSettings {
  acldumpType type = DATA_DUMP;
  std::string path;  // "" when the file names none
};

// The dump of models: 100002 when it was begun already, 100045 when it was not begun.
Status begin_dump();
Status check_dump_begun();
void set_dump(const DumpSettings& settings);
Status end_dump();
// aclFinalize ends a dump that the program has not ended.
void forget_dump();

// Where files of one type go; nullptr when no file has configured it. The text lives forever.
const char* dump_path(acldumpType type);

// The function that gets the parts of dump files. Nothing calls it, since there are none.
using DumpCallback = int32_t (*)(const acldumpChunk*, int32_t);
void set_dump_callback(DumpCallback callback);

// The dump of kernel arguments.
void start_dumping_arguments();
// 500001 when it was not started.
Status stop_dumping_arguments();
// Whether the argument blocks of launches are recorded.
bool is_dumping_arguments();

}  // namespace ferry
