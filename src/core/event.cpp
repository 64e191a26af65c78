// SPDX-License-Identifier: Apache-2.0
// Recording, waiting, resetting.
#include "core/event.h"

#include "base/work.h"
#include "core/ipc_event.h"
#include "core/memory_pool.h"
#include "core/model/captured_event.h"
#include "core/runtime.h"

#include <atomic>
#include <optional>
#include <utility>

namespace ferry {
namespace {

std::atomic<uint32_t> next_event_id{0};
std::atomic<uint32_t> default_wait_seconds{0};

// Events with only these flags record times and cannot order streams.
constexpr uint32_t kFlagsWithoutSync = ACL_EVENT_TIME_LINE | ACL_EVENT_CAPTURE_STREAM_PROGRESS;

}  // namespace

Result<MarkerRef> MarkerRef::create(Device& device) {
  ferryx_marker* marker = nullptr;
  FERRY_RETURN_IF_ERROR(Status(device.tapped().marker_create(device.handle(), &marker)));
  return MarkerRef(device.backend(), marker);
}

Status MarkerRef::query(bool& is_reached) const {
  int reached = 0;
  FERRY_RETURN_IF_ERROR(Status(backend_->marker_query(marker_, &reached)));
  is_reached = reached != 0;
  return {};
}

bool MarkerRef::is_reached() const {
  bool reached = false;
  return query(reached).ok() && reached;
}

Status MarkerRef::synchronize(int64_t timeout) const {
  const Status waited(backend_->marker_synchronize(marker_, timeout));
  note_synchronisation();
  return waited;
}

Status MarkerRef::time(uint64_t& nanoseconds) const {
  return Status(backend_->marker_time(marker_, &nanoseconds));
}

Event::Event(Resource resource, Kind kind, uint32_t flags, std::shared_ptr<IpcEvent> ipc)
    : resource_(std::move(resource)),
      kind_(kind),
      flags_(flags),
      id_(next_event_id.fetch_add(1, std::memory_order_relaxed)),
      ipc_(std::move(ipc)) {}

Result<Resource> Event::take_resource(Device& device) {
  Resource resource = device.events().take();
  if (!resource) {
    return fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, kEE9999,
                "device %d has no event left, allowed are %u at a time", device.id(),
                device.events().limit());
  }
  return resource;
}

Ref<Event> Event::insert(Resource resource, Kind kind, uint32_t flags,
                         std::shared_ptr<IpcEvent> ipc) {
  return HandleTable<Event>::instance().insert(
      std::unique_ptr<Event>(new Event(std::move(resource), kind, flags, std::move(ipc))));
}

Result<Ref<Event>> Event::create(Device& device, Kind kind, uint32_t flags) {
  FERRY_TRY(Resource, resource, take_resource(device));
  std::shared_ptr<IpcEvent> shared;
  if ((flags & ACL_EVENT_IPC) != 0) {
    FERRY_TRY(std::shared_ptr<IpcEvent>, made, IpcEvent::create(device));
    shared = std::move(*made);
  }
  return insert(std::move(*resource), kind, flags, std::move(shared));
}

Result<Ref<Event>> Event::open(Device& device, const aclrtIpcEventHandle& bytes) {
  FERRY_TRY(Resource, resource, take_resource(device));
  FERRY_TRY(std::shared_ptr<IpcEvent>, opened, IpcEvent::open(bytes, device));
  return insert(std::move(*resource), Kind::kEx, ACL_EVENT_IPC, std::move(*opened));
}

Status Event::mark(Stream& stream, const MarkerRef& marker) {
  ferryx_work work =
      make_work(FERRYX_MARK, &ferryx_payload::marker, {.marker = marker.get(), .timeout = 0});
  return stream.submit(work);
}

Status Event::record(Stream& stream) {
  if (may_concern_models(stream)) {
    if (const std::optional<Status> recorded = record_in_model(*this, stream)) return *recorded;
  }
  if (ipc_ != nullptr) return ipc_->record(stream);
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  const std::lock_guard lock(mutex_);
  MarkerRef marker = next_;
  if (marker) {
    FERRY_RETURN_IF_ERROR(check_backend(marker, stream));
  } else {
    FERRY_TRY(MarkerRef, made, MarkerRef::create(stream.context().device()));
    marker = *made;
  }
  FERRY_RETURN_IF_ERROR(mark(stream, marker));
  latest_ = std::move(marker);
  recorded_on_ = stream.handle();
  next_ = {};
  return {};
}

Result<MarkerRef> Event::marker_to_await(const Stream& stream) {
  if (latest_) {
    FERRY_RETURN_IF_ERROR(check_backend(latest_, stream));
    const bool is_in_order_already = recorded_on_ == stream.handle();
    return is_in_order_already || latest_.is_reached() ? MarkerRef() : latest_;
  }
  switch (kind_) {
    case Kind::kEx:
      return MarkerRef();
    case Kind::kPlain:
      return fail_never_recorded();  // reset by another thread since it was checked
    case Kind::kFlagged:
      break;
  }
  if (!next_) {
    FERRY_TRY(MarkerRef, made, MarkerRef::create(stream.context().device()));
    next_ = *made;
  }
  FERRY_RETURN_IF_ERROR(check_backend(next_, stream));
  return next_;
}

