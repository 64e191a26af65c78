// SPDX-License-Identifier: Apache-2.0
// Physical memory of this process that other processes import.
#pragma once

#include "core/shared_object.h"
#include "core/virtual_memory.h"
#include "sharing/descriptor.h"

#include "acl/acl_rt.h"
#include "ferry/backend.h"

#include <cstdint>

namespace ferry {

// What an importer is told of physical memory.
struct PhysicalFacts {
  ferryx_shared shared{};  // the descriptor travels beside it
  uint64_t size = 0;
  uint64_t page = 0;
  int32_t logical_device = 0;  // of the exporter
  aclrtPhysicalMemProp properties{};
};

// Physical memory under a name. May be shared between threads.
class ExportedPhysical final : public SharedObject {
 public:
  ExportedPhysical(aclrtDrvMemHandle handle, const sharing::Name& name, ShareAccess access,
                   sharing::Descriptor file, const PhysicalFacts& facts, int32_t device);

  const sharing::Name& name() const { return name_; }

 private:
  sharing::Answer show(const sharing::Visitor& visitor) override;
  void unused() override;

  const aclrtDrvMemHandle handle_;
  const sharing::Name name_;
  const sharing::Descriptor file_;
  const PhysicalFacts facts_;
  const int32_t device_;  // in the numbers of this program
};

// No process can open it from now on. Whether none holds it.
bool withdraw(ExportedPhysical& exported);

}  // namespace ferry
