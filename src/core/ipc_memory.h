// SPDX-License-Identifier: Apache-2.0
// Device memory that processes share by a key: the exporter's allocation or mapping, and the
// importer's address for the same bytes.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/location.h"
#include "core/shared_object.h"

#include "acl/acl_rt.h"
#include "ferry/backend.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ferry {

class ExportedRange;
class ImportedRange;

// May be shared between threads; never destroyed. Lock order: this, then VirtualMemory.
class IpcMemory {
 public:
  static IpcMemory& instance();

  // Makes a new key for a range of device memory. 507899 when the range is not what can be shared.
  Status export_range(void* address, uint64_t size, ShareAccess access,
                      std::span<char, sharing::kKeySize> key);
  // Names processes that may import it. 507899 when this process has not exported it.
  Status allow(const char* key, const int32_t* pids, size_t count);

  enum class PeerAccess { kKeep, kEnable };
  // An address of the device for the memory of the key; the same one again for the same key and
  // device. 507899 when nobody offers it.
  Status import(const char* key, Device& device, PeerAccess peer, void** address);

  // Undoes one import of the key, the oldest first; without any, the export. 507899 when there is
  // neither.
  Status close(const char* key);
  // Writes the key by which this process has imported the memory at `address`, and makes that
  // import the one that close() undoes next. 107000 when the memory was not imported.
  Status choose_import(const void* address, std::span<char, sharing::kKeySize> key);

  // ---- for the other code of memory ----

  bool is_imported(const void* address) const;
  // The program frees an allocation: its keys die. True when processes still use it: then it is
  // given back to the backend when they have closed it. Needs no memory.
  bool keep_freed(const ferryx_memory& block);
  // Whether check_peer() has anything to look at.
  static bool has_foreign() { return has_foreign_memory.load(std::memory_order_relaxed); }
  // 107000 when the memory was imported from another device whose peer access is not enabled.
  Status check_peer(const Device& device, const Location& location) const;

 private:
  friend class ExportedRange;

  // An allocation with keys, or with importers of keys that are closed.
  struct Block {
    ferryx_memory memory{};
    Device* device = nullptr;
    uint64_t loans = 0;
    bool is_freed = false;
  };
  // What a key keeps from being given back: an allocation, or the memory behind a mapping.
  struct Loan {
    const void* block = nullptr;
    aclrtDrvMemHandle physical = nullptr;
  };
  struct Key {
    std::shared_ptr<ExportedRange> offer;
    const void* address = nullptr;
    Loan loan;
  };
  // What this process has imported by one key.
  struct Imports {
    sharing::Handle handle;
    std::vector<Device*> calls;  // one entry per call, the oldest first
    std::map<Device*, std::unique_ptr<ImportedRange>> by_device;
  };
  using Keys = std::map<sharing::Name, Key>;

  Result<Loan> lend(void* address, uint64_t size, ferryx_shared& shared);
  Result<Loan> lend_block(const Location& location, uint64_t size, ferryx_shared& shared);
  // With the lock held.
  void end_loan(const Loan& loan);
  // The same for the last holder of a closed key.
  void end_loan_of_closed(const Loan& loan);
  void close_key(Keys::iterator key);
  // The address of an import that exists, counted once more; nullptr when there is none.
  Result<void*> import_again(const sharing::Name& name, Device& device, PeerAccess peer);

  mutable std::mutex mutex_;  // protects what follows
  std::map<const void*, Block> blocks_;
  Keys keys_;
  std::map<sharing::Name, Imports> imports_;
  std::map<const void*, const ImportedRange*> imported_by_address_;
  // Some import was from another device. Read without the lock, before copies between devices.
  static inline std::atomic<bool> has_foreign_memory{false};
};

}  // namespace ferry
