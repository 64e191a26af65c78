// SPDX-License-Identifier: Apache-2.0
// Virtual memory: a reservation is a range of addresses, physical memory is a counted object
// without an address, and a mapping ties a part of one to the other.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/shared_object.h"

#include "acl/acl_rt.h"
#include "ferry/backend.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace ferry {

constexpr uint64_t kVirtualPage = uint64_t{2} << 20;
constexpr uint64_t kLargeVirtualPage = uint64_t{1} << 30;

// Where physical memory lies, or who wants to access it. Host memory belongs to a device, too: its
// backend provides it.
struct MemoryPlace {
  bool is_host = false;
  Device* device = nullptr;

  bool operator==(const MemoryPlace& other) const {
    return is_host == other.is_host && (is_host || device == other.device);
  }
};

struct PhysicalRequest {
  MemoryPlace place;
  uint64_t size = 0;  // a multiple of the page
  uint64_t page = kVirtualPage;
  int32_t node = -1;                  // of host memory; -1: any
  aclrtPhysicalMemProp properties{};  // as a program that asks is told
};

struct AddressRequest {
  uint64_t size = 0;
  uint64_t alignment = kVirtualPage;
  void* wanted = nullptr;  // nullptr: anywhere
};

// A range as the program has mapped it.
struct VirtualRange {
  void* address = nullptr;
  uint64_t size = 0;
};

class ExportedPhysical;

// May be shared between threads; never destroyed. One lock for everything: calls that change
// mappings are rare, and copies never come here.
class VirtualMemory {
 public:
  static VirtualMemory& instance();

  // ---- reservations ----

  // 207001 when there are no such addresses.
  Status reserve(const AddressRequest& request, void** address);
  // 107000 when it is not the start of a reservation, or something is mapped there.
  Status release(void* address);
  bool is_reserved(const void* address) const;

  // ---- physical memory: handles ----

  // 207001 when there is not enough memory.
  Status create(const PhysicalRequest& request, aclrtDrvMemHandle* handle);
  // 107000 for a handle whose references are used up.
  Status free(aclrtDrvMemHandle handle);
  Status properties(aclrtDrvMemHandle handle, aclrtPhysicalMemProp* properties) const;
  // The handle of what is mapped at `address`, with one more reference. 507899 when no mapping
  // starts there.
  Status retain(void* address, aclrtDrvMemHandle* handle);

  // ---- physical memory of several processes (virtual_memory_sharing.cpp) ----

  // Gives the memory a name with which other processes import it. 107000 for a dead handle, 507899
  // when it was exported before or is an import.
  Status export_memory(aclrtDrvMemHandle handle, const sharing::Name& name, ShareAccess access);
  // A handle of the device for memory of another process. 107017 when nobody offers it.
  Status import_memory(const sharing::Handle& shared, sharing::FabricOrigin origin, Device& device,
                       aclrtDrvMemHandle* handle);
  // Names processes that may import it. 107017 when nobody offers it, 507899 when another process
  // does.
  Status allow_import(const sharing::Handle& shared, const int32_t* pids, size_t count);

  // Physical memory that is kept for the holders of an IPC memory key, until end_loan(). 507899
  // when the range leaves its mapping, or the memory is exported or imported. Until close_key(),
  // the mapping cannot be unmapped.
  Result<aclrtDrvMemHandle> lend(const VirtualRange& range, ferryx_shared& shared);
  void close_key(const void* address);
  void end_loan(aclrtDrvMemHandle handle);

  // ---- mappings ----

  // kLater: nobody may access the mapping until grant().
  enum class MapAccess { kNow, kLater };
  // 107000 for a dead handle, 507899 when the range does not fit.
  Status map(const VirtualRange& range, aclrtDrvMemHandle handle, MapAccess access);
  // 507899 when no mapping starts there.
  Status unmap(void* address);
  // Maps at `target` what is mapped from `source` on, mapping by mapping. 107000 when the ranges
  // are not what they must be; then nothing has changed.
  Status map_alias(void* target, uint64_t size, void* source);
  // 507899 when the range is not exactly a mapping.
  Status grant(const VirtualRange& range, const MemoryPlace& place);
  // 507899 when nothing is mapped there.
  Status query_access(const void* address, const MemoryPlace& place, bool* may_access) const;

  // The mapping that holds the address.
  std::optional<VirtualRange> find_mapping(const void* address) const;
  // Whether another device was granted access to the mapping that holds the address.
  bool is_granted(const void* address, const Device& device) const;

 private:
  struct Reservation {
    ferryx_memory range{};
    Device* device = nullptr;         // one whose backend has reserved it
    std::optional<MemoryPlace> side;  // of everything ever mapped there
  };
  struct Physical {
    PhysicalRequest request;
    ferryx_physical* memory = nullptr;
    uint64_t references = 1;  // of the program
    uint64_t mappings = 0;
    uint64_t loans = 0;                          // to holders of IPC memory keys
    std::shared_ptr<ExportedPhysical> exported;  // nullptr: to no process
    sharing::Name imported;                      // 0: it is memory of this process
    sharing::Hold hold;                          // of imported memory
  };
  using Physicals = std::map<aclrtDrvMemHandle, Physical>;
  struct Mapping {
    uint64_t size = 0;
    Physicals::iterator physical;
    Reservation* reservation = nullptr;
    bool is_accessible = false;  // the backend has mapped it
    ferryx_memory memory{};      // without storage until then
    std::vector<MemoryPlace> granted;
    uint64_t keys = 0;  // open IPC memory keys
  };
  using Mappings = std::map<uintptr_t, Mapping>;

  Reservation* find_reservation(const void* address, uint64_t size);
  // Throws nothing and changes nothing if it fails.
  Result<Physicals::iterator> find_handle(aclrtDrvMemHandle handle);
  Result<Mappings::iterator> find_start(const char* argument, void* address);
  Mappings::const_iterator find_around(const void* address) const;
  bool is_any_mapped(uintptr_t start, uint64_t size) const;
  Status check_fits(const VirtualRange& range, const Physical& physical,
                    const Reservation* reservation) const;
  Status map_locked(const VirtualRange& range, Physicals::iterator physical, MapAccess access);
  Status unmap_locked(Mappings::iterator mapping);
  // Lets the backend map it, and copies find it.
  Status open(uintptr_t start, Mapping& mapping);
  // The address is known, and every access to it fails.
  Status keep_closed(uintptr_t start, Mapping& mapping);
  Status reopen(uintptr_t start, Mapping& mapping);
  Status close(Mapping& mapping);
  aclrtDrvMemHandle insert(Physicals made);
  void drop_if_unused(Physicals::iterator physical);
  // The handle of memory that was imported for the device already, with one more reference; nullptr
  // when there is none.
  aclrtDrvMemHandle import_again(const sharing::Name& name, const Device& device);
  friend class ExportedPhysical;
  // The last process that had imported the memory has released it.
  void end_import(aclrtDrvMemHandle handle);

  mutable std::mutex mutex_;  // protects what follows; held while a backend maps and unmaps
  std::map<uintptr_t, Reservation> reservations_;
  Physicals physicals_;
  Mappings mappings_;
  uint64_t next_handle_ = 1;
};

}  // namespace ferry
