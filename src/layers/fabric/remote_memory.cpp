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

bool RemoteMemory::use(const void* address, uint64_t size, std::vector<RemoteSpan>& spans) {
  const size_t before = spans.size();
  uintptr_t next = number_of(address);
  const std::lock_guard lock(mutex_);
  for (uint64_t left = size; left > 0;) {
    const auto found = around(next);
    if (found == mappings_.end()) {
      spans.resize(before);
      return false;
    }
    const uint64_t offset = next - found->first;
    const uint64_t part = std::min(left, found->second->size - offset);
    spans.push_back({found->second, offset, part});
    next += part;
    left -= part;
  }
  for (size_t i = before; i < spans.size(); ++i)
    ++spans[i].mapping->users;
  return true;
}

void RemoteMemory::end_use(const std::vector<RemoteSpan>& spans) {
  bool is_any_unused = false;
  const std::lock_guard lock(mutex_);
  for (const RemoteSpan& span : spans)
    is_any_unused |= --span.mapping->users == 0;
  if (is_any_unused) unused_.notify_all();
}

}  // namespace ferry::layers::fabric
