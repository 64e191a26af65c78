// SPDX-License-Identifier: Apache-2.0
// The program's streams, events, contexts, notifies, memory pools, pieces of physical memory and
// reserved addresses, live and destroyed, by handle or first address.
#pragma once

#include "layers/check/order/order.h"
#include "layers/check/report/site.h"

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

namespace ferry::layers::check {

enum class ObjectKind : uint8_t {
  kStream,
  kEvent,
  kContext,
  kNotify,
  kPhysical,
  kReservation,
  kPool
};
const char* describe_kind(ObjectKind kind);

struct Object {
  ObjectKind kind = ObjectKind::kStream;
  const void* handle = nullptr;
  const void* context = nullptr;  // current when it was created
  int32_t device = -1;
  SiteId made_at = kNoSite;
  SiteId destroyed_at = kNoSite;
  int destroyed_by = 0;     // the kernel's thread id
  QueueId queue = kHost;    // of a stream
  uint64_t references = 1;  // of physical memory: how often it must be freed
};

// "stream 0x… of device 0"
std::string describe(const Object& object);

// Not safe to share between threads: protected by World's lock.
class ObjectBook {
 public:
  // Physical memory that is live already gets one more reference.
  Object& add(const Object& object);
  // Ends its life; nullptr when it is not live, or still referenced.
  const Object* end(const void* handle, SiteId site);
  const Object* find(const void* handle) const;
  // nullptr when it was never created, is live, or was destroyed long ago.
  const Object* find_destroyed(const void* handle) const;
  // The stream of the queue; nullptr for a default stream.
  const Object* stream_of(QueueId queue) const;
  const std::unordered_map<const void*, Object>& live() const { return live_; }

 private:
  std::unordered_map<const void*, Object> live_;
  std::unordered_map<QueueId, const void*>
      streams_;                   // handle of the stream of a queue, including destroyed ones
  std::deque<Object> destroyed_;  // latest last; the oldest are dropped
};

}  // namespace ferry::layers::check
