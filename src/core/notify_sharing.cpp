// SPDX-License-Identifier: Apache-2.0
// Notifies between processes: the flag is that of the creator; the stream of another process sends
// a signal when it gets to its record, and the creator's answering thread sets the flag.
#include "base/helping.h"
#include "core/callout.h"
#include "core/exported_notify.h"
#include "core/notify.h"

#include <utility>

namespace ferry {
namespace {

constexpr size_t kMostListed = 65535;

struct NotifyFacts {
  uint32_t id = 0;
  int32_t logical_device = 0;
};

// A record of an imported notify. Nobody learns that the creator has ended: as with a notify that
// nobody waits for, the record is done.
void signal_now(void* argument, ferryx_callout* callout) {
  using SharedHold = std::shared_ptr<sharing::Hold>;
  const std::unique_ptr<SharedHold> hold(static_cast<SharedHold*>(argument));
  if (callout == nullptr) return;
  (*hold)->signal();
  callout->done(callout);
}

}  // namespace

ExportedNotify::ExportedNotify(Device& device, ferryx_flag* flag, uint32_t id,
                               const sharing::Name& name, ShareAccess access)
    : SharedObject({.kind = sharing::Kind::kNotify,
                    .access = access,
                    .code_when_gone = ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                    .function_to_list = "aclrtNotifySetImportPid"}),
      device_(device),
      id_(id),
      name_(name),
      flag_(flag) {}

void ExportedNotify::end() {
  sharing::Exchange::instance().withdraw(name_);
  retire();
  const std::lock_guard lock(mutex_);
  flag_ = nullptr;
}

sharing::Answer ExportedNotify::show(const sharing::Visitor& /*visitor*/) {
  sharing::Answer answer;
  write_facts(NotifyFacts{.id = id_, .logical_device = device_.logical_id()}, answer.facts);
  return answer;
}

void ExportedNotify::signalled() {
  const std::lock_guard lock(mutex_);
  if (flag_ != nullptr) device_.backend().flag_set(flag_);
}

Status Notify::check_exportable() {
  const std::lock_guard lock(mutex_);
  return check_exportable_locked();
}

Status Notify::check_exportable_locked() const {
  if (exported_ == nullptr && hold_ == nullptr) return {};
  return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1018, "notify", Value::beside(handle()))
      .because(hold_ != nullptr ? " was imported: only its creator can export it"
                                : " was exported before");
}

Status Notify::export_key(ShareAccess access, std::span<char, sharing::kKeySize> key) {
  FERRY_TRY(sharing::Name, name, sharing::make_name());
  FERRY_TRY(sharing::Handle, shared, sharing::Exchange::instance().handle(*name));
  if (device_.backend().flag_set == nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006,
                "notifies of device %d (%s) cannot be shared between processes", device_.id(),
                device_.backend().name);
  }
  const std::lock_guard lock(mutex_);
  FERRY_RETURN_IF_ERROR(check_exportable_locked());
  auto exported = std::make_shared<ExportedNotify>(device_, flag_, id_, *name, access);
  sharing::Exchange::instance().publish(*name, exported);
  exported_ = std::move(exported);
  sharing::write_key(*shared, key);
  return {};
}

Status Notify::allow(const int32_t* pids, size_t count) {
  const std::lock_guard lock(mutex_);
  if (exported_ != nullptr) return exported_->allow(pids, count, kMostListed);
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "notify", Value::beside(handle()))
      .because(" was not exported: call aclrtNotifyGetExportKey first");
}

Result<Ref<Notify>> Notify::import(Device& device, const char* key) {
  const auto handle = sharing::read_key(key);
  sharing::Visit visit;
  if (handle.has_value()) visit = sharing::visit(*handle, sharing::Kind::kNotify, device.id());
  if (visit.outcome != sharing::Visit::Outcome::kOpened) {
    return fail_visit("key", visit, ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  }
  const auto facts = read_facts<NotifyFacts>(visit.facts);
  if (!visit.is_far) FERRY_RETURN_IF_ERROR(enable_peer_of(device, facts.logical_device));
  FERRY_TRY(Resource, resource, take_resource(device));
  std::unique_ptr<Notify> notify(new Notify(device, std::move(*resource), facts.id));
  notify->hold_ = std::make_shared<sharing::Hold>(std::move(visit.hold));
  return HandleTable<Notify>::instance().insert(std::move(notify));
}

Status Notify::signal_owner(Stream& stream) {
  return submit_callout(stream, signal_now, std::make_unique<std::shared_ptr<sharing::Hold>>(hold_),
                        hold_->signals_at_once() ? kPromptCallout : 0);
}

}  // namespace ferry
