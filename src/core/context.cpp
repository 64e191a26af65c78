// SPDX-License-Identifier: Apache-2.0
// Creating and closing contexts, and the calling thread's current one.
#include "core/context.h"

#include "base/log.h"
#include "core/model/capture.h"
#include "core/model/model.h"
#include "core/runtime.h"
#include "core/state_callbacks.h"
#include "core/stream.h"

#include <algorithm>

namespace ferry {
namespace {

// A handle, not a reference: a context destroyed by another thread counts as none.
thread_local void* current_handle = nullptr;

std::atomic<int32_t> default_device{-1};

constexpr int32_t kNoStream = -1;
constexpr int64_t kNoModel = -1;

// Closes a context whose creation failed halfway.
struct CloseUnlessMade {
  explicit CloseUnlessMade(const Ref<Context>& made) : context(made) {}
  ~CloseUnlessMade() {
    if (!is_made) context->close(Context::PendingWork::kDrop);
  }
  CloseUnlessMade(const CloseUnlessMade&) = delete;
  CloseUnlessMade& operator=(const CloseUnlessMade&) = delete;

  const Ref<Context>& context;
  bool is_made = false;
};

Status fail_without_context() {
  return fail(ACL_ERROR_RT_CONTEXT_NULL, kEE1018,
              "the calling thread has no context: call aclrtSetDevice or aclrtSetCurrentContext in "
              "this thread first");
}

}  // namespace

void FailureState::set_failure(aclError code, const FixedText& text, ReportNumber report) {
  const std::lock_guard lock(mutex_);
  // Before the code: a thread that sees the failure waits for its report.
  report_.store(std::max(report_.load(), report), std::memory_order_release);
  if (code_.load(std::memory_order_relaxed) != ACL_SUCCESS) return;
  text_ = text;
  code_.store(code, std::memory_order_release);
}

Status FailureState::check() const {
  const aclError code = code_.load(std::memory_order_acquire);
  if (code == ACL_SUCCESS) return {};
  const std::lock_guard lock(mutex_);
  return fail(code, kEE1016, "the context has stopped after a failure: %s", text_.c_str());
}

Result<Ref<Context>> Context::create(Device& device, Kind kind) {
  const Ref<Context> context =
      HandleTable<Context>::instance().insert(std::unique_ptr<Context>(new Context(device, kind)),
                                              [&](void* handle) { device.add_context(handle); });
  CloseUnlessMade unfinished{context};
  FERRY_TRY(Ref<Stream>, stream, Stream::create(context, StreamSettings{}));
  context->default_stream_ = (*stream)->handle();
  unfinished.is_made = true;
  FERRY_LOG(kInfo, "context %p of device %d is created%s", context->handle(), device.id(),
            kind == Kind::kPrimary ? " (its primary context)" : "");
  return context;
}

Ref<Stream> Context::default_stream() const {
  return HandleTable<Stream>::instance().find(default_stream_);
}

void Context::tell_default_stream() const {
  if (const Ref<Stream> stream = default_stream()) {
    tell_stream_state(*stream, ACL_RT_STREAM_STATE_CREATE_POST);
  }
}

bool Context::close(PendingWork pending) {
  if (is_closing_.exchange(true)) return false;
  discard_captures(*this);
  if (pending == PendingWork::kFinish) {
    for_each_stream([](Stream& stream) { stream.wait_for_idle(); });
  }
  const Ref<Context> last = HandleTable<Context>::instance().remove(handle());
  device_.forget_context(handle());
  FERRY_LOG(kInfo, "context %p of device %d is destroyed", handle(), device_.id());
  for_each_stream([&](Stream& stream) {
    stream.close(pending == PendingWork::kFinish ? Stream::Waiters::kLeave
                                                 : Stream::Waiters::kAbort);
  });
  for (Ref<Model> model = model_after(kNoModel); model; model = model_after(model->id()))
    model->close_now();
  host_thread_.stop();
  words_.end();
  return true;
}

std::vector<Ref<Stream>> Context::streams() const {
  std::vector<Ref<Stream>> live;
  for (Ref<Stream> stream = stream_after(kNoStream); stream; stream = stream_after(stream->id()))
    live.push_back(stream);
  return live;
}

Ref<Stream> Context::stream_after(int32_t id) const {
  const std::lock_guard lock(mutex_);
  auto next = std::upper_bound(streams_.begin(), streams_.end(), id,
                               [](int32_t wanted, const Listed& each) { return wanted < each.id; });
  for (; next != streams_.end(); ++next) {
    // Not yet, or not any more, findable: it is being created or closed.
    if (Ref<Stream> stream = HandleTable<Stream>::instance().find(next->handle)) return stream;
  }
  return {};
}

template <class Use>
void Context::for_each_stream(Use use) const {
  for (Ref<Stream> stream = stream_after(kNoStream); stream; stream = stream_after(stream->id()))
    use(*stream);
}

void Context::add_stream(int32_t id, void* stream_handle) {
  const std::lock_guard lock(mutex_);
  const auto place = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const Listed& each) { return each.id > id; });
  streams_.insert(place, {id, stream_handle});
}

void Context::forget_stream(int32_t id) {
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [&](const Listed& each) { return each.id == id; });
}

Ref<Model> Context::model_after(int64_t id) const {
  const std::lock_guard lock(mutex_);
  for (const ListedModel& each : models_) {
    if (each.id <= id) continue;
    if (Ref<Model> model = HandleTable<Model>::instance().find(each.handle)) return model;
  }
  return {};
}

void Context::add_model(uint32_t id, void* model_handle) {
  const std::lock_guard lock(mutex_);
  const auto place = std::find_if(models_.begin(), models_.end(),
                                  [&](const ListedModel& each) { return each.id > id; });
  models_.insert(place, {id, model_handle});
}

void Context::forget_model(uint32_t id) {
  const std::lock_guard lock(mutex_);
  std::erase_if(models_, [&](const ListedModel& each) { return each.id == id; });
}

void Context::drop_all_work_soon(const Ref<Context>& context) {
  DropJob& job = context->drop_job_;
  // A job that is given already sees the streams as they are when it runs. Work submitted after
  // that is refused, because the context has failed.
  if (job.is_given.exchange(true)) return;
  job.context = context;
  service_thread().run(job);
}

void Context::DropJob::drop_all_work(ServiceJob& job) {
  auto& own = static_cast<DropJob&>(job);
  const Ref<Context> context = std::move(own.context);  // perhaps the last
  own.is_given.store(false);
  context->for_each_stream([](Stream& stream) { stream.drop_work(); });
}

Ref<Context> find_current_context() {
  return HandleTable<Context>::instance().find(current_handle);
}

Result<Ref<Context>> current_context(ImplicitDevice implicit) {
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  if (Ref<Context> context = find_current_context()) return context;
  const int32_t device_id = default_device.load(std::memory_order_relaxed);
  if (implicit == ImplicitDevice::kIgnore || device_id < 0) return fail_without_context();
  FERRY_TRY(Device*, device, find_device(device_id));
  Result<Ref<Context>> primary = (*device)->retain_primary();
  if (primary.ok()) current_handle = (*primary)->handle();
  return primary;
}

void set_current_context(void* handle) {
  current_handle = handle;
}

void* current_context_handle() {
  return current_handle;
}

void set_default_device(int32_t id) {
  default_device.store(id, std::memory_order_relaxed);
}

}  // namespace ferry
