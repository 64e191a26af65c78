// SPDX-License-Identifier: Apache-2.0
// What the contract says about sequences of calls of virtual memory: reservations, counted handles,
// mappings, and the bytes in the first and last cell of every granule. Written from the contract;
// shares no code with the library.
#pragma once

#include "acl/acl.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace stress::virtual_memory {

// Written as numbers: the numbers are the contract.
constexpr aclError kOk = 0;
constexpr aclError kBadArgument = 100000;
constexpr aclError kBadValue = 107000;
constexpr aclError kNoDevice = 107001;
constexpr aclError kNotSupported = 207000;
constexpr aclError kNoMemory = 207001;
constexpr aclError kRefused = 507899;
constexpr aclError kTaskFailed = 507001;
constexpr aclError kBadHandle = 107017;
constexpr aclError kNoPermission = 207006;

constexpr size_t kGranule = size_t{2} << 20;
constexpr size_t kGibibyte = size_t{1} << 30;
constexpr size_t kCell = 64;
constexpr uint32_t kDevices = 2;

// A location as a key: type and id.
using Place = std::pair<int, uint32_t>;
constexpr int kHost = 0;
constexpr int kDevice = 1;
constexpr int kNode = 4;

// What a byte is: -1 as long as nobody has written it.
using Cell = int;

struct Memory {
  size_t size = 0;
  Place place;
  aclrtPhysicalMemProp prop;  // as aclrtMemGetAllocationPropertiesFromHandle tells it
  size_t references = 0;      // of the program
  size_t mappings = 0;
  std::vector<Cell> cells;  // two per granule: its first and its last bytes
  bool is_exported = false;
  size_t importers = 0;                // handles of other devices that share it
  aclrtDrvMemHandle source = nullptr;  // of an import: the handle whose memory it is
};

// A number of exported memory.
struct Exported {
  aclrtDrvMemHandle handle = nullptr;
  bool has_list = false;
  bool is_listed = false;  // this process
};

struct Mapped {
  aclrtDrvMemHandle handle = nullptr;
  size_t size = 0;
  std::set<Place> access;
};

struct Reserved {
  size_t size = 0;
  std::optional<Place> place;            // fixed by the first mapping
  std::map<uintptr_t, Mapped> mappings;  // by start
};

// A mapping, and where it is.
struct Found {
  uintptr_t reservation;
  uintptr_t start;
  Mapped* mapped;
};

// A cell of a handle that lies in a range.
struct CellName {
  aclrtDrvMemHandle handle;
  size_t index;
  size_t offset;  // in the range
};

// The arguments of aclrtMapMem.
struct MapCall {
  uintptr_t address;
  size_t size;
  size_t offset;
  aclrtDrvMemHandle handle;
  uint64_t flags;
};

class Model {
 public:
  // What a device has for handles.
  explicit Model(size_t capacity) : free_(kDevices, capacity) {}

  // The codes that the calls must return. Those that change something when they succeed, and whose
  // results the library chooses, are told by the function below them.
  aclError reserve(bool has_output, size_t size, size_t alignment, uint64_t flags) const;
  void reserved(uintptr_t address, size_t size);
  aclError release(uintptr_t address);
  aclError allocate(bool has_output, size_t size, const aclrtPhysicalMemProp* prop,
                    uint64_t flags) const;
  void allocated(aclrtDrvMemHandle handle, size_t size, const aclrtPhysicalMemProp& prop);
  aclError free(aclrtDrvMemHandle handle);
  aclError map(const MapCall& call, bool has_access);
  aclError unmap(uintptr_t address);
  aclError retain(uintptr_t address, bool has_output);
  aclError set_access(uintptr_t address, size_t size, const aclrtMemAccessDesc* descs,
                      size_t count);
  aclError get_access(uintptr_t address, Place place) const;
  aclError properties(aclrtDrvMemHandle handle) const;

  // Sharing, inside this process. What an import gives is left open when the references of the
  // exporter are used up, while the memory is mapped or has importers.
  aclError export_memory(aclrtDrvMemHandle handle, uint64_t flags, bool has_output) const;
  void exported(aclrtDrvMemHandle handle, uint64_t flags, uint64_t number);
  aclError list(uint64_t number, bool has_own_pid, bool has_pid);
  bool is_import_left_open(uint64_t number) const;
  aclError import(uint64_t number, int32_t device, bool has_output) const;
  // The handle that an import must give; nullptr: a new one.
  aclrtDrvMemHandle import_again(uint64_t number, uint32_t device) const;
  void imported(uint64_t number, uint32_t device, aclrtDrvMemHandle handle);

  // What calls that succeed must tell.
  std::optional<Found> mapping_at(uintptr_t address) const;
  const Memory* memory(aclrtDrvMemHandle handle) const;
  size_t free_bytes(uint32_t device) const { return free_[device]; }

  // The cells in a range whose ends lie on cells; nullopt where the range leaves what may be
  // touched.
  std::optional<std::vector<CellName>> cells(uintptr_t address, size_t count) const;
  Cell& at(const CellName& name) { return handles_.at(name.handle).cells[name.index]; }
  // Whether an import has ended: from then on memory may take a while to return, because another
  // thread of the library hears of the end.
  bool has_ended_an_import() const { return has_ended_an_import_; }

  const std::map<uintptr_t, Reserved>& reservations() const { return reservations_; }
  const std::map<aclrtDrvMemHandle, Memory>& handles() const { return handles_; }

 private:
  bool is_alive(aclrtDrvMemHandle handle) const;
  void drop_if_unused(aclrtDrvMemHandle handle);
  void drop_number_of(aclrtDrvMemHandle handle);
  // The reservation that contains the range, or nullptr.
  Reserved* reservation_of(uintptr_t address, size_t size);
  bool overlaps(const Reserved& reserved, uintptr_t address, size_t size) const;

  std::vector<size_t> free_;  // by device
  std::map<uintptr_t, Reserved> reservations_;
  std::map<aclrtDrvMemHandle, Memory> handles_;  // with references, mappings or importers
  std::map<uint64_t, Exported> numbers_;
  bool has_ended_an_import_ = false;
};

}  // namespace stress::virtual_memory
