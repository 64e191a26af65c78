// SPDX-License-Identifier: Apache-2.0
// Reductions: combining two arrays in device memory, queued on a stream.
#pragma once

#include "base/status.h"
#include "core/copy.h"
#include "core/stream.h"

#include "ferry/backend.h"

namespace ferry {

struct ReduceRequest {
  CopyRequest operands;  // dst is read and written; size in bytes
  ferryx_operation operation = FERRYX_SUM;
  ferryx_element element = FERRYX_FLOAT32;
};

// 107000 unless both are memory of the stream's device. The stream belongs to the calling thread's
// context.
Status reduce_async(const ReduceRequest& request, Stream& stream);

}  // namespace ferry
