// SPDX-License-Identifier: Apache-2.0
// A context: a group of streams of one device, the thread for their host functions, and their
// common failure state.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/handle_table.h"
#include "core/host_thread.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ferry {

class Stream;

// Continue: the stream keeps the failure of a task, and the next tasks run. Stop: the first failed
// task ends the whole context. Stop cannot be undone. May be shared between threads.
class FailureState {
 public:
  bool stops_on_failure() const { return stops_.load(std::memory_order_acquire); }
  void stop_on_failure() { stops_.store(true, std::memory_order_release); }

  // Keeps the first failure of a context that stops.
  void set_failure(aclError code, const std::string& text);
  bool has_failed() const { return code_.load(std::memory_order_acquire) != ACL_SUCCESS; }
  // Success, or the first failure, which is also recorded as the calling thread's error.
  Status check() const;

 private:
  std::atomic<bool> stops_{false};
  std::atomic<aclError> code_{ACL_SUCCESS};
  mutable std::mutex mutex_;  // guards text_
  std::string text_;
};

// May be shared between threads.
class Context final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kContext;
  enum class Kind { kPrimary, kExplicit };
  enum class PendingWork { kFinish, kDrop };

  // Creates a context and its default stream on an open device.
  static Result<Ref<Context>> create(Device& device, Kind kind);
  ~Context() = default;

  Device& device() const { return device_; }
  bool is_primary() const { return kind_ == Kind::kPrimary; }
  // Empty once the context is closed.
  Ref<Stream> default_stream() const;
  FailureState& failure() { return failure_; }
  HostThread& host_thread() { return host_thread_; }

  // Closes the streams and invalidates all handles. False when another thread has begun to.
  bool close(PendingWork pending);

  // The live streams of the context.
  std::vector<Ref<Stream>> streams() const;
  void add_stream(void* handle);
  void forget_stream(void* handle);

  // Drops everything queued on all its streams, after a failure in a context that stops.
  void drop_all_work();

 private:
  Context(Device& device, Kind kind) : device_(device), kind_(kind) {}

  Device& device_;
  const Kind kind_;
  std::atomic<bool> is_closing_{false};
  FailureState failure_;
  HostThread host_thread_;
  void* default_stream_ = nullptr;  // a handle: streams refer to their context, not the reverse
  mutable std::mutex mutex_;        // guards streams_
  std::vector<void*> streams_;
};

// ---- the calling thread's context ----

// Whether a thread without a context gets the default device of aclInit's configuration.
enum class ImplicitDevice { kUse, kIgnore };

// The calling thread's context; 107002 when it has none or it was destroyed.
Result<Ref<Context>> current_context(ImplicitDevice implicit = ImplicitDevice::kUse);

// The same without a failure: empty when there is none.
Ref<Context> find_current_context();

void set_current_context(void* handle);
void* current_context_handle();

// The device that threads without a context use; -1 for none.
void set_default_device(int32_t id);

}  // namespace ferry
