// SPDX-License-Identifier: Apache-2.0
// Submitting a callout: something the host does in stream order.
#pragma once

#include "base/status.h"
#include "base/work.h"
#include "core/model/repeated_work.h"
#include "core/stream.h"

#include "ferry/backend.h"

#include <memory>
#include <type_traits>

namespace ferry {

// The callout takes ownership of `argument`, whether the submission succeeds or not. On a stream
// that is recorded, each run gets a copy of the argument; one that cannot be copied is refused with
// 207000. `flags`: kPromptCallout or 0.
template <class Argument>
Status submit_callout(Stream& stream, ferryx_callout_start start,
                      std::unique_ptr<Argument> argument, uint64_t flags = 0) {
  if constexpr (std::is_copy_constructible_v<Argument>) {
    if (stream.recorder() != nullptr) {
      return record_callout(stream, start, std::move(*argument));
    }
  }
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = start, .argument = argument.get()}, flags);
  const Status queued = stream.submit(work);
  if (queued.ok()) static_cast<void>(argument.release());  // `start` owns it now
  return queued;
}

}  // namespace ferry
