// SPDX-License-Identifier: Apache-2.0
// Creating, synchronising and closing streams, and the failures they keep.
#include "core/stream.h"

#include "base/error_state.h"
#include "base/log.h"
#include "base/work.h"
#include "core/custom_allocators.h"
#include "core/exception_report.h"
#include "core/kernel/kernel_launch.h"
#include "core/memory_pool.h"
#include "core/model/model.h"
#include "core/model/recording.h"
#include "core/model/task_group.h"
#include "core/report_threads.h"
#include "core/runtime.h"
#include "core/service_thread.h"
#include "core/state_callbacks.h"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

namespace ferry {
namespace {

std::atomic<int32_t> next_stream_id{0};

// Streams that the host never waits for: synchronising them succeeds at once.
constexpr uint32_t kNeverSynchronised =
    ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

// On the thread of a task: a lack of memory for the description must not end the process.
void log_fault(const ferryx_fault& fault) noexcept {
  try {
    write_log(LogLevel::kError, "%d %s failed: %s", fault.code, describe(*fault.work).c_str(),
              fault.text);
  } catch (const std::bad_alloc&) {
    write_log(LogLevel::kError, "%d a task failed: %s", fault.code, fault.text);
  }
}

// The kernel that has failed, and why; empty when other work has.
KernelFailure failure_of_kernel(const ferryx_fault& fault) {
  return fault.work->kind == FERRYX_KERNEL ? take_kernel_failure() : KernelFailure();
}

}  // namespace

Stream::Stream(const Ref<Context>& context, Resource resource, const StreamSettings& settings)
    : QueueOwner(context->failure()),
      context_(context),
      resource_(std::move(resource)),
      settings_(settings),
      id_(take_stream_id()),
      priority_(settings.priority) {}

Result<Ref<Stream>> Stream::create(const Ref<Context>& context, const StreamSettings& settings) {
  Device& device = context->device();
  Resource resource = device.streams().take();
  if (!resource) {
    return fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, kEE9999,
                "device %d has no stream left, allowed are %u at a time", device.id(),
                device.streams().limit());
  }
  std::unique_ptr<Stream> stream(new Stream(context, std::move(resource), settings));
  const ferryx_queue_settings queue_settings{.struct_size = sizeof queue_settings,
                                             .priority = settings.priority,
                                             .cookie = static_cast<QueueOwner*>(stream.get()),
                                             .stream = stream->id(),
                                             .flags = 0};
  FERRY_RETURN_IF_ERROR(stream->queue_.make(device, queue_settings));
  const int32_t id = stream->id();
  FERRY_LOG(kDebug, "stream %d of device %d is created, priority %u", id, device.id(),
            settings.priority);
  return HandleTable<Stream>::instance().insert(
      std::move(stream), [&](void* handle) { context->add_stream(id, handle); });
}

Stream::~Stream() {
  static_cast<void>(exchange_update(nullptr));
  queue_.destroy();  // before the members that its last tasks may still use
}

std::unique_ptr<TaskUpdate> Stream::exchange_update(std::unique_ptr<TaskUpdate> update) {
  return std::unique_ptr<TaskUpdate>(update_.exchange(update.release()));
}

CallRecord& Stream::fill_in_origin(ferryx_work& work) {
  CallRecord& record = call_record();
  work.origin = {.call = record.function,
                 .task = task_count_.fetch_add(1, std::memory_order_relaxed),
                 .stream = id_,
                 .context = context_->handle(),
                 .correlation = next_correlation(record)};
  return record;
}

// The thread of the record has queued the work.
void Stream::note_task(CallRecord& record, const ferryx_work& work) const {
  record.last_stream = handle();
  if (!context_->is_default_stream(handle())) record.last_task = work.origin.task;
}

Status Stream::submit(ferryx_work& work) {
  FERRY_RETURN_IF_ERROR(context_->device().check_accepts_work());
  CallRecord& record = fill_in_origin(work);
  if (recorder() != nullptr) [[unlikely]]
    return record_work(*this, work, {});
  if (update() != nullptr) [[unlikely]]
    return fail_in_update(*this);
  const Status queued(tapped().queue_submit(queue_.get(), &work));
  if (queued.ok()) note_task(record, work);
  return queued;
}

void Stream::note_recorded_task() const {
  call_record().last_stream = handle();
}

Status Stream::submit_run(ferryx_work& start, const ferryx_run& run) {
  FERRY_RETURN_IF_ERROR(context_->device().check_accepts_work());
  if (update() != nullptr) return fail_in_update(*this);
  CallRecord& record = fill_in_origin(start);
  const ferryx_backend& table = tapped();
  // A trace that has offered it when the run was made may be gone.
  const Status queued(table.queue_submit_run != nullptr
                          ? table.queue_submit_run(queue_.get(), &start, &run)
                          : table.queue_submit(queue_.get(), &start));
  if (queued.ok()) note_task(record, start);
  return queued;
}

