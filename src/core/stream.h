// SPDX-License-Identifier: Apache-2.0
// A stream: the program's handle to one in-order queue of a backend, with what the contract adds to
// it: kept failures, failure mode, callbacks, attributes.
#pragma once

#include "base/status.h"
#include "core/context.h"
#include "core/handle_table.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace ferry {

struct StreamSettings {
  uint32_t priority = 0;
  uint32_t flags = 0;
};

constexpr uint32_t kLeastUrgentPriority = 7;

// Milliseconds of the API to nanoseconds of the backend interface; -1 is forever.
int64_t nanoseconds_of(int32_t milliseconds);

// May be shared between threads.
class Stream final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kStream;
  // What those see who synchronise a stream that is closed under them.
  enum class Waiters { kLeave, kAbort };

  // 207008 when the device has no stream left.
  static Result<Ref<Stream>> create(const Ref<Context>& context, const StreamSettings& settings);
  ~Stream();

  Context& context() const { return *context_; }
  const ferryx_backend& backend() const { return context_->device().backend(); }
  ferryx_queue* queue() const { return queue_; }
  int32_t id() const { return id_; }
  uint32_t flags() const { return settings_.flags; }
  uint32_t priority() const { return priority_.load(std::memory_order_relaxed); }
  void set_priority(uint32_t priority) { priority_.store(priority, std::memory_order_relaxed); }

  // To be called before every submission: success, or why the context takes no more work.
  Status check_open_for_work() const { return context_->failure().check(); }
  // Submits work on behalf of the current call, whose name and number it gets: the one place where
  // work enters a queue.
  Status submit(ferryx_work& work);

  // Waits for all work, then returns the latest failure of a task since the last time, and forgets
  // it.
  Status synchronize(int64_t timeout);
  // As synchronize, and remembers nothing of failures: for teardown.
  void wait_for_idle();
  Status query(bool& is_done);
  Status abort();
  void drop_work();

  // Makes the stream unfindable. False when another thread did.
  bool close(Waiters waiters);

  // A task has failed; called by the backend.
  ferryx_after_fault take_fault(const ferryx_fault& fault);
  // Something queued has failed without a task of its own: kept, or the end of a context that
  // stops.
  void fail_queued(aclError code, const std::string& text);

  // Small settings that programs set and read back.
  std::atomic<uint32_t> overflow_switch{0};
  std::atomic<uint32_t> custom_tag{0};
  std::atomic<uint32_t> cache_op_info{0};

  // Who runs the callbacks of this stream.
  enum class CallbackUse { kNone, kSubscribed, kHostFunctions };
  struct Callbacks {
    CallbackUse use = CallbackUse::kNone;
    uint64_t thread = 0;  // of kSubscribed
  };
  std::mutex callbacks_mutex;  // guards callbacks
  Callbacks callbacks;

 private:
  Stream(const Ref<Context>& context, const StreamSettings& settings);
  void keep_failure(aclError code, const std::string& text);
  Status take_failure();

  const Ref<Context> context_;
  const StreamSettings settings_;
  const int32_t id_;
  std::atomic<uint32_t> priority_;
  std::atomic<uint32_t> task_count_{0};
  ferryx_queue* queue_ = nullptr;

  std::mutex failure_mutex_;  // guards the kept failure
  std::atomic<bool> has_failure_{false};
  aclError failure_ = ACL_SUCCESS;
  std::string failure_text_;
};

// What an argument of type aclrtStream means: NULL is the default stream of `context`.
// 107017 when the handle is not that of a live stream.
Result<Ref<Stream>> find_stream(aclrtStream handle, const char* argument = "stream");
Result<Ref<Stream>> stream_or_default(aclrtStream handle);

// The stream of a call that found `given`, or was given none: the default one of the calling
// thread's context then. 107002 when the thread has no context.
Result<Ref<Stream>> stream_of_call(Ref<Stream> given);

// 107003 unless the stream belongs to the calling thread's context; 107002 when it has none.
Status require_current_context(const Stream& stream);

}  // namespace ferry
