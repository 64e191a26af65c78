// SPDX-License-Identifier: Apache-2.0
// The list of all descriptors of this kind, and the handlers of fork that close them in the child.
#include "sharing/descriptor.h"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

namespace ferry::sharing {
namespace {

// Fork waits for the lock, so the list of the child is complete. No other lock is taken under it,
// except those of malloc, which fork takes later.
struct Registry {
  std::mutex mutex;  // guards the members below
  bool is_watching_fork = false;
  std::vector<bool> is_ours;  // by number; those that are open and belong to a Descriptor
};

Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

void hold_registry_for_fork() {
  registry().mutex.lock();
}

void release_registry_after_fork() {
  registry().mutex.unlock();
}

void close_all_in_child() {
  std::vector<bool>& is_ours = registry().is_ours;
  for (size_t number = 0; number < is_ours.size(); ++number) {
    if (!is_ours[number]) continue;
    close(static_cast<int>(number));
    is_ours[number] = false;
  }
  registry().mutex.unlock();
}

// Under the lock. Closes the descriptor if there is no memory for it.
void enlist(Registry& all, int number) {
  const auto index = static_cast<size_t>(number);
  try {
    if (!all.is_watching_fork) {
      if (pthread_atfork(hold_registry_for_fork, release_registry_after_fork, close_all_in_child) !=
          0)
        throw std::bad_alloc();
      all.is_watching_fork = true;
    }
    if (all.is_ours.size() <= index) all.is_ours.resize(index + 1);
  } catch (...) {
    close(number);
    throw;
  }
  all.is_ours[index] = true;
}

// Under the lock. False in a child of fork, where the descriptor is closed.
bool delist(Registry& all, int number) {
  const auto index = static_cast<size_t>(number);
  if (index >= all.is_ours.size() || !all.is_ours[index]) return false;
  all.is_ours[index] = false;
  return true;
}

}  // namespace

Descriptor::Descriptor(int number) {
  if (number < 0) return;
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  enlist(all, number);
  number_ = number;
}

Descriptor Descriptor::made_by(int (*make)(void*), void* argument) {
  Registry& all = registry();
  Descriptor made;
  const std::lock_guard lock(all.mutex);
  const int number = make(argument);
  if (number < 0) return made;
  enlist(all, number);
  made.number_ = number;
  return made;
}

int Descriptor::release() {
  if (number_ < 0) return -1;
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  delist(all, number_);
  return std::exchange(number_, -1);
}

void Descriptor::reset() {
  if (number_ < 0) return;
  const int reason = errno;
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  // Under the lock: a child that is forked between the two lines would keep it.
  if (delist(all, number_)) close(number_);
  number_ = -1;
  errno = reason;
}

}  // namespace ferry::sharing