Status Stream::record(ferryx_work& work, TaskFacts facts) {
  fill_in_origin(work);
  return record_work(*this, work, std::move(facts));
}

Status Stream::synchronize(const WaitLimit& limit) {
  FERRY_RETURN_IF_ERROR(check_not_captured(*this));
  return wait_for_work(limit, Failure::kClear);
}

void Stream::help(std::chrono::milliseconds time) {
  static_cast<void>(backend().queue_synchronize(
      queue_.get(), std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()));
}

Status Stream::wait_for_work(const WaitLimit& limit, Failure failure) {
  if ((flags() & kNeverSynchronised) != 0) return {};
  FERRY_RETURN_IF_ERROR(check_context(limit));
  const uint64_t aborts = context_->device().task_aborts();
  const Status waited(backend().queue_synchronize(queue_.get(), limit.nanoseconds_left()));
  if (waited.code() == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) {
    return reject(waited, kEE1002)
        .expected()
        .because("stream %d was not done after %d ms; its tasks keep running", id(),
                 limit.milliseconds());
  }
  if (waited.code() == ACL_ERROR_RT_STREAM_ABORT) {
    if (aborts != context_->device().task_aborts()) return fail_task_abort();
    return fail(waited, kEE1016, "stream %d was aborted meanwhile", id());
  }
  FERRY_RETURN_IF_ERROR(waited);
  note_synchronisation();
  FERRY_RETURN_IF_ERROR(check_context(limit));
  return return_failure(limit, failure);
}

Status Stream::fail_task_abort() const {
  return fail(ACL_ERROR_RT_DEVICE_TASK_ABORT, kEE1016,
              "the tasks of stream %d were aborted with all others of device %d", id(),
              context_->device().id());
}

void Stream::wait_for_idle() {
  // Teardown: the program could have learnt of earlier failures by synchronising.
  if (backend().queue_synchronize(queue_.get(), FERRYX_FOREVER) != ACL_SUCCESS) {
    FERRY_LOG(kWarn, "stream %d ended while it was waited for", id());
  }
}

bool Stream::is_idle_within(const WaitLimit& limit) {
  return backend().queue_synchronize(queue_.get(), limit.nanoseconds_left()) !=
         ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
}

Status Stream::query(bool& is_done) {
  FERRY_RETURN_IF_ERROR(check_not_captured(*this));
  FERRY_RETURN_IF_ERROR(context_->failure().check());
  int done = 0;
  FERRY_RETURN_IF_ERROR(Status(backend().queue_query(queue_.get(), &done)));
  is_done = done != 0;
  return {};
}

Status Stream::abort() {
  endings_.fetch_add(1, std::memory_order_acq_rel);
  const Status aborted(backend().queue_abort(queue_.get()));
  end_its_run(Emptying::kAbort);
  return aborted;
}

// The callout of a run that it has launched is gone, but not what the run executes.
void Stream::end_its_run(Emptying how) {
  for (Ref<Model> model = context_->model_after(-1); model;
       model = context_->model_after(model->id()))
    model->runs().end_run_of(handle(), how);
}

Status Stream::stop() {
  if (backend().queue_stop == nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
                "a %s device cannot stop a task and keep those behind it", backend().name);
  }
  endings_.fetch_add(1, std::memory_order_acq_rel);
  return Status(backend().queue_stop(queue_.get()));
}

void Stream::drop_work() {
  endings_.fetch_add(1, std::memory_order_acq_rel);
  // If the backend refuses, the work runs; its results are hidden by the failure of the context.
  if (backend().queue_drop(queue_.get()) != ACL_SUCCESS) {
    FERRY_LOG(kWarn, "the work of stream %d could not be dropped", id());
  }
  end_its_run(Emptying::kDrop);
}

bool Stream::close(Waiters waiters) {
  if (!is_closing_.exchange(true)) tell_stream_state(*this, ACL_RT_STREAM_STATE_DESTROY_PRE);
  const Ref<Stream> last = HandleTable<Stream>::instance().remove(handle());
  if (!last) return false;
  context_->forget_stream(id());
  FERRY_LOG(kDebug, "stream %d is destroyed", id());
  abandon_update(*this);
  if (waiters == Waiters::kAbort && !abort().ok()) {
    FERRY_LOG(kWarn, "the work of stream %d could not be aborted", id());
  }
  unsubscribe_closed_stream(*this);
  unregister_allocator(handle());
  return true;
}

void Stream::fail_queued(aclError code, const FixedText& text, ReportNumber report) {
  FailureState& together = context_->failure();
  if (!together.stops_on_failure()) return keep_failure(code, text, report);
  together.set_failure(code, text, report);
  // Dropping may destroy streams, which waits for running tasks: not on the thread of a task.
  Context::drop_all_work_soon(context_);
}

