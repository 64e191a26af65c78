// SPDX-License-Identifier: Apache-2.0
// Each entry counts the functions it waits for. Memory is released without the lock held.
#include "backends/cpu/running_functions.h"

#include "backends/cpu/services.h"

#include "acl/error_codes/rt_error_codes.h"

#include <memory>
#include <new>
#include <utility>

namespace ferry::cpu {

RunningFunctions& RunningFunctions::instance() {
  static constinit RunningFunctions functions;  // needs no memory: freeing comes here
  return functions;
}

uint64_t RunningFunctions::begin() {
  const std::lock_guard lock(mutex_);
  running_.fetch_add(1, std::memory_order_release);
  return next_number_++;
}

void RunningFunctions::end(uint64_t number) {
  for (Freed* entry = take_released(number); entry != nullptr;) {
    const std::unique_ptr<Freed> released(std::exchange(entry, entry->next));
    released->release(released->owner, released->memory);
  }
}

// The entries that waited for nothing but this function.
RunningFunctions::Freed* RunningFunctions::take_released(uint64_t number) {
  const std::lock_guard lock(mutex_);
  running_.fetch_sub(1, std::memory_order_release);
  Freed* released = nullptr;
  for (Freed** place = &freed_; *place != nullptr;) {
    Freed* entry = *place;
    if (number < entry->numbers && --entry->awaited == 0) {
      *place = entry->next;
      entry->next = std::exchange(released, entry);
    } else {
      place = &entry->next;
    }
  }
  return released;
}

std::unique_lock<std::mutex> RunningFunctions::keep_out() {
  std::unique_lock lock(mutex_);
  if (running_.load(std::memory_order_relaxed) != 0) lock.unlock();
  return lock;
}

void RunningFunctions::release_after(const ferryx_memory& memory, Release release, void* owner) {
  // A function that the freeing thread knows of has been counted.
  if (running_.load(std::memory_order_acquire) == 0) return release(owner, memory);
  std::unique_lock lock(mutex_);
  const uint64_t running = running_.load(std::memory_order_relaxed);
  if (running == 0) {
    lock.unlock();
    return release(owner, memory);
  }
  // Without memory for the entry the addresses are lost: better than giving them out too early.
  Freed* entry = new (std::nothrow) Freed{memory, release, owner, next_number_, running, freed_};
  if (entry != nullptr) freed_ = entry;
}

int fail_while_functions_run() {
  return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
              "device memory cannot be shared for the first time while a device function runs: "
              "synchronise its stream first");
}

}  // namespace ferry::cpu
