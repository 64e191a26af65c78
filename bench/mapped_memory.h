// SPDX-License-Identifier: Apache-2.0
// Device memory that consists of many mappings side by side.
#pragma once

#include "acl/acl.h"

#include <cstddef>
#include <vector>

namespace ferry::bench {

constexpr size_t kMappedPiece = size_t{2} << 20;

/// Whether the current device can map memory.
bool has_virtual_memory();

/// Physical memory of device 0; throws when there is none.
class Physical {
 public:
  explicit Physical(size_t bytes);
  ~Physical();
  Physical(Physical&& other) noexcept;
  Physical& operator=(Physical&&) = delete;
  aclrtDrvMemHandle handle() const { return handle_; }

 private:
  aclrtDrvMemHandle handle_ = nullptr;
};

/// Reserved addresses, for whole pieces.
class Addresses {
 public:
  explicit Addresses(size_t pieces);
  /// Unmaps what is mapped.
  ~Addresses();
  Addresses(const Addresses&) = delete;
  Addresses& operator=(const Addresses&) = delete;

  std::byte* piece(size_t i) const { return start_ + i * kMappedPiece; }
  void map(size_t i, const Physical& physical);
  void unmap(size_t i);

 private:
  std::byte* start_ = nullptr;
  std::vector<bool> is_mapped_;
};

/// Memory of at least this size, every piece mapped by itself.
class MappedMemory {
 public:
  explicit MappedMemory(size_t bytes);
  std::byte* start() const { return addresses_.piece(0); }

 private:
  std::vector<Physical> pieces_;
  Addresses addresses_;
};

/// Whether processes can share memory of the current device.
bool has_shared_memory();

/// Device memory at an address as an importer gets it. This process exports the memory, too: the
/// importer's mapping is the same as in another process.
class ImportedMemory {
 public:
  explicit ImportedMemory(size_t bytes);
  ~ImportedMemory();
  ImportedMemory(const ImportedMemory&) = delete;
  ImportedMemory& operator=(const ImportedMemory&) = delete;
  void* start() const { return imported_; }

 private:
  void* exported_ = nullptr;
  void* imported_ = nullptr;
  char key_[65] = {};
};

}  // namespace ferry::bench
