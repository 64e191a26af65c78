// SPDX-License-Identifier: Apache-2.0
// Live objects by handle, destroyed ones by age.
#include "layers/check/world/object_book.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace ferry::layers::check {
namespace {

constexpr size_t kMostDestroyed = 4096;

}  // namespace

const char* describe_kind(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kStream:
      return "stream";
    case ObjectKind::kEvent:
      return "event";
    case ObjectKind::kContext:
      return "context";
    case ObjectKind::kNotify:
      return "notify";
    case ObjectKind::kPhysical:
      return "piece of physical memory";
    case ObjectKind::kReservation:
      return "range of reserved addresses";
    case ObjectKind::kPool:
      return "memory pool";
  }
  return "object";
}

std::string describe(const Object& object) {
  char text[128];
  std::snprintf(text, sizeof text, "%s %p of device %d", describe_kind(object.kind), object.handle,
                object.device);
  return text;
}

Object& ObjectBook::add(const Object& object) {
  if (object.queue != kHost) streams_[object.queue] = object.handle;
  if (const auto live = live_.find(object.handle);
      live != live_.end() && object.kind == ObjectKind::kPhysical) {
    ++live->second.references;
    return live->second;
  }
  return live_[object.handle] = object;
}

const Object* ObjectBook::end(const void* handle, SiteId site) {
  const auto found = live_.find(handle);
  if (found == live_.end() || --found->second.references > 0) return nullptr;
  destroyed_.push_back(found->second);
  live_.erase(found);
  destroyed_.back().destroyed_at = site;
  destroyed_.back().destroyed_by = gettid();
  if (destroyed_.size() > kMostDestroyed) {
    streams_.erase(destroyed_.front().queue);
    destroyed_.pop_front();
  }
  return &destroyed_.back();
}

const Object* ObjectBook::find(const void* handle) const {
  const auto found = live_.find(handle);
  return found == live_.end() ? nullptr : &found->second;
}

const Object* ObjectBook::find_destroyed(const void* handle) const {
  const auto found = std::find_if(destroyed_.rbegin(), destroyed_.rend(),
                                  [&](const Object& object) { return object.handle == handle; });
  return found == destroyed_.rend() ? nullptr : &*found;
}

const Object* ObjectBook::stream_of(QueueId queue) const {
  const auto found = streams_.find(queue);
  if (found == streams_.end()) return nullptr;
  const Object* live = find(found->second);
  return live != nullptr ? live : find_destroyed(found->second);
}

}  // namespace ferry::layers::check
