// SPDX-License-Identifier: Apache-2.0
// Which physical memory is mapped where: memory that moves into another file is mapped anew.
#pragma once

#include "ferry/backend.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace ferry::cpu {

struct Mapping {
  ferryx_physical* physical = nullptr;
  uint64_t size = 0;
  // Code of the host may write to it at any moment: the memory cannot move.
  bool holds_in_place = false;
};

// Callers lock. Never destroyed.
struct Mappings {
  static Mappings& instance() {
    static auto* only = new Mappings;
    return *only;
  }

  // Protects what follows, and in which file each physical memory is. It is held while storage
  // changes: a StorageChange comes second.
  std::mutex mutex;
  std::map<const void*, Mapping> by_storage;
  uint64_t moved = 0;  // pieces of device memory that have a file of their own
};

}  // namespace ferry::cpu
