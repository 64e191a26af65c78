// SPDX-License-Identifier: Apache-2.0
// A stream: the program's handle to one in-order queue of a backend, and what the contract adds to
// the queue: kept failures, failure mode, callbacks, attributes.
#pragma once

#include "base/error_state.h"
#include "base/fixed_text.h"
#include "base/status.h"
#include "core/context.h"
#include "core/handle_table.h"
#include "core/model/recorded_task.h"
#include "core/queue_owner.h"
#include "core/wait_limit.h"
#include "core/work_watcher.h"

#include "ferry/backend.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace ferry {

enum class Emptying;
struct Recorder;
struct TaskUpdate;

struct StreamSettings {
  uint32_t priority = 0;
  uint32_t flags = 0;
};

constexpr uint32_t kLeastUrgentPriority = 7;

// May be shared between threads.
class Stream final : public Handled, public QueueOwner {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kStream;
  // What happens to threads that are synchronising the stream when it is closed.
  enum class Waiters { kLeave, kAbort };

  // 207008 when the device has no stream left.
  static Result<Ref<Stream>> create(const Ref<Context>& context, const StreamSettings& settings);
  ~Stream();

  Context& context() const { return *context_; }
  const ferryx_backend& backend() const { return context_->device().backend(); }
  const ferryx_backend& tapped() const { return context_->device().tapped(); }
  int32_t id() const { return id_; }
  uint32_t flags() const { return settings_.flags; }
  uint32_t priority() const { return priority_.load(std::memory_order_relaxed); }
  void set_priority(uint32_t priority) { priority_.store(priority, std::memory_order_relaxed); }

  // Call before every submission: success, or why the context accepts no more work.
  Status check_open_for_work() const { return context_->failure().check(); }
  // Submits work and fills in its origin, the current call. Work of a stream enters a queue only
  // here. The work of a stream that is recorded goes to its model instead.
  Status submit(ferryx_work& work);
  // The same for the callout that starts a run of a model.
  Status submit_run(ferryx_work& start, const ferryx_run& run);
  // For a stream that is recorded: the same for work that needs more than its value.
  Status record(ferryx_work& work, TaskFacts facts);
  // The calling thread has recorded a task of this stream.
  void note_recorded_task() const;
  // The current call, as the origin of a task of this stream. Returns the record of the thread.
  CallRecord& fill_in_origin(ferryx_work& work);

  // Where its work goes while it is in a capture or bound to a model; nullptr: to its queue. May be
  // read without the lock of recordings (recording.h) to learn whether there is one.
  Recorder* recorder() const { return recorder_.load(std::memory_order_acquire); }
  void set_recorder(Recorder* recorder) { recorder_.store(recorder, std::memory_order_release); }

  // The change of a task group that is being written on this stream; nullptr: none. Changed under
  // the lock of recordings; may be read without it to learn whether there is one.
  TaskUpdate* update() const { return update_.load(std::memory_order_acquire); }
  // Returns the one before.
  std::unique_ptr<TaskUpdate> exchange_update(std::unique_ptr<TaskUpdate> update);

  // The number that the next task gets, unless another thread submits meanwhile.
  uint32_t next_task() const { return task_count_.load(std::memory_order_relaxed); }

  // What becomes of a failure that is returned: the next synchronisation of the stream returns it
  // again, or not.
  enum class Failure { kKeep, kClear };

  // Waits for all work, and for the exception callback if a task has failed. Returns the latest
  // failure of a task since a call that cleared it.
  // 107027 when the stream is in a capture.
  Status synchronize(const WaitLimit& limit);
  // The same for any stream.
  Status wait_for_work(const WaitLimit& limit, Failure failure);
  // Helps its work along for a while; whatever comes of it.
  void help(std::chrono::milliseconds time);
  // Waits for all work and ignores failures: for teardown.
  void wait_for_idle();
  // The same with a limit: false when it has passed before.
  bool is_idle_within(const WaitLimit& limit);
  Status query(bool& is_done);
  Status abort();
  // Ends the task that runs, or waits; those behind it run after the next submission. 207000 when
  // the backend cannot do that.
  Status stop();
  // Changes when running tasks are ended: what a task waits for outside of its queue then counts no
  // more.
  uint64_t endings() const { return endings_.load(std::memory_order_acquire); }
  void drop_work();

  // Makes the stream unfindable. False when another thread did.
  bool close(Waiters waiters);

  // A task has failed; called by the backend.
  ferryx_after_fault take_fault(const ferryx_fault& fault) override;
  // Reports and keeps the failure of a task of this stream, or of a run that it has launched.
  void keep_fault(const ferryx_fault& fault, const char* where);
  // Queued work has failed: keeps the failure, or ends the context if that stops on failure.
  void fail_queued(aclError code, const FixedText& text, ReportNumber report = kNoReport);

  // Small settings that programs set and read back.
  std::atomic<uint32_t> overflow_switch{0};
  std::atomic<uint32_t> custom_tag{0};
  std::atomic<uint32_t> cache_op_info{0};
  CoreLimits core_limits;

  // What runs the callbacks of this stream: a subscribed thread, or the context's host thread.
  enum class CallbackUse { kNone, kSubscribed, kHostFunctions };
  struct Callbacks {
    CallbackUse use = CallbackUse::kNone;
    uint64_t thread = 0;  // of kSubscribed
  };
  std::mutex callbacks_mutex;  // guards callbacks
  Callbacks callbacks;

 private:
  Stream(const Ref<Context>& context, Resource resource, const StreamSettings& settings);
  void note_task(CallRecord& record, const ferryx_work& work) const;
  void end_its_run(Emptying how);
  void keep_failure(aclError code, const FixedText& text, ReportNumber report);
  Status check_context(const WaitLimit& limit) const;
  Status return_failure(const WaitLimit& limit, Failure failure);
  Status fail_untold(const WaitLimit& limit) const;
  Status fail_task_abort() const;

  const Ref<Context> context_;
  const Resource resource_;
  const StreamSettings settings_;
  const int32_t id_;
  std::atomic<uint32_t> priority_;
  std::atomic<uint32_t> task_count_{0};
  std::atomic<uint64_t> endings_{0};
  std::atomic<bool> is_closing_{false};
  ListedQueue queue_;
  std::atomic<Recorder*> recorder_{nullptr};
  std::atomic<TaskUpdate*> update_{nullptr};  // owned

  std::mutex failure_mutex_;  // guards the kept failure
  std::atomic<bool> has_failure_{false};
  aclError failure_ = ACL_SUCCESS;
  FixedText failure_text_;
  ReportNumber failure_report_ = kNoReport;
};

// A new id: streams and lanes of models share their numbers.
int32_t take_stream_id();

// The stream of a handle; 107017 when it is not that of a live stream. stream_or_default: NULL is
// the default stream of the calling thread's context.
Result<Ref<Stream>> find_stream(aclrtStream handle, const char* argument = "stream");
Result<Ref<Stream>> stream_or_default(aclrtStream handle);

// `given`, or the default stream of the calling thread's context when it is empty. 107002 when the
// thread has no context.
Result<Ref<Stream>> stream_of_call(Ref<Stream> given);

// 107003 unless the stream belongs to the calling thread's context; 107002 when it has none.
Status require_current_context(const Stream& stream);

}  // namespace ferry
