// SPDX-License-Identifier: Apache-2.0
// The checks of the contract for memory that a process exports and imports itself, for another of
// its devices.
#include "model.h"

namespace stress::virtual_memory {

aclError Model::export_memory(aclrtDrvMemHandle handle, uint64_t flags, bool has_output) const {
  if (handle == nullptr || !has_output) return kBadArgument;
  if (flags > 1 || !is_alive(handle)) return kBadValue;
  const Memory& memory = handles_.at(handle);
  return memory.is_exported || memory.source != nullptr ? kRefused : kOk;
}

void Model::exported(aclrtDrvMemHandle handle, uint64_t flags, uint64_t number) {
  handles_.at(handle).is_exported = true;
  numbers_[number] = {handle, flags == 0, false};
}

void Model::drop_number_of(aclrtDrvMemHandle handle) {
  std::erase_if(numbers_, [&](const auto& entry) { return entry.second.handle == handle; });
}

aclError Model::list(uint64_t number, bool has_own_pid, bool has_pid) {
  if (!has_pid) return kBadArgument;
  const auto found = numbers_.find(number);
  if (found == numbers_.end()) return kBadHandle;
  if (!found->second.has_list) return kNoPermission;
  found->second.is_listed |= has_own_pid;
  return kOk;
}

bool Model::is_import_left_open(uint64_t number) const {
  const auto found = numbers_.find(number);
  return found != numbers_.end() && !is_alive(found->second.handle);
}

aclError Model::import(uint64_t number, int32_t device, bool has_output) const {
  if (!has_output) return kBadArgument;
  if (device < 0 || device >= static_cast<int32_t>(kDevices)) return kNoDevice;
  const auto found = numbers_.find(number);
  if (found == numbers_.end()) return kBadHandle;
  if (found->second.has_list && !found->second.is_listed) return kRefused;
  const Place own = handles_.at(found->second.handle).place;
  return own.first == kHost || own.second == static_cast<uint32_t>(device) ? kRefused : kOk;
}

aclrtDrvMemHandle Model::import_again(uint64_t number, uint32_t device) const {
  const aclrtDrvMemHandle source = numbers_.at(number).handle;
  for (const auto& [handle, memory] : handles_) {
    if (memory.source == source && memory.place.second == device) return handle;
  }
  return nullptr;
}

void Model::imported(uint64_t number, uint32_t device, aclrtDrvMemHandle handle) {
  const aclrtDrvMemHandle source = numbers_.at(number).handle;
  if (import_again(number, device) == nullptr) {
    Memory& memory = handles_[handle] = {};
    const Memory& shared = handles_.at(source);
    memory.size = shared.size;
    memory.place = {kDevice, device};
    memory.prop = shared.prop;
    memory.source = source;
    ++handles_.at(source).importers;
  }
  ++handles_.at(handle).references;
}

}  // namespace stress::virtual_memory
