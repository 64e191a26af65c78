// SPDX-License-Identifier: Apache-2.0
// Values in device memory that streams store and wait for.
#pragma once

#include "base/status.h"
#include "core/location.h"
#include "core/stream.h"

#include "ferry/backend.h"

#include <cstdint>

namespace ferry {

// Where a value lies: 107000 unless it is device memory, at a multiple of 8.
Result<Location> locate_value(const void* address);

// Queue one store of 64 bits, or a wait until the 64 bits satisfy a comparison. The address is
// device memory, a multiple of 8. Both fail with 107000 when the memory is of another kind of
// device.
Status queue_value_write(Stream& stream, const Location& location, uint64_t value);
Status queue_value_wait(Stream& stream, const Location& location, uint64_t value,
                        ferryx_comparison comparison);

}  // namespace ferry
