// SPDX-License-Identifier: Apache-2.0
// Texts with their length, and the values of aclprofSetConfig.
#pragma once

#include "base/status.h"

#include "acl/acl_prof.h"

#include <cstddef>

namespace ferry::api {

// 100000 unless the length is in the range.
Status check_length(const char* argument, size_t length, size_t least, size_t most);
// 100000 unless the text ends exactly behind `length` bytes. Reads at most one byte more.
Status check_text(const char* argument, const char* text, const char* length_argument,
                  size_t length);

// 100010 when the value is not one of the setting.
Status check_profiling_setting(aclprofConfigType type, const char* value);

}  // namespace ferry::api
