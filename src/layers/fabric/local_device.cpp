// SPDX-License-Identifier: Apache-2.0
// Buffers stay pinned once they were used: pinning takes longer than copying.
#include "layers/fabric/local_device.h"

#include "base/work.h"

#include "acl/error_codes/rt_error_codes.h"

#include <memory>

namespace ferry::layers::fabric {
namespace {

std::mutex devices_mutex;  // guards what follows
std::map<uint32_t, std::unique_ptr<LocalDevice>>& devices() {
  static auto* const all = new std::map<uint32_t, std::unique_ptr<LocalDevice>>;
  return *all;
}

}  // namespace

bool LocalDevice::take_buffer(ferryx_memory& buffer) {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      buffer = free_.back();
      free_.pop_back();
      return true;
    }
  }
  return backend_->host_alloc(device_, kBuffer, &buffer) == ACL_RT_SUCCESS;
}

void LocalDevice::give_buffer(const ferryx_memory& buffer) {
  const std::lock_guard lock(mutex_);
  free_.push_back(buffer);
}

int LocalDevice::copy(const std::vector<ferryx_copy>& items, ferryx_direction direction,
                      uint64_t epoch) const {
  ferryx_work work = make_work(FERRYX_COPIES, &ferryx_payload::copies,
                               {.items = items.data(),
                                .count = items.size(),
                                .direction = static_cast<uint32_t>(direction),
                                .flags = FERRYX_COPY_RESOLVED},
                               epoch);
  work.origin = {
      .call = "the fabric", .task = 0, .stream = -1, .context = nullptr, .correlation = 0};
  return backend_->device_execute(device_, &work);
}

void note_device(uint32_t number, const ferryx_backend* backend, ferryx_device* device) {
  if ((backend->capabilities & FERRYX_STORAGE_IS_HOST_MEMORY) != 0) return;
  const std::lock_guard lock(devices_mutex);
  devices()[number] = std::make_unique<LocalDevice>(backend, device);
}

LocalDevice* device_that_moves(const ferryx_memory& memory) {
  if (memory.kind != FERRYX_MEMORY_DEVICE) return nullptr;
  const std::lock_guard lock(devices_mutex);
  const auto found = devices().find(memory.device);
  return found == devices().end() ? nullptr : found->second.get();
}

}  // namespace ferry::layers::fabric