void Stream::keep_fault(const ferryx_fault& fault, const char* where) {
  const ferryx_origin& origin = fault.work->origin;
  if (is_logged(LogLevel::kError)) log_fault(fault);
  const KernelFailure kernel = failure_of_kernel(fault);
  // The report first: synchronisation waits for the report of a failure that it sees.
  const ReportNumber report =
      report_exception({.task_id = origin.task,
                        .stream_id = static_cast<uint32_t>(id()),
                        .thread_id = static_cast<uint32_t>(gettid()),
                        .device_id = static_cast<uint32_t>(context_->device().id()),
                        .error_code = static_cast<uint32_t>(fault.code),
                        .kernel = kernel.launch});
  const char* const text = kernel.launch == nullptr ? fault.text : kernel.text.c_str();
  fail_queued(fault.code, FixedText("%sa task queued by %s failed: %s", where, origin.call, text),
              report);
}

ferryx_after_fault Stream::take_fault(const ferryx_fault& fault) {
  keep_fault(fault, "");
  return context_->failure().stops_on_failure() ? FERRYX_STOP : FERRYX_CONTINUE;
}

// ---- the kept failure ----

void Stream::keep_failure(aclError code, const FixedText& text, ReportNumber report) {
  const std::lock_guard lock(failure_mutex_);
  failure_ = code;
  failure_text_ = text;
  failure_report_ = std::max(failure_report_, report);
  has_failure_.store(true, std::memory_order_release);
}

Status Stream::fail_untold(const WaitLimit& limit) const {
  return reject(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, kEE1002)
      .expected()
      .because(
          "a task of stream %d or its context has failed, and the exception callback had not "
          "returned after %d ms; the next synchronisation returns the failure",
          id(), limit.milliseconds());
}

// Success, or the failure that has stopped the context, after its exception callback.
Status Stream::check_context(const WaitLimit& limit) const {
  const FailureState& together = context_->failure();
  if (!together.has_failed()) return {};
  if (!wait_for_report(together.report(), limit.deadline())) return fail_untold(limit);
  return together.check();
}

Status Stream::return_failure(const WaitLimit& limit, Failure failure) {
  if (!has_failure_.load(std::memory_order_acquire)) return {};
  ReportNumber told = kNoReport;
  std::unique_lock lock(failure_mutex_);
  // Tasks may fail while this waits for the callback of an earlier failure.
  while (told < failure_report_) {
    told = failure_report_;
    lock.unlock();
    if (!wait_for_report(told, limit.deadline())) return fail_untold(limit);
    lock.lock();
  }
  if (!has_failure_.load(std::memory_order_relaxed)) return {};  // another thread has cleared it
  if (failure == Failure::kKeep) {
    return fail(failure_, kEE9999, "%s; stream %d keeps the failure for its own synchronisation",
                failure_text_.c_str(), id());
  }
  has_failure_.store(false, std::memory_order_release);
  return fail(failure_, kEE9999, "%s", failure_text_.c_str());
}

int32_t take_stream_id() {
  return next_stream_id.fetch_add(1, std::memory_order_relaxed);
}

Result<Ref<Stream>> find_stream(aclrtStream handle, const char* argument) {
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<Stream> stream = HandleTable<Stream>::instance().find(handle);
  if (!stream) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, handle, "stream");
  return stream;
}

Result<Ref<Stream>> stream_or_default(aclrtStream handle) {
  if (handle != nullptr) return find_stream(handle);
  FERRY_TRY(Ref<Context>, context, current_context());
  Ref<Stream> stream = (*context)->default_stream();
  if (!stream) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, kEE1018,
                "the context of the calling thread is being destroyed");
  }
  return stream;
}

Result<Ref<Stream>> stream_of_call(Ref<Stream> given) {
  // The common case: the stream belongs to the calling thread's context.
  if (given && given->context().handle() == current_context_handle()) return given;
  FERRY_TRY(Ref<Context>, context, current_context(ImplicitDevice::kIgnore));
  return given ? std::move(given) : (*context)->default_stream();
}

Status require_current_context(const Stream& stream) {
  if (stream.context().handle() == current_context_handle()) return {};
  FERRY_TRY(Ref<Context>, context, current_context());
  if ((*context).get() == &stream.context()) return {};
  return reject(ACL_ERROR_RT_STREAM_CONTEXT, kEE1010, "stream", stream.handle())
      .because(
          " (id %d), made in context %p on device %d, but the calling thread uses context %p on "
          "device %d",
          stream.id(), stream.context().handle(), stream.context().device().id(),
          (*context)->handle(), (*context)->device().id());
}

}  // namespace ferry
