// SPDX-License-Identifier: Apache-2.0
// Creating, synchronising and closing streams, and the failures they keep.
#include "core/stream.h"

#include "base/error_state.h"
#include "base/log.h"
#include "base/work.h"
#include "core/exception_report.h"
#include "core/report_threads.h"
#include "core/runtime.h"
#include "core/service_thread.h"

#include <unistd.h>

namespace ferry {
namespace {

std::atomic<int32_t> next_stream_id{0};

// Streams that the host never waits for: synchronising them succeeds at once.
constexpr uint32_t kNeverSynchronised =
    ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

}  // namespace

int64_t nanoseconds_of(int32_t milliseconds) {
  return milliseconds < 0 ? FERRYX_FOREVER : int64_t{milliseconds} * 1'000'000;
}

Stream::Stream(const Ref<Context>& context, const StreamSettings& settings)
    : context_(context),
      settings_(settings),
      id_(next_stream_id.fetch_add(1, std::memory_order_relaxed)),
      priority_(settings.priority) {}

Result<Ref<Stream>> Stream::create(const Ref<Context>& context, const StreamSettings& settings) {
  Device& device = context->device();
  if (!device.streams().take()) {
    return fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, kEE9999,
                "device %d has no stream left, allowed are %u at a time", device.id(),
                device.streams().limit());
  }
  auto* stream = new Stream(context, settings);
  const ferryx_queue_settings queue_settings{.struct_size = sizeof queue_settings,
                                             .priority = settings.priority,
                                             .cookie = stream,
                                             .stream = stream->id()};
  const Status made(
      device.backend().queue_create(device.handle(), &queue_settings, &stream->queue_));
  if (!made.ok()) {
    delete stream;
    return made;
  }
  Ref<Stream> counted = HandleTable<Stream>::instance().insert(stream);
  context->add_stream(counted->handle());
  return counted;
}

Stream::~Stream() {
  if (queue_ != nullptr) backend().queue_destroy(queue_);
  context_->device().streams().give_back();
}

Status Stream::submit(ferryx_work& work) {
  const auto [function, correlation] = next_origin();
  work.origin = {.call = function,
                 .task = task_count_.fetch_add(1, std::memory_order_relaxed),
                 .stream = id_,
                 .context = context_->handle(),
                 .correlation = correlation};
  return Status(backend().queue_submit(queue_, &work));
}

Status Stream::synchronize(int64_t timeout) {
  if ((flags() & kNeverSynchronised) != 0) return {};
  FERRY_RETURN_IF_ERROR(context_->failure().check());
  const Status waited(backend().queue_synchronize(queue_, timeout));
  if (waited.code() == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) {
    return fail(waited, kEE1002, "stream %d was not done after %lld ms; its tasks keep running",
                id(), static_cast<long long>(timeout / 1'000'000));
  }
  if (waited.code() == ACL_ERROR_RT_STREAM_ABORT) {
    return fail(waited, kEE1016, "stream %d was aborted meanwhile", id());
  }
  FERRY_RETURN_IF_ERROR(waited);
  FERRY_RETURN_IF_ERROR(context_->failure().check());
  return take_failure();
}

void Stream::wait_for_idle() {
  // Teardown: the program could have learnt of earlier failures by synchronising.
  if (backend().queue_synchronize(queue_, FERRYX_FOREVER) != ACL_SUCCESS) {
    FERRY_LOG(kWarn, "stream %d ended while it was waited for", id());
  }
}

Status Stream::query(bool& is_done) {
  FERRY_RETURN_IF_ERROR(context_->failure().check());
  int done = 0;
  FERRY_RETURN_IF_ERROR(Status(backend().queue_query(queue_, &done)));
  is_done = done != 0;
  return {};
}

Status Stream::abort() {
  return Status(backend().queue_abort(queue_));
}

void Stream::drop_work() {
  // If the backend refuses, the work runs; its results are hidden by the failure of the context.
  if (backend().queue_drop(queue_) != ACL_SUCCESS) {
    FERRY_LOG(kWarn, "the work of stream %d could not be dropped", id());
  }
}

bool Stream::close(Waiters waiters) {
  const Ref<Stream> last = HandleTable<Stream>::instance().remove(handle());
  if (!last) return false;
  context_->forget_stream(handle());
  if (waiters == Waiters::kAbort && !abort().ok()) {
    FERRY_LOG(kWarn, "the work of stream %d could not be aborted", id());
  }
  unsubscribe_closed_stream(*this);
  return true;
}

void Stream::fail_queued(aclError code, const std::string& text) {
  FailureState& together = context_->failure();
  if (!together.stops_on_failure()) return keep_failure(code, text);
  together.set_failure(code, text);
  // Dropping may destroy streams, which waits for running tasks: not on the thread of a task.
  run_on_service_thread([context = context_] { context->drop_all_work(); });
}

ferryx_after_fault Stream::take_fault(const ferryx_fault& fault) {
  const ferryx_origin& origin = fault.work->origin;
  const std::string text =
      std::string("a task queued by ") + origin.call + " failed: " + fault.text;
  FERRY_LOG(kError, "%d %s failed: %s", fault.code, describe(*fault.work).c_str(), fault.text);
  fail_queued(fault.code, text);
  report_exception({.task_id = origin.task,
                    .stream_id = static_cast<uint32_t>(id()),
                    .thread_id = static_cast<uint32_t>(gettid()),
                    .device_id = static_cast<uint32_t>(context_->device().id()),
                    .error_code = static_cast<uint32_t>(fault.code)});
  return context_->failure().stops_on_failure() ? FERRYX_STOP : FERRYX_CONTINUE;
}

void Stream::keep_failure(aclError code, const std::string& text) {
  const std::lock_guard lock(failure_mutex_);
  failure_ = code;
  failure_text_ = text;
  has_failure_.store(true, std::memory_order_release);
}

Status Stream::take_failure() {
  if (!has_failure_.load(std::memory_order_acquire)) return {};
  wait_for_service_thread();  // exception callbacks run before synchronisation returns
  const std::lock_guard lock(failure_mutex_);
  if (!has_failure_.exchange(false, std::memory_order_acq_rel)) return {};
  return fail(failure_, kEE9999, "%s", failure_text_.c_str());
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
