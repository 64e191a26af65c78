// SPDX-License-Identifier: Apache-2.0
// One cache per thread, created on first use and destroyed with the thread.
#include "layers/check/report/recent_sites.h"

#include <pthread.h>

#include <cstdint>

namespace ferry::layers::check {
namespace {

struct Key {
  pthread_key_t key{};
  bool is_made =
      pthread_key_create(&key, [](void* recent) { delete static_cast<RecentSites*>(recent); }) == 0;
};

// Not a thread_local with a destructor: its first use takes the loader's lock, and another thread
// may wait for this one in a constructor of a library, which holds that lock.
const Key& key_of_threads() {
  static const Key key;
  return key;
}

}  // namespace

RecentSites* RecentSites::of_this_thread() {
  const Key& own = key_of_threads();
  if (!own.is_made) return nullptr;
  auto* recent = static_cast<RecentSites*>(pthread_getspecific(own.key));
  if (recent != nullptr) return recent;
  recent = new RecentSites;
  if (pthread_setspecific(own.key, recent) == 0) return recent;
  delete recent;
  return nullptr;
}

RecentSites::Entry& RecentSites::entry(const char* function, const void* frame) {
  const auto mixed =
      (reinterpret_cast<uintptr_t>(function) >> 3) ^ (reinterpret_cast<uintptr_t>(frame) >> 4);
  return entries_[mixed % kEntries];
}

}  // namespace ferry::layers::check
