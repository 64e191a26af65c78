// SPDX-License-Identifier: Apache-2.0
// A lane of a model: the tasks that one stream has recorded, and the queue that executes them in
// every run.
#pragma once

#include "base/status.h"
#include "core/context.h"
#include "core/model/recorded_task.h"
#include "core/queue_owner.h"
#include "core/service_thread.h"
#include "core/work_watcher.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace ferry {

class LaneGroup;
class Stream;

// How the queue of a lane is emptied.
enum class Emptying {
  kDrop,   // what is executing goes on for a while
  kAbort,  // returns when nothing is executing any more
};

// Recorded under the lock of recordings (recording.h); constant afterwards, except that a run may
// change its works before it submits them.
class Lane final : public QueueOwner {
 public:
  Lane(const Ref<Context>& context, LaneGroup& group, const Stream& of);
  ~Lane();

  // ---- recording ----

  std::deque<RecordedTask> tasks;
  const int32_t stream_id;      // of the stream that was recorded
  void* const stream;           // its handle
  const uint32_t priority;      // likewise
  bool starts_with_run = true;  // false: it starts when another lane activates it
  bool is_reopened = false;     // it takes tasks although the model is built: its own were removed

  // ---- running ----

  int32_t id() const { return id_; }
  // Makes the queue. Call once, before the first run.
  Status open();
  std::vector<ferryx_work>& works() { return works_; }
  // Appends the end of the lane to its works.
  void close_works();
  // The lane is about to be submitted as part of an announced run.
  void join_run(uint64_t number);
  // Submits the works from this place on, or only the end if that fails. The end of the lane is
  // told to the group exactly once per call. The works must end with the lane's end.
  Status submit(size_t first_work);
  LaneGroup& group() { return group_; }
  // Allows work again after empty().
  void go_on() { set_stopped(false); }
  void empty(Emptying how);
  // Drops what follows the task that calls this, which must be one of this lane. Call it inside
  // run_when_submitted().
  void skip_rest();
  // Calls the function once all works are submitted, perhaps at once: a task may run before those
  // that follow it are queued. For a task of this lane, which waits until the function is over.
  void run_when_submitted(void (*function)(void*), void* argument);
  // Reaches the marker, or drops it.
  void mark(ferryx_marker* marker, const ferryx_origin& origin);

  ferryx_after_fault take_fault(const ferryx_fault& fault) override;

 private:
  // The queue may still execute the task at its front when its end is dropped.
  struct Drain : ServiceJob {
    explicit Drain(Lane& of) : ServiceJob(run_drain), lane(of) {}
    static void run_drain(ServiceJob& job);
    Lane& lane;
  };
  static void end(void* argument, ferryx_callout* callout);
  void drain_soon();
  const ferryx_backend& backend() const { return context_->device().backend(); }
  const ferryx_backend& tapped() const { return context_->device().tapped(); }
  int submit_all(const ferryx_work* works, size_t count);
  void begin_submission();
  void end_submission();

  const Ref<Context> context_;
  LaneGroup& group_;
  const int32_t id_;
  ListedQueue queue_;
  std::vector<ferryx_work> works_;
  Drain drain_;
  std::atomic<uint32_t> ends_to_drain_{0};  // ends that were dropped

  struct Deferred {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
  };
  std::mutex submission_mutex_;  // guards what follows
  bool is_submitting_ = false;
  Deferred deferred_;
};

// Work that does nothing.
ferryx_work make_no_work();

}  // namespace ferry
