// SPDX-License-Identifier: Apache-2.0
// Notifies: a flag that one stream sets and another waits for and clears.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/handle_table.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry {

// May be shared between threads.
class Notify final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kNotify;

  // 207009 when the device has no notify left.
  static Result<Ref<Notify>> create(Device& device);
  ~Notify();

  uint32_t id() const { return id_; }
  // Both fail with 107000 when the stream is on another kind of device.
  Status record(Stream& stream);
  Status make_stream_wait(Stream& stream, int64_t timeout);
  Status clear();

 private:
  explicit Notify(Device& device);
  Status check_backend(const Stream& stream) const;

  Device& device_;
  const uint32_t id_;
  ferryx_flag* flag_ = nullptr;
};

// 100000 for NULL, 107017 when the handle is not that of a live notify.
Result<Ref<Notify>> find_notify(aclrtNotify handle, const char* argument = "notify");

}  // namespace ferry
