// SPDX-License-Identifier: Apache-2.0
// The tap: a backend table over a device's table that records the program's work and memory on its
// way. It wraps nothing: handles are those of the table below, so it may come and go at any time.
#pragma once

#include "ferry/backend.h"

#include <cstdint>

namespace ferry::layers::trace {

// The tap over a table; always the same one for the same table, and it lives forever. `inner`
// itself when there are more backends than taps.
const ferryx_backend* tap_over(const ferryx_backend* inner);

// A queue exists while work is recorded, or is about to end.
void queue_is_there(const ferryx_backend* backend, ferryx_queue* queue, int32_t device,
                    int32_t stream);
void queue_ends(const ferryx_backend* backend, ferryx_queue* queue);
// What the calling thread submits belongs to a run of a model; 0: to none.
void run_is(uint64_t model, uint64_t run);
// Work has failed.
void work_failed(uint64_t correlation, int32_t code);

}  // namespace ferry::layers::trace
