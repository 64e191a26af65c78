// SPDX-License-Identifier: Apache-2.0
// Events. Each record creates a new marker, so a wait refers to the record that was the latest when
// the wait was requested, whatever is recorded afterwards.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/handle_table.h"
#include "core/stream.h"

#include "acl/acl_rt.h"
#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ferry {

class IpcEvent;
class Model;

// A counted reference to a marker of a backend.
class MarkerRef {
 public:
  MarkerRef() = default;
  MarkerRef(const ferryx_backend& backend, ferryx_marker* counted)
      : backend_(&backend), marker_(counted) {}
  MarkerRef(const MarkerRef& other) : backend_(other.backend_), marker_(other.marker_) {
    if (marker_ != nullptr) backend_->marker_retain(marker_);
  }
  MarkerRef(MarkerRef&& other) noexcept
      : backend_(other.backend_), marker_(std::exchange(other.marker_, nullptr)) {}
  MarkerRef& operator=(MarkerRef other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(marker_, other.marker_);
    return *this;
  }
  ~MarkerRef() {
    if (marker_ != nullptr) backend_->marker_release(marker_);
  }

  static Result<MarkerRef> create(Device& device);

  explicit operator bool() const { return marker_ != nullptr; }
  ferryx_marker* get() const { return marker_; }
  // Not for an empty reference.
  const ferryx_backend& backend() const { return *backend_; }
  Status query(bool& is_reached) const;
  // The same; a failed query counts as not reached.
  bool is_reached() const;
  Status synchronize(int64_t timeout) const;
  Status time(uint64_t& nanoseconds) const;

 private:
  const ferryx_backend* backend_ = nullptr;
  ferryx_marker* marker_ = nullptr;
};

// May be shared between threads.
class Event final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kEvent;
  // Which function created it; the kinds differ in what the event may be used for.
  enum class Kind { kPlain, kFlagged, kEx };

  // 207007 when the device has no event left. With ACL_EVENT_IPC other processes can open it.
  static Result<Ref<Event>> create(Device& device, Kind kind, uint32_t flags);
  // Opens an event that another process, or this one, has created. 107017 when there is none.
  static Result<Ref<Event>> open(Device& device, const aclrtIpcEventHandle& bytes);

  Kind kind() const { return kind_; }
  uint32_t flags() const { return flags_; }
  uint32_t id() const { return id_; }
  // What it shares with other processes; nullptr when it is not such an event.
  IpcEvent* ipc() const { return ipc_.get(); }

  // 107000 when a stream on another kind of device already waits for the next record.
  Status record(Stream& stream);
  // 207000 for an event that only records times, 107000 for a plain one that was never recorded,
  // unless the stream is recorded in a model: `given` is empty for the default stream.
  Status check_awaitable(const Ref<Stream>& given);
  Status make_stream_wait(Stream& stream, int64_t timeout);
  Status reset(Stream& stream);

  // The latest record; empty when there is none.
  MarkerRef latest();
  // A run of a model is about to record it.
  void set_latest(const MarkerRef& marker);
  // For an event made with ACL_EVENT_EXTERNAL, in a run: records it as complete, forgets the latest
  // record; what a wait waits for, be it a record that is still to come.
  Status record_now(Device& device);
  Status reset_now();
  Result<MarkerRef> marker_for_run(Device& device);
  // Whether all waits queued on streams so far have ended.
  bool are_waits_done();

  // Where it was recorded in a capture that is active; the model is nullptr when it was not.
  // Guarded by the lock of recordings (recording.h).
  struct Point {
    Model* model = nullptr;
    TaskPlace place;
  };
  Point point;
  // The flag of the first record, and of the first wait, that was given one; -1 before. Later ones
  // must be the same.
  std::atomic<int> record_flag{-1};
  std::atomic<int> wait_flag{-1};

 private:
  Event(Resource resource, Kind kind, uint32_t flags, std::shared_ptr<IpcEvent> ipc);
  static Result<Resource> take_resource(Device& device);
  static Ref<Event> insert(Resource resource, Kind kind, uint32_t flags,
                           std::shared_ptr<IpcEvent> ipc);
  // The marker the stream must wait for; empty when there is nothing to wait for.
  Result<MarkerRef> marker_to_await(const Stream& stream);
  Status mark(Stream& stream, const MarkerRef& marker);
  Status fail_never_recorded() const;
  // 107000 when the stream's backend does not know the marker.
  Status check_backend(const MarkerRef& marker, const Stream& stream) const;

  const Resource resource_;
  const Kind kind_;
  const uint32_t flags_;
  const uint32_t id_;
  const std::shared_ptr<IpcEvent> ipc_;

  std::mutex mutex_;  // guards the members below; held during submissions to keep their order
  MarkerRef latest_;  // of the latest record
  void* recorded_on_ = nullptr;   // handle of the stream of that record
  MarkerRef next_;                // awaited before it was recorded: the next record takes it
  std::vector<MarkerRef> waits_;  // one per queued wait, reached when the wait has ended
};

// 100000 for NULL, 107017 when the handle is not that of a live event.
Result<Ref<Event>> find_event(aclrtEvent handle, const char* argument = "event");

// The timeout of stream waits that have none of their own (aclrtSetOpWaitTimeout); 0 is forever.
void set_default_wait_seconds(uint32_t seconds);
int64_t default_wait();

}  // namespace ferry
