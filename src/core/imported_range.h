// SPDX-License-Identifier: Apache-2.0
// Memory that another process has exported by a key, at an address of this process.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "sharing/visit.h"

#include "ferry/backend.h"

#include <cstdint>

namespace ferry {

// What an importer is told of the memory of a key.
struct RangeFacts {
  ferryx_shared shared{};  // the descriptor travels beside it
  uint64_t size = 0;
  int32_t logical_device = 0;  // of the exporter
};

// Unmapped and let go of at the end of its life. Constant once it is mapped.
class ImportedRange {
 public:
  explicit ImportedRange(Device& device) : device_(device) {}
  ~ImportedRange();
  ImportedRange(const ImportedRange&) = delete;
  ImportedRange& operator=(const ImportedRange&) = delete;

  // Once. Undone by the destructor, as far as it came.
  Status map(const RangeFacts& facts, sharing::Visit visit);

  const ferryx_memory& memory() const { return memory_; }
  // The exporter's device, if it is another one that this program sees; else nullptr.
  Device* owner() const { return owner_; }

 private:
  Device& device_;
  Device* owner_ = nullptr;
  ferryx_memory range_{};   // the addresses
  ferryx_memory mapped_{};  // as the backend has mapped it: whole pages
  ferryx_memory memory_{};  // as copies find it: exactly what was exported
  bool is_known_ = false;   // copies find it
  ferryx_physical* physical_ = nullptr;
  sharing::Hold hold_;
};

}  // namespace ferry
