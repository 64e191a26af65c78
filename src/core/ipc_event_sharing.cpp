// SPDX-License-Identifier: Apache-2.0
// How processes find an event that they share: handles, and what the creating process offers.
#include "core/event_offer.h"
#include "core/far_event_records.h"
#include "core/ipc_event.h"
#include "core/shared_object.h"
#include "sharing/exchange.h"

#include <map>
#include <span>
#include <utility>

namespace ferry {

using sharing::Answer;
using sharing::Descriptor;
using sharing::EventPage;
using sharing::Exchange;
using sharing::Handle;
using sharing::Name;
using sharing::Visit;

namespace {

// The shared events of this process that have a name: opening one again, or in the process that
// created it, leads to the same object, so that the order of its records is known here.
class KnownEvents {
 public:
  static KnownEvents& instance() {
    static auto* known = new KnownEvents;
    return *known;
  }

  using Entries = std::map<Name, std::weak_ptr<IpcEvent>>;

  std::shared_ptr<IpcEvent> find(const Name& name) {
    const std::lock_guard lock(mutex_);
    const auto found = events_.find(name);
    return found == events_.end() ? nullptr : alive(found->second);
  }
  // The one with this name, which is `event` unless another thread was faster.
  std::shared_ptr<IpcEvent> add(const Name& name, const std::shared_ptr<IpcEvent>& event) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<IpcEvent>& known = events_[name];
    if (std::shared_ptr<IpcEvent> other = alive(known)) return other;
    known = event;
    return event;
  }
  // Takes over entries that were made before, so that nothing can fail.
  void add(Entries& entries) {
    const std::lock_guard lock(mutex_);
    events_.merge(entries);
  }
  void remove_ended(const Name& name) {
    const std::lock_guard lock(mutex_);
    const auto found = events_.find(name);
    if (found != events_.end() && found->second.expired()) events_.erase(found);
  }

 private:
  static std::shared_ptr<IpcEvent> alive(const std::weak_ptr<IpcEvent>& known) {
    std::shared_ptr<IpcEvent> event = known.lock();
    return event != nullptr && !event->is_lost() ? event : nullptr;
  }

  std::mutex mutex_;  // guards events_
  Entries events_;
};

Status fail_no_event_handle() {
  return reject(ACL_ERROR_RT_INVALID_HANDLE, kEE1017, "handle")
      .because(" is none of aclrtIpcGetEventHandle: all %zu bytes must be carried over",
               sharing::kEventHandleSize);
}

}  // namespace

IpcEvent::~IpcEvent() {
  records_->close();
  if (offer_ != nullptr) offer_->closed();
  if (handle_.has_value()) KnownEvents::instance().remove_ended(handle_->name);
}

Status IpcEvent::get_handle(aclrtIpcEventHandle& bytes) {
  const std::lock_guard lock(sharing_mutex_);
  if (!handle_.has_value()) {
    FERRY_TRY(Name, name, sharing::make_name());
    FERRY_TRY(Handle, handle, Exchange::instance().handle(*name));
    FERRY_TRY(Descriptor, file, page_->file_to_pass());
    auto offer = std::make_shared<EventOffer>(*name, std::move(*file), page_,
                                              EventFacts{.device = device_.logical_id()});
    // What can fail comes before others can open the event.
    KnownEvents& known = KnownEvents::instance();
    KnownEvents::Entries entries{{*name, weak_from_this()}};
    Exchange::instance().publish(*name, offer);
    known.add(entries);
    offer_ = std::move(offer);
    handle_ = *handle;
  }
  static_assert(sizeof bytes.reserved == sharing::kEventHandleSize);
  sharing::write_event_handle(
      *handle_, std::as_writable_bytes(std::span<char, sharing::kEventHandleSize>(bytes.reserved)));
  return {};
}

Result<std::shared_ptr<IpcEvent>> IpcEvent::open(const aclrtIpcEventHandle& bytes, Device& device) {
  const std::optional<Handle> handle = sharing::read_event_handle(
      std::as_bytes(std::span<const char, sharing::kEventHandleSize>(bytes.reserved)));
  if (!handle.has_value()) return fail_no_event_handle();
  if (std::shared_ptr<IpcEvent> known = KnownEvents::instance().find(handle->name)) {
    FERRY_RETURN_IF_ERROR(enable_peer_of(device, known->creator_device_));
    return known;
  }
  Visit visit = sharing::visit(*handle, sharing::Kind::kEvent, device.id());
  if (visit.outcome != Visit::Outcome::kOpened) {
    return fail_visit("handle", visit, ACL_ERROR_RT_INVALID_HANDLE);
  }
  FERRY_TRY(std::shared_ptr<IpcEvent>, opened, adopt(visit, device));
  (*opened)->handle_ = *handle;
  return KnownEvents::instance().add(handle->name, *opened);
}

Result<std::shared_ptr<IpcEvent>> IpcEvent::adopt(Visit& visit, Device& device) {
  if (visit.is_far) {
    auto records = std::make_shared<FarEventRecords>(std::move(visit.hold));
    return std::shared_ptr<IpcEvent>(new IpcEvent(device, std::move(records), nullptr));
  }
  const auto facts = read_facts<EventFacts>(visit.facts);
  FERRY_TRY(std::shared_ptr<EventPage>, page, EventPage::open(visit.file.number()));
  FERRY_RETURN_IF_ERROR(enable_peer_of(device, facts.device));
  std::shared_ptr<IpcEvent> opened = make(device, std::move(*page));
  opened->creator_device_ = facts.device;
  opened->hold_ = std::move(visit.hold);
  return opened;
}

}  // namespace ferry
