// SPDX-License-Identifier: Apache-2.0
// Mappings by address, with the number of transfers that use each.
#include "layers/fabric/remote_memory.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::fabric {
namespace {

uintptr_t number_of(const void* address) {
  return reinterpret_cast<uintptr_t>(address);
}

const RemotePhysical* as_remote(const ferryx_physical* physical) {
  return reinterpret_cast<const RemotePhysical*>(physical);
}

}  // namespace

RemoteMemory& RemoteMemory::instance() {
  static auto* memory = new RemoteMemory;
  return *memory;
}

ferryx_physical* RemoteMemory::add(ferryx_fabric_opening* opening) {
  auto made = std::make_unique<RemotePhysical>(RemotePhysical{opening});
  const std::lock_guard lock(mutex_);
  physicals_.insert(made.get());
  return reinterpret_cast<ferryx_physical*>(made.release());
}

bool RemoteMemory::has(const ferryx_physical* physical) const {
  const std::lock_guard lock(mutex_);
  return physicals_.contains(as_remote(physical));
}

void RemoteMemory::remove(ferryx_physical* physical) {
  const std::lock_guard lock(mutex_);
  const std::unique_ptr<const RemotePhysical> own(as_remote(physical));
  physicals_.erase(own.get());
}

void RemoteMemory::map(const ferryx_physical* physical, void* address, uint64_t size) {
  auto made = std::make_shared<RemoteMapping>();
  made->start = number_of(address);
  made->size = size;
  made->opening = as_remote(physical)->opening;
  const std::lock_guard lock(mutex_);
  mappings_[made->start] = made;
  mapping_count.fetch_add(1, std::memory_order_release);
}

bool RemoteMemory::unmap(const void* address) {
  std::unique_lock lock(mutex_);
  const auto found = mappings_.find(number_of(address));
  if (found == mappings_.end()) return false;
  const std::shared_ptr<RemoteMapping> mapping = std::move(found->second);
  mappings_.erase(found);
  mapping_count.fetch_sub(1, std::memory_order_release);
  unused_.wait(lock, [&] { return mapping->users == 0; });
  return true;
}

RemoteMemory::Mappings::const_iterator RemoteMemory::around(uintptr_t address) const {
  const auto behind = mappings_.upper_bound(address);
  if (behind == mappings_.begin()) return mappings_.end();
  const auto found = std::prev(behind);
  return address - found->first < found->second->size ? found : mappings_.end();
}

bool RemoteMemory::holds(const void* address) const {
  const std::lock_guard lock(mutex_);
  return around(number_of(address)) != mappings_.end();
}

bool RemoteLookup::holds(const void* address) {
  const uintptr_t wanted = number_of(address);
  if (wanted - start_ < size_) return is_mapped_;
  const RemoteMemory& memory = RemoteMemory::instance();
  const std::lock_guard lock(memory.mutex_);
  const auto found = memory.around(wanted);
  is_mapped_ = found != memory.mappings_.end();
  if (is_mapped_) {
    start_ = found->second->start;
    size_ = found->second->size;
    return true;
  }
  const auto behind = memory.mappings_.upper_bound(wanted);
  const bool is_first = behind == memory.mappings_.begin();
  start_ = is_first ? 0 : std::prev(behind)->second->start + std::prev(behind)->second->size;
  size_ = (behind == memory.mappings_.end() ? UINTPTR_MAX : behind->first) - start_;
  return false;
}

// ---- jobs ----

const RemoteMapping* RemoteUse::find(uintptr_t address) {
  for (size_t i = mappings_.size(); i > 0; --i) {
    if (mappings_[i - 1]->has(address)) return mappings_[i - 1].get();
  }
  RemoteMemory& memory = RemoteMemory::instance();
  const std::lock_guard lock(memory.mutex_);
  const auto found = memory.around(address);
  if (found == memory.mappings_.end()) return nullptr;
  mappings_.push_back(found->second);
  ++found->second->users;
  return found->second.get();
}

bool RemoteUse::add(const void* address, uint64_t size, std::vector<RemoteSpan>& spans) {
  const size_t before = spans.size();
  uintptr_t next = number_of(address);
  for (uint64_t left = size; left > 0;) {
    const RemoteMapping* const mapping = find(next);
    if (mapping == nullptr) {
      spans.resize(before);
      return false;
    }
    const uint64_t offset = next - mapping->start;
    const uint64_t part = std::min(left, mapping->size - offset);
    spans.push_back({mapping->opening, offset, part});
    next += part;
    left -= part;
  }
  return true;
}

void RemoteUse::end() {
  if (mappings_.empty()) return;
  RemoteMemory& memory = RemoteMemory::instance();
  bool is_any_unused = false;
  const std::lock_guard lock(memory.mutex_);
  for (const std::shared_ptr<RemoteMapping>& mapping : mappings_)
    is_any_unused |= --mapping->users == 0;
  mappings_.clear();
  if (is_any_unused) memory.unused_.notify_all();
}

}  // namespace ferry::layers::fabric
