// SPDX-License-Identifier: Apache-2.0
// Events that several processes share. A record is an ordinary marker of this process and a ticket
// on a page that all processes have (core/event_records.h). A wait is for the record with the
// newest ticket: by its marker if it is a record of this process, by the page otherwise.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/event.h"
#include "core/event_records.h"
#include "core/stream.h"
#include "core/wait_limit.h"
#include "sharing/event_page.h"
#include "sharing/handle.h"
#include "sharing/visit.h"

#include "acl/acl_rt.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace ferry {

class EventOffer;

// What all events of this process that share one page have in common. May be shared between
// threads.
class IpcEvent : public std::enable_shared_from_this<IpcEvent> {
 public:
  static Result<std::shared_ptr<IpcEvent>> create(Device& device);
  // That of another process, or of this one. 107017 when no process offers it.
  static Result<std::shared_ptr<IpcEvent>> open(const aclrtIpcEventHandle& bytes, Device& device);
  ~IpcEvent();
  IpcEvent(const IpcEvent&) = delete;
  IpcEvent& operator=(const IpcEvent&) = delete;

  // Lets other processes open it, from the first call on. The same bytes each time.
  Status get_handle(aclrtIpcEventHandle& bytes);

  // Its creator's host is lost: opening it again may succeed.
  bool is_lost() const { return records_->is_lost(); }

  Status record(Stream& stream);
  Status make_stream_wait(Stream& stream, int64_t timeout);
  Status query(bool& is_complete);
  // `event` is the handle, for texts.
  Status synchronize(const void* event, const WaitLimit& limit);

 private:
  // A record of this process.
  struct OwnRecord {
    uint64_t ticket = 0;  // 0: none
    MarkerRef marker;
    void* stream = nullptr;  // handle
  };

  // `page`: nullptr for an event of another host.
  IpcEvent(Device& device, std::shared_ptr<EventRecords> records,
           std::shared_ptr<sharing::EventPage> page);
  static std::shared_ptr<IpcEvent> make(Device& device, std::shared_ptr<sharing::EventPage> page);
  static Result<std::shared_ptr<IpcEvent>> adopt(sharing::Visit& visit, Device& device);
  OwnRecord latest();
  // The ticket of a record whose marker is queued.
  Result<uint64_t> begin(const MarkerRef& marker, const Stream& stream);
  Status await_foreign(Stream& stream, const EventRecords::Record& record, int64_t timeout);
  // The end of a foreign record has been seen.
  void tell_host() const;

  Device& device_;
  int32_t creator_device_;  // logical id, in the process that created it; set before it is shared
  const std::shared_ptr<EventRecords> records_;
  const std::shared_ptr<sharing::EventPage> page_;

  std::mutex order_mutex_;  // held during submissions, so that tickets and markers are in one order
  std::mutex latest_mutex_;  // guards latest_
  OwnRecord latest_;

  std::mutex sharing_mutex_;  // guards the members below
  std::optional<sharing::Handle> handle_;
  std::shared_ptr<EventOffer> offer_;  // nullptr: not offered by this object
  sharing::Hold hold_;                 // of an event of another process
};

}  // namespace ferry
