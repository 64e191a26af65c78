// SPDX-License-Identifier: Apache-2.0
// Notifies over the flags of the backend.
#include "core/notify.h"

#include "base/work.h"
#include "core/exported_notify.h"
#include "core/runtime.h"

#include <atomic>

namespace ferry {
namespace {

std::atomic<uint32_t> next_notify_id{0};

}  // namespace

Notify::Notify(Device& device, Resource resource, uint32_t id)
    : device_(device), resource_(std::move(resource)), id_(id) {}

Notify::~Notify() {
  if (exported_ != nullptr) exported_->end();
  if (flag_ != nullptr) device_.backend().flag_release(flag_);
}

Result<Resource> Notify::take_resource(Device& device) {
  Resource resource = device.notifies().take();
  if (resource) return resource;
  return fail(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, kEE9999,
              "device %d has no notify left, allowed are %u at a time", device.id(),
              device.notifies().limit());
}

Result<Ref<Notify>> Notify::create(Device& device) {
  FERRY_TRY(Resource, resource, take_resource(device));
  const uint32_t id = next_notify_id.fetch_add(1, std::memory_order_relaxed);
  std::unique_ptr<Notify> notify(new Notify(device, std::move(*resource), id));
  FERRY_RETURN_IF_ERROR(Status(device.backend().flag_create(device.handle(), &notify->flag_)));
  return HandleTable<Notify>::instance().insert(std::move(notify));
}

Status Notify::check_backend(const Stream& stream) const {
  if (&device_.backend() == &stream.backend()) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "notify", Value::beside(handle()))
      .because(
          " is of device %d (%s), and stream %d is on a %s device: a notify cannot order streams "
          "of different kinds of devices",
          device_.id(), device_.backend().name, stream.id(), stream.backend().name);
}

Status Notify::check_own(const char* action) const {
  if (hold_ == nullptr) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006, "notify", Value::beside(handle()))
      .because(" was imported: only the process that created it can %s it", action);
}

Status Notify::record(Stream& stream) {
  FERRY_RETURN_IF_ERROR(check_backend(stream));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  if (hold_ != nullptr) return signal_owner(stream);
  ferryx_work work =
      make_work(FERRYX_SET_FLAG, &ferryx_payload::flag, {.flag = flag_, .timeout = 0});
  return submit(work, stream);
}

Status Notify::make_stream_wait(Stream& stream, int64_t timeout) {
  FERRY_RETURN_IF_ERROR(check_own("wait for"));
  FERRY_RETURN_IF_ERROR(check_backend(stream));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  ferryx_work work =
      make_work(FERRYX_TAKE_FLAG, &ferryx_payload::flag, {.flag = flag_, .timeout = timeout});
  return submit(work, stream);
}

Status Notify::submit(ferryx_work& work, Stream& stream) const {
  if (stream.recorder() == nullptr) return stream.submit(work);
  // The model keeps the notify: its flag must outlive the handle.
  auto kept = std::make_shared<Ref<Notify>>(HandleTable<Notify>::instance().find(handle()));
  if (!*kept) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "notify", handle(), "notify");
  return stream.record(work, {.keeps = std::move(kept)});
}

Status Notify::clear() {
  FERRY_RETURN_IF_ERROR(check_own("reset"));
  return Status(device_.backend().flag_clear(flag_));
}

Result<Ref<Notify>> find_notify(aclrtNotify handle, const char* argument) {
  if (handle == nullptr) return fail_null(argument);
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<Notify> notify = HandleTable<Notify>::instance().find(handle);
  if (!notify) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, handle, "notify");
  return notify;
}

}  // namespace ferry
