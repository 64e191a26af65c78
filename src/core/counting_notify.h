// SPDX-License-Identifier: Apache-2.0
// Counting notifies: a 32-bit count that streams change and wait for.
#pragma once

#include "base/status.h"
#include "core/handle_table.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>
#include <memory>

namespace ferry {

class Counter;

// May be shared between threads. Queued tasks keep the count alive.
class CountingNotify final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kCountingNotify;

  static Ref<CountingNotify> create();

  uint32_t id() const { return id_; }
  // The modes are valid.
  Status record(Stream& stream, const aclrtCntNotifyRecordInfo& info);
  // 207005 when the thread for time limits cannot be started.
  Status make_stream_wait(Stream& stream, const aclrtCntNotifyWaitInfo& info);
  Status reset(Stream& stream);

 private:
  explicit CountingNotify(uint32_t id);

  const uint32_t id_;
  const std::shared_ptr<Counter> counter_;
};

// 107000 for NULL, 107017 when the handle is not that of a live counting notify.
Result<Ref<CountingNotify>> find_counting_notify(aclrtCntNotify handle);

}  // namespace ferry
