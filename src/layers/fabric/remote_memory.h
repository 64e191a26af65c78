// SPDX-License-Identifier: Apache-2.0
// Which addresses of this process stand for memory of other hosts.
#pragma once

#include "layers/fabric/fabric_plugin.h"

#include "ferry/backend.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace ferry::layers::fabric {

// Imported memory of another host, in the place of a backend's ferryx_physical.
struct RemotePhysical {
  ferryx_fabric_opening* opening = nullptr;
};

// A mapping that jobs use. Unmapping waits for them.
struct RemoteMapping {
  bool has(uintptr_t address) const { return address - start < size; }

  uintptr_t start = 0;
  uint64_t size = 0;
  ferryx_fabric_opening* opening = nullptr;
  uint32_t users = 0;  // guarded by the lock of RemoteMemory
};

// Bytes of one mapping.
struct RemoteSpan {
  ferryx_fabric_opening* opening = nullptr;
  uint64_t offset = 0;
  uint64_t size = 0;
};

// May be shared between threads; never destroyed.
class RemoteMemory {
 public:
  static RemoteMemory& instance();

  // Whether there are mappings. One load: work of programs without any pays no more.
  static bool is_used() { return mapping_count.load(std::memory_order_acquire) > 0; }

  ferryx_physical* add(ferryx_fabric_opening* opening);
  bool has(const ferryx_physical* physical) const;
  void remove(ferryx_physical* physical);

  // The addresses are reserved, and nothing is mapped there.
  void map(const ferryx_physical* physical, void* address, uint64_t size);
  // False when nothing of another host is mapped there. Waits for transfers.
  bool unmap(const void* address);

  bool holds(const void* address) const;

 private:
  friend class RemoteLookup;
  friend class RemoteUse;
  using Mappings = std::map<uintptr_t, std::shared_ptr<RemoteMapping>>;
  Mappings::const_iterator around(uintptr_t address) const;

  static inline std::atomic<uint32_t> mapping_count{0};

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable unused_;
  std::set<const RemotePhysical*> physicals_;
  Mappings mappings_;
};

// RemoteMemory::holds() for many addresses: remembers the mapping, or the gap between two, that the
// latest address was in. Used by one thread, for a moment: mappings may come and go meanwhile.
class RemoteLookup {
 public:
  bool holds(const void* address);

 private:
  uintptr_t start_ = 0;
  uint64_t size_ = 0;
  bool is_mapped_ = false;
};

// The mappings that one job uses, each counted once. Used by one thread at a time.
class RemoteUse {
 public:
  RemoteUse() = default;
  ~RemoteUse() { end(); }
  RemoteUse(const RemoteUse&) = delete;
  RemoteUse& operator=(const RemoteUse&) = delete;

  // Adds the spans of a range. False when the range is not all memory of other hosts; then nothing
  // is added.
  bool add(const void* address, uint64_t size, std::vector<RemoteSpan>& spans);
  // They may be unmapped from now on.
  void end();

 private:
  const RemoteMapping* find(uintptr_t address);

  std::vector<std::shared_ptr<RemoteMapping>> mappings_;
};

}  // namespace ferry::layers::fabric
