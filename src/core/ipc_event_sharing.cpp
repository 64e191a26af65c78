// SPDX-License-Identifier: Apache-2.0
// How processes find an event that they share: handles, and what the creating process offers.
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

// What a visitor is told.
struct EventFacts {
  int32_t device = -1;  // logical id, in the creating process
};

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
    return found == events_.end() ? nullptr : found->second.lock();
  }
  // The one with this name, which is `event` unless another thread was faster.
  std::shared_ptr<IpcEvent> add(const Name& name, const std::shared_ptr<IpcEvent>& event) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<IpcEvent>& known = events_[name];
    if (std::shared_ptr<IpcEvent> other = known.lock()) return other;
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
  std::mutex mutex_;  // guards events_
  Entries events_;
};

Status fail_no_event_handle() {
  return reject(ACL_ERROR_RT_INVALID_HANDLE, kEE1017, "handle")
      .because(" is none of aclrtIpcGetEventHandle: all %zu bytes must be carried over",
               sharing::kEventHandleSize);
}

}  // namespace

// Answers as long as the event of the creator lives, or another process holds it.
class EventOffer final : public sharing::Offer {
 public:
  EventOffer(const Name& name, Descriptor file, const EventFacts& facts)
      : name_(name), file_(std::move(file)), facts_(facts) {}

  sharing::Kind kind() const override { return sharing::Kind::kEvent; }

  Answer open(const sharing::Visitor& /*visitor*/) override {
    const std::lock_guard lock(mutex_);
    if (holders_ == 0) {
      return {.code = ACL_ERROR_RT_INVALID_HANDLE, .text = "all processes have destroyed it"};
    }
    ++holders_;
    Answer answer;
    answer.file = file_.number();
    write_facts(facts_, answer.facts);
    return answer;
  }

  // A visitor has let go of the event, or the creator has destroyed it.
  void closed() override {
    bool is_over = false;
    {
      const std::lock_guard lock(mutex_);
      is_over = --holders_ == 0;
    }
    // Without the lock: it waits for a call of open().
    if (is_over) Exchange::instance().withdraw(name_);
  }

 private:
  const Name name_;
  const Descriptor file_;
  const EventFacts facts_;
  std::mutex mutex_;      // guards holders_
  uint64_t holders_ = 1;  // visitors, and the creator
};

IpcEvent::~IpcEvent() {
  watcher_->close();
  if (offer_ != nullptr) offer_->closed();
  if (handle_.has_value()) KnownEvents::instance().remove_ended(handle_->name);
}

Status IpcEvent::get_handle(aclrtIpcEventHandle& bytes) {
  const std::lock_guard lock(sharing_mutex_);
  if (!handle_.has_value()) {
    FERRY_TRY(Name, name, sharing::make_name());
    FERRY_TRY(Handle, handle, Exchange::instance().handle(*name));
    FERRY_TRY(Descriptor, file, page_->file_to_pass());
    auto offer = std::make_shared<EventOffer>(*name, std::move(*file),
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
  const auto facts = read_facts<EventFacts>(visit.facts);
  FERRY_TRY(std::shared_ptr<EventPage>, page, EventPage::open(visit.file.number()));
  FERRY_RETURN_IF_ERROR(enable_peer_of(device, facts.device));
  const std::shared_ptr<IpcEvent> opened(new IpcEvent(device, *page));
  opened->creator_device_ = facts.device;
  opened->handle_ = *handle;
  opened->hold_ = std::move(visit.hold);
  return KnownEvents::instance().add(handle->name, opened);
}

}  // namespace ferry
