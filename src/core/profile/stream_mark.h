// SPDX-License-Identifier: Apache-2.0
// Marks in stream order: a task that records an annotation when the stream gets there.
#pragma once

#include "base/status.h"
#include "core/profile/annotations.h"
#include "core/stream.h"

namespace ferry {

// Queues one task on a stream of the calling thread's context. It records `annotation`, with the
// stream and the task's number, if annotations of that kind are wanted when it runs.
Status submit_mark(Stream& stream, const Annotation& annotation);

}  // namespace ferry
