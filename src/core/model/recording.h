// SPDX-License-Identifier: Apache-2.0
// Streams whose work is recorded in a model instead of being submitted: streams in a capture, and
// streams that are bound to a model.
#pragma once

#include "base/status.h"
#include "core/model/recorded_task.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace ferry {

class Model;
class Stream;

// Guards the recorder of every stream, models while they are recorded, and which events are in a
// capture. Lock order: this one before that of an event.
std::mutex& recordings_mutex();

// How many captures are active in the process. While there are none, checks cost one load.
extern std::atomic<uint32_t> active_captures;
inline bool is_anything_captured() {
  return active_captures.load(std::memory_order_acquire) != 0;
}

// Where the work of a stream goes. Owned by its model.
struct Recorder {
  Model& model;
  size_t lane;
};

// Records the work. 207000 for work that can execute only once; 107005 when the model of a bound
// stream is built.
Status record_work(Stream& stream, const ferryx_work& work, TaskFacts facts);

// Appends a task to the lane of the stream; a capture that is invalid drops it, and `added` is
// nullptr then. Under the lock. 507009 and 107034 when the open task group of the capture forbids
// it: the capture is invalid from then on.
Status append_task(Stream& stream, const Recorder& recorder, RecordedTask task,
                   RecordedTask** added = nullptr);

// The task that the calling thread has recorded last.
struct LastRecordedTask {
  void* stream = nullptr;  // handle
  void* model = nullptr;   // handle
  TaskPlace place;
  bool is_dropped = false;  // by a capture that is invalid
};
const LastRecordedTask& last_recorded_task();

// 107027 when the stream is in a capture.
Status check_not_captured(const Stream& stream);
// Whether it is; the answer may be outdated when it comes.
bool is_captured(const Stream& stream);
// Whether it is bound to a model.
bool is_bound(const Stream& stream);
// 107005 when the stream is bound to a model.
Status check_not_bound(const Stream& stream);

}  // namespace ferry
