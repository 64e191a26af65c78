// SPDX-License-Identifier: Apache-2.0
// The process is locked, but threads may still free memory: a range that is gone is no error.
#include "core/profile/snapshot_memory.h"

#include "base/work.h"
#include "core/copy.h"
#include "core/runtime.h"

#include <new>
#include <utility>

namespace ferry {
namespace {

bool is_live(const ferryx_memory& memory) {
  const Location now = locate(memory.address);
  return now.memory.kind == memory.kind && now.memory.address == memory.address &&
         now.memory.size == memory.size && now.memory.storage != nullptr;
}

Status copy_during_snapshot(const ferryx_memory& memory, const CopyRequest& request,
                            ferryx_direction direction) {
  FERRY_TRY(Device*, device, find_device(memory.device));
  const ferryx_copy copy = make_copy(request, locate(request.dst), locate(request.src));
  ferryx_work work = make_work(FERRYX_COPIES, &ferryx_payload::copies,
                               {.items = &copy, .count = 1, .direction = direction, .flags = 0});
  return (*device)->execute_unseen(work);
}

}  // namespace

Result<std::vector<SavedMemory>> save_device_memory() {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  std::vector<SavedMemory> all;
  for (const ferryx_memory& memory : (*runtime)->memory().all_live()) {
    if (memory.kind != FERRYX_MEMORY_DEVICE || memory.storage == nullptr) continue;
    SavedMemory saved{memory, std::unique_ptr<char[]>(new (std::nothrow) char[memory.size])};
    if (saved.bytes == nullptr) {
      return fail(ACL_ERROR_SNAPSHOT_BACKUP_FAILED, kEE1001,
                  "the host has no memory for %llu bytes of device %u",
                  static_cast<unsigned long long>(memory.size), memory.device);
    }
    const Status copied = copy_during_snapshot(
        memory, {.dst = saved.bytes.get(), .src = memory.address, .size = memory.size},
        FERRYX_DEVICE_TO_HOST);
    if (!is_live(memory)) continue;
    if (!copied.ok()) {
      return fail(ACL_ERROR_SNAPSHOT_BACKUP_FAILED, kEE1001,
                  "%llu bytes of device %u at %p could not be copied: code %d",
                  static_cast<unsigned long long>(memory.size), memory.device, memory.address,
                  copied.code());
    }
    all.push_back(std::move(saved));
  }
  return {std::move(all)};
}

Status restore_device_memory(const std::vector<SavedMemory>& saved) {
  for (const SavedMemory& each : saved) {
    const ferryx_memory& memory = each.memory;
    if (!is_live(memory)) {
      FERRY_LOG(kInfo, "%llu bytes of device %u at %p were freed since the backup",
                static_cast<unsigned long long>(memory.size), memory.device, memory.address);
      continue;
    }
    const Status copied = copy_during_snapshot(
        memory, {.dst = memory.address, .src = each.bytes.get(), .size = memory.size},
        FERRYX_HOST_TO_DEVICE);
    if (copied.ok() || !is_live(memory)) continue;
    return fail(ACL_ERROR_SNAPSHOT_RESTORE_FAILED, kEE1001,
                "%llu bytes of device %u at %p could not be copied: code %d",
                static_cast<unsigned long long>(memory.size), memory.device, memory.address,
                copied.code());
  }
  return {};
}

}  // namespace ferry
