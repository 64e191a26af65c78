// SPDX-License-Identifier: Apache-2.0
// Mapping what another process has exported, with the slots of virtual memory.
#include "core/imported_range.h"

#include "core/runtime.h"
#include "core/virtual_memory.h"

namespace ferry {

Status ImportedRange::map(const RangeFacts& facts, sharing::Visit visit) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  FERRY_TRY(ferryx_device*, open, device_.open());
  const ferryx_backend& backend = device_.backend();
  if (backend.physical_import == nullptr || backend.address_reserve == nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006,
                "device %d (%s) cannot use memory of other processes", device_.id(), backend.name);
  }
  ferryx_shared shared = facts.shared;
  shared.file = visit.file.number();
  FERRY_RETURN_IF_ERROR(Status(device_.tapped().physical_import(*open, &shared, &physical_)));
  FERRY_RETURN_IF_ERROR(Status(
      backend.address_reserve(device_.instance(), shared.size, kVirtualPage, nullptr, &range_)));
  FERRY_RETURN_IF_ERROR(
      Status(backend.physical_map(*open, physical_, &range_, 0, shared.size, &mapped_)));
  memory_ = mapped_;
  memory_.size = facts.size;
  memory_.device = static_cast<uint32_t>(device_.id());
  is_known_ = (*runtime)->memory().insert(memory_, facts.size);
  if (!is_known_) {
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
                "the backend has mapped memory at %p that is in use", memory_.address);
  }
  Device* const owner = (*runtime)->device_with_logical_id(facts.logical_device);
  if (owner != &device_) owner_ = owner;
  hold_ = std::move(visit.hold);
  return {};
}

// Copies stop finding it first, so that none begins while the backend waits for those that have.
ImportedRange::~ImportedRange() {
  const ferryx_backend& backend = device_.backend();
  Result<Runtime*> runtime = Runtime::get();
  ferryx_memory removed{};
  if (is_known_ && runtime.ok()) {
    (*runtime)->memory().remove(memory_.address, FERRYX_MEMORY_DEVICE, removed);
  }
  if (mapped_.address != nullptr) backend.physical_unmap(device_.handle(), &mapped_);
  if (range_.address != nullptr) backend.address_release(device_.instance(), &range_);
  if (physical_ != nullptr) backend.physical_release(device_.handle(), physical_);
}

}  // namespace ferry
