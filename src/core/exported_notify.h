// SPDX-License-Identifier: Apache-2.0
// A notify under a name, for other processes to set.
#pragma once

#include "core/device.h"
#include "core/shared_object.h"

#include "ferry/backend.h"

#include <cstdint>
#include <mutex>

namespace ferry {

// May be shared between threads.
class ExportedNotify final : public SharedObject {
 public:
  ExportedNotify(Device& device, ferryx_flag* flag, uint32_t id, const sharing::Name& name,
                 ShareAccess access);

  // The notify is about to be destroyed. Signals that come later have no effect.
  void end();
  void signalled() override;

 private:
  sharing::Answer show(const sharing::Visitor& visitor) override;
  void unused() override {}

  Device& device_;
  const uint32_t id_;
  const sharing::Name name_;
  std::mutex mutex_;  // protects flag_; held while it is set
  ferryx_flag* flag_;
};

}  // namespace ferry
