// SPDX-License-Identifier: Apache-2.0
// A context: a group of streams of one device, the thread for their host functions, and their
// common failure state.
#pragma once

#include "base/fixed_text.h"
#include "base/status.h"
#include "core/context_words.h"
#include "core/device.h"
#include "core/exception_report.h"
#include "core/handle_table.h"
#include "core/host_thread.h"
#include "core/service_thread.h"
#include "core/system_options.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry {

class Model;
class Stream;

// Continue: the stream keeps the failure of a task, and the next tasks run. Stop: the first failed
// task ends the whole context. Stop cannot be undone. May be shared between threads.
class FailureState {
 public:
  bool stops_on_failure() const { return stops_.load(std::memory_order_acquire); }
  void stop_on_failure() { stops_.store(true, std::memory_order_release); }

  // Keeps the first failure of a context that stops, and the latest report to the exception
  // callback.
  void set_failure(aclError code, const FixedText& text, ReportNumber report);
  ReportNumber report() const { return report_.load(std::memory_order_acquire); }
  bool has_failed() const { return code_.load(std::memory_order_acquire) != ACL_SUCCESS; }
  // Success, or the first failure, which is also recorded as the calling thread's error.
  Status check() const;

 private:
  std::atomic<bool> stops_{false};
  std::atomic<aclError> code_{ACL_SUCCESS};
  std::atomic<ReportNumber> report_{kNoReport};
  mutable std::mutex mutex_;  // guards text_
  FixedText text_;
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
  bool is_default_stream(const void* handle) const { return handle == default_stream_; }
  // Calls the callbacks for its default stream, which create() does not: it is called under locks.
  void tell_default_stream() const;
  FailureState& failure() { return failure_; }
  HostThread& host_thread() { return host_thread_; }
  ContextWords& words() { return words_; }

  SystemOptions options;

  // Closes the streams and invalidates all handles. False when another thread has begun to.
  bool close(PendingWork pending);

  // The live streams of the context.
  std::vector<Ref<Stream>> streams() const;
  // The live stream with the next higher id, empty behind the last: for teardown, which must not
  // need memory. Streams that come or go meanwhile do not disturb the others.
  Ref<Stream> stream_after(int32_t id) const;
  void add_stream(int32_t id, void* handle);
  void forget_stream(int32_t id);

  // Its models: the same as for its streams.
  Ref<Model> model_after(int64_t id) const;
  void add_model(uint32_t id, void* handle);
  void forget_model(uint32_t id);

  // Drops everything queued on all its streams, on the service thread, after a failure in a context
  // that stops.
  static void drop_all_work_soon(const Ref<Context>& context);

 private:
  struct DropJob : ServiceJob {
    DropJob() : ServiceJob(drop_all_work) {}
    static void drop_all_work(ServiceJob& job);

    std::atomic<bool> is_given{false};
    Ref<Context> context;  // keeps it alive while the job is given
  };

  Context(Device& device, Kind kind) : device_(device), kind_(kind) {}
  template <class Use>
  void for_each_stream(Use use) const;

  Device& device_;
  const Kind kind_;
  std::atomic<bool> is_closing_{false};
  FailureState failure_;
  HostThread host_thread_;
  ContextWords words_;
  void* default_stream_ = nullptr;  // a handle: streams refer to their context, not the reverse
  struct Listed {
    int32_t id = 0;
    void* handle = nullptr;
  };
  struct ListedModel {
    uint32_t id = 0;
    void* handle = nullptr;
  };
  mutable std::mutex mutex_;         // guards streams_ and models_
  std::vector<Listed> streams_;      // in the order of their ids
  std::vector<ListedModel> models_;  // likewise
  DropJob drop_job_;
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
