// SPDX-License-Identifier: Apache-2.0
// Where marks and ranges of the program go. The only place that knows the functions of
// libascendcl.so for them.
#pragma once

#include "acl/acl.h"

#include <cstdint>

namespace ferry::companions {

// `domain` is "" outside of any. With a stream, the mark is also made when the stream gets there.
void mark(const char* domain, const char* message, aclrtStream stream);

// An id that is unique in the process, never 0.
uint64_t start_range(const char* domain, const char* message, aclrtStream stream);
// Unknown ids are ignored.
void end_range(const char* domain, uint64_t id);

}  // namespace ferry::companions
