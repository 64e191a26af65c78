// SPDX-License-Identifier: Apache-2.0
// Tasks of models that act on an event made with ACL_EVENT_EXTERNAL, when the lane gets there: as
// if the program had called the function at that moment.
#pragma once

#include "base/status.h"
#include "core/event.h"
#include "core/stream.h"

#include <cstdint>

namespace ferry {

enum class ExternalTask { kRecord, kWait, kReset };

// Appends the task to the lane of the stream. Call with the lock of recordings. 207000 when the
// backend cannot reach markers for the host.
Status record_external_task(Event& event, Stream& stream, ExternalTask task,
                            int64_t timeout = FERRYX_FOREVER);

}  // namespace ferry
