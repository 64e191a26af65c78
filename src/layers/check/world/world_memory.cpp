// SPDX-License-Identifier: Apache-2.0
// The life of memory: made, mapped, shared, cut into blocks by the program, ended.
#include "base/runtime_memory.h"
#include "layers/check/calls/call.h"
#include "layers/check/world/tell_rules.h"
#include "layers/check/world/world.h"

#include <unistd.h>

namespace ferry::layers::check {
namespace {

// The size of new memory as the program names it in the call: the runtime has added padding.
uint64_t requested_size(const ferryx_memory& memory) {
  const Call* call = Call::current();
  const uint64_t size = call == nullptr ? 0 : call->argument("size");
  return 0 < size && size < memory.size ? size : memory.size;
}

Range range_of(const ferryx_memory& memory) {
  const auto begin = reinterpret_cast<uintptr_t>(memory.address);
  return {begin, begin + memory.size};
}

}  // namespace

void World::memory_made(const ferryx_memory& memory) {
  const SiteId site = current_site();
  const uint64_t requested = requested_size(memory);
  return model([&] {
    Allocation& made = memory_.add(memory, site);
    made.requested = requested;
    if (is_making_runtime_memory) made.is_of_runtime = made.is_all_written = true;
    history_.forget(made.range());
    values_.forget(made.range());
  });
}

// What is submitted from now on is told from all that was.
Submitted World::submitted_by_now() {
  Submitted submitted{{kHost, order_.act().number}};
  for (const auto& [id, queue] : queues_)
    submitted[id] = queue.submitted;
  return submitted;
}

void World::block_taken(const void* address) {
  return model([&] { blocks_.taken(reinterpret_cast<uintptr_t>(address), submitted_by_now()); });
}

void World::block_released(const void* address) {
  const SiteId site = capture_site("");
  return model(
      [&] { blocks_.released(reinterpret_cast<uintptr_t>(address), submitted_by_now(), site); });
}

MemoryEnd World::end_by_call(SiteId site) const {
  const Call* call = Call::current();
  return {.function = call != nullptr ? call->name() : "a call",
          .site = site,
          .thread = gettid(),
          .knowledge = order_.host_knowledge(),
          .is_in_queue_order = false};
}

void World::end_memory(const Allocation& allocation, const MemoryEnd& end) {
  tell_rules(*this, &Rule::memory_ends, allocation, end);
  if (end.is_in_queue_order) end_uses(allocation.range(), end.knowledge);
  history_.forget(allocation.range());
  blocks_.forget(allocation.range());
  memory_.end(allocation.memory.address, end.site, end.thread);
}

void World::end_uses(const Range& range, const Knowledge& knowledge) {
  for (auto& [id, queue] : queues_) {
    for (const std::shared_ptr<Task>& task : queue.in_flight) {
      if (!task->device_box.overlaps(range) || !order_.is_before(task->moment, knowledge)) continue;
      std::erase_if(task->ranges,
                    [&](const TaskRange& used) { return used.range.overlaps(range); });
    }
  }
}

void World::memory_ends(const void* address, const MemoryEnd* queued) {
  const SiteId site = queued == nullptr ? current_site() : kNoSite;
  return model([&] {
    const Allocation* allocation = memory_.find(reinterpret_cast<uintptr_t>(address));
    if (allocation == nullptr || allocation->memory.address != address) return;
    end_memory(*allocation, queued != nullptr ? *queued : end_by_call(site));
  });
}

void World::memory_registered(const ferryx_memory& memory) {
  {
    const std::lock_guard lock(mutex_);
    if (memory_.find(reinterpret_cast<uintptr_t>(memory.address)) != nullptr) return;
  }
  memory_made(memory);
}

void* World::unguarded(void* address) {
  const std::lock_guard lock(mutex_);
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  const Allocation* allocation = memory_.find(wanted);
  if (allocation == nullptr) return address;
  return static_cast<char*>(allocation->memory.storage) + (wanted - allocation->range().begin);
}

void World::memory_unregistered(const void* address) {
  const SiteId site = current_site();
  return model([&] {
    const Allocation* allocation = memory_.find(reinterpret_cast<uintptr_t>(address));
    if (allocation == nullptr || allocation->memory.kind != FERRYX_MEMORY_REGISTERED) return;
    end_memory(*allocation, end_by_call(site));
  });
}

void World::memory_given_back(const void* address) {
  return model([&] { memory_.forget_freed(address); });
}

void World::memory_mapped(const ferryx_memory& part, const void* reservation) {
  const SiteId site = current_site();
  return model([&] {
    history_.forget(range_of(part));
    memory_.join(part, reservation, site);
  });
}

void World::mapping_ends(const ferryx_memory& part) {
  const SiteId site = current_site();
  return model([&] {
    const Allocation* run = memory_.find(reinterpret_cast<uintptr_t>(part.address));
    if (run == nullptr) return;
    Allocation mapping = *run;
    mapping.memory = part;
    tell_rules(*this, &Rule::memory_ends, mapping, end_by_call(site));
    history_.forget(mapping.range());
    memory_.cut(part, site);
  });
}

void World::memory_shared(const ferryx_memory& part) {
  return model([&] {
    Allocation* shared = memory_.find(reinterpret_cast<uintptr_t>(part.address));
    if (shared == nullptr) return;
    shared->is_shared = true;
    shared->is_all_written = true;
    shared->written = {};
    void_watches(range_of(part), nullptr);
  });
}

void World::addresses_released(const ferryx_memory& range) {
  return model([&] { memory_.forget_freed_in(range_of(range)); });
}

}  // namespace ferry::layers::check
