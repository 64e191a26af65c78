// SPDX-License-Identifier: Apache-2.0
// Callbacks of streams: a thread of the program subscribes to a stream, and aclrtProcessReport on
// that thread runs the callbacks that the stream comes to.
#pragma once

#include "base/status.h"
#include "core/stream.h"

#include <cstdint>

namespace ferry {

Status subscribe_report(uint64_t thread, Stream& stream);
Status unsubscribe_report(uint64_t thread, Stream& stream);

// Whether a stream waits until its callback has run.
enum class CallbackBlocking { kNo, kYes };
Status launch_callback(Stream& stream, void (*function)(void*), void* argument,
                       CallbackBlocking blocking);

// Runs one callback on the calling thread. 107012 when no stream is subscribed to the thread within
// the time, 507012 when no callback arrived.
Status process_report(int32_t milliseconds);

// Host functions run on the thread of the context; a stream uses either these or callbacks.
Status launch_host_function(Stream& stream, void (*function)(void*), void* argument);

// The stream has been closed: drops its subscription and undelivered callbacks.
void unsubscribe_closed_stream(Stream& stream);

}  // namespace ferry