Status Event::check_backend(const MarkerRef& marker, const Stream& stream) const {
  if (&marker.backend() == &stream.backend()) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "event", Value::beside(handle()))
      .because(
          " is in use on a %s device, and stream %d is on a %s device: an event cannot order "
          "streams of different kinds of devices",
          marker.backend().name, stream.id(), stream.backend().name);
}

Status Event::fail_never_recorded() const {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "event", Value::beside(handle()))
      .because(" was never recorded: call aclrtRecordEvent first");
}

Status Event::check_awaitable(const Ref<Stream>& given) {
  if (kind_ != Kind::kPlain && (flags_ & ~kFlagsWithoutSync) == 0) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "event", Value::beside(handle()))
        .because(
            " was made with flag 0x%x, which lacks ACL_EVENT_SYNC, so no stream can wait for it",
            flags_);
  }
  if (given && given->recorder() != nullptr) return {};  // other rules hold there
  const std::lock_guard lock(mutex_);
  return kind_ == Kind::kPlain && !latest_ ? fail_never_recorded() : Status();
}

Status Event::make_stream_wait(Stream& stream, int64_t timeout) {
  if (may_concern_models(stream)) {
    if (const std::optional<Status> waits = wait_in_model(*this, stream, timeout)) return *waits;
  }
  if (ipc_ != nullptr) return ipc_->make_stream_wait(stream, timeout);
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  const std::lock_guard lock(mutex_);
  FERRY_TRY(MarkerRef, awaited, marker_to_await(stream));
  if (!*awaited) return {};
  // The status of a wait for an Ex event cannot be queried. All that allocates comes before the
  // wait.
  MarkerRef passed;
  if (kind_ != Kind::kEx) {
    FERRY_TRY(MarkerRef, made, MarkerRef::create(stream.context().device()));
    passed = *made;
    std::erase_if(waits_, [](const MarkerRef& wait) { return wait.is_reached(); });
    waits_.reserve(waits_.size() + 1);
  }
  ferryx_work work = make_work(FERRYX_AWAIT, &ferryx_payload::marker,
                               {.marker = (*awaited).get(), .timeout = timeout});
  FERRY_RETURN_IF_ERROR(stream.submit(work));
  if (!passed) return {};
  FERRY_RETURN_IF_ERROR(mark(stream, passed));
  waits_.push_back(std::move(passed));
  return {};
}

Status Event::reset(Stream& stream) {
  if (may_concern_models(stream)) {
    if (const std::optional<Status> recorded = reset_in_model(*this, stream)) return *recorded;
  }
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  return reset_now();
}

Status Event::reset_now() {
  const std::lock_guard lock(mutex_);
  latest_ = {};
  recorded_on_ = nullptr;
  return {};
}

void Event::set_latest(const MarkerRef& marker) {
  const std::lock_guard lock(mutex_);
  latest_ = marker;
  recorded_on_ = nullptr;
}

Status Event::record_now(Device& device) {
  MarkerRef marker;
  {
    const std::lock_guard lock(mutex_);
    marker = std::exchange(next_, {});
    if (!marker) {
      FERRY_TRY(MarkerRef, made, MarkerRef::create(device));
      marker = *made;
    }
    latest_ = marker;
    recorded_on_ = nullptr;
  }
  return Status(marker.backend().marker_finish(marker.get(), ACL_SUCCESS));
}

Result<MarkerRef> Event::marker_for_run(Device& device) {
  const std::lock_guard lock(mutex_);
  if (latest_) return latest_;
  if (!next_) {
    FERRY_TRY(MarkerRef, made, MarkerRef::create(device));
    next_ = *made;
  }
  return next_;
}

MarkerRef Event::latest() {
  const std::lock_guard lock(mutex_);
  return latest_;
}

bool Event::are_waits_done() {
  const std::lock_guard lock(mutex_);
  std::erase_if(waits_, [](const MarkerRef& wait) { return wait.is_reached(); });
  return waits_.empty();
}

Result<Ref<Event>> find_event(aclrtEvent handle, const char* argument) {
  if (handle == nullptr) return fail_null(argument);
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<Event> event = HandleTable<Event>::instance().find(handle);
  if (!event) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, handle, "event");
  return event;
}

void set_default_wait_seconds(uint32_t seconds) {
  default_wait_seconds.store(seconds, std::memory_order_relaxed);
}

int64_t default_wait() {
  const uint32_t seconds = default_wait_seconds.load(std::memory_order_relaxed);
  return seconds == 0 ? FERRYX_FOREVER : int64_t{seconds} * 1'000'000'000;
}

}  // namespace ferry
