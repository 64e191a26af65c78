// SPDX-License-Identifier: Apache-2.0
// Ranges that the program opens and closes. They are kept whether anybody records them or not, so
// that a recording may begin or end between the two calls.
#pragma once

#include "base/status.h"
#include "core/stream.h"

#include "acl/acl_prof.h"

#include <cstdint>
#include <string>

namespace ferry {

// Records a mark of the host.
void record_mark(const char* domain, const char* text);

// ---- ranges that may end on another thread ----

// Returns its number, which is not 0 and unique among the open ranges of the process. With a stream
// it also has a task there for its start, and one for its end.
Result<uint32_t> start_range(const char* domain, const char* text, const Ref<Stream>& stream = {});
// 100000 when the domain has no open range with this number.
Status end_range(const char* domain, uint64_t id);

// ---- ranges nested within the calling thread: two independent stacks ----

void push_stamp(const std::string& text);
// 100000 when nothing is pushed.
Status pop_stamp();

// The tensors are copied.
void push_tensors(const aclprofTensorInfo& info);
Status pop_tensors();

// ---- texts by number ----

// The number of a text: the same in every process. Never UINT64_MAX.
uint64_t id_of_text(const char* text);

}  // namespace ferry
