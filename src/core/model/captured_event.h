// SPDX-License-Identifier: Apache-2.0
// Events in models. Inside one capture, the record of an event and the waits for it order the lanes
// of the model; a stream that waits for such an event joins the capture.
#pragma once

#include "base/status.h"
#include "core/event.h"
#include "core/model/recording.h"
#include "core/stream.h"

#include <cstdint>
#include <optional>

namespace ferry {

// Whether a call with this stream and any event may have to do with a model.
inline bool may_concern_models(const Stream& stream) {
  return is_anything_captured() || stream.recorder() != nullptr;
}

// These return nothing when neither the stream nor the event has to do with a model: the call then
// has its ordinary effect.
std::optional<Status> record_in_model(Event& event, Stream& stream);
std::optional<Status> wait_in_model(Event& event, Stream& stream, int64_t timeout);
std::optional<Status> reset_in_model(Event& event, Stream& stream);

// aclrtRecordEventWithFlag and aclrtStreamWaitEventWithFlag with the flag EXTERNAL: the task acts
// on the event as it is outside of the model.
enum class ExternalUse { kRecord, kWait };
Status use_external_event(Event& event, Stream& stream, ExternalUse use);

// 107028 when the event was recorded in a capture that is active.
Status check_not_captured(Event& event);

}  // namespace ferry
