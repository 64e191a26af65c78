// SPDX-License-Identifier: Apache-2.0
// The event of a work.
#pragma once

#include "layers/trace/event_list.h"
#include "layers/trace/records.h"

#include <cstdint>

namespace ferry::layers::trace {

// Adds the members that the record has to the latest event of the list. Times count from `start`.
void fill_event(ferryx_trace_event& event, const WorkRecord& work, int64_t start,
                EventList& events);

}  // namespace ferry::layers::trace
