// SPDX-License-Identifier: Apache-2.0
// Creating and closing contexts, and the calling thread's current one.
#include "core/context.h"

#include "core/runtime.h"
#include "core/stream.h"

#include <algorithm>

namespace ferry {
namespace {

// A handle, not a reference: a context destroyed by another thread counts as none.
thread_local void* current_handle = nullptr;

std::atomic<int32_t> default_device{-1};

Status fail_without_context() {
  return fail(ACL_ERROR_RT_CONTEXT_NULL, kEE1018,
              "the calling thread has no context: call aclrtSetDevice or aclrtSetCurrentContext in "
              "this thread first");
}

}  // namespace

void FailureState::set_failure(aclError code, const std::string& text) {
  const std::lock_guard lock(mutex_);
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
  Ref<Context> context = HandleTable<Context>::instance().insert(new Context(device, kind));
  Result<Ref<Stream>> stream = Stream::create(context, StreamSettings{});
  if (!stream.ok()) {
    context->close(PendingWork::kDrop);
    return stream.status();
  }
  context->default_stream_ = (*stream)->handle();
  device.add_context(context->handle());
  return context;
}

Ref<Stream> Context::default_stream() const {
  return HandleTable<Stream>::instance().find(default_stream_);
}

bool Context::close(PendingWork pending) {
  if (is_closing_.exchange(true)) return false;
  if (pending == PendingWork::kFinish) {
    for (const Ref<Stream>& stream : streams())
      stream->wait_for_idle();
  }
  const Ref<Context> last = HandleTable<Context>::instance().remove(handle());
  device_.forget_context(handle());
  for (const Ref<Stream>& stream : streams()) {
    stream->close(pending == PendingWork::kFinish ? Stream::Waiters::kLeave
                                                  : Stream::Waiters::kAbort);
  }
  host_thread_.stop();
  return true;
}

std::vector<Ref<Stream>> Context::streams() const {
  std::vector<void*> handles;
  {
    const std::lock_guard lock(mutex_);
    handles = streams_;
  }
  std::vector<Ref<Stream>> live;
  for (void* stream_handle : handles) {
    if (Ref<Stream> stream = HandleTable<Stream>::instance().find(stream_handle)) {
      live.push_back(std::move(stream));
    }
  }
  return live;
}

void Context::add_stream(void* stream_handle) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(stream_handle);
}

void Context::forget_stream(void* stream_handle) {
  const std::lock_guard lock(mutex_);
  std::erase(streams_, stream_handle);
}

void Context::drop_all_work() {
  for (const Ref<Stream>& stream : streams())
    stream->drop_work();
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
