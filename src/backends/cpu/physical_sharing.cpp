// SPDX-License-Identifier: Apache-2.0
// Moving memory into a file of its own, exporting and importing it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // SEEK_DATA, fallocate
#endif

#include "backends/cpu/physical_sharing.h"

#include "backends/cpu/address_space.h"
#include "backends/cpu/memory_file.h"
#include "backends/cpu/memory_use.h"
#include "backends/cpu/running_functions.h"
#include "backends/cpu/services.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <memory>

namespace ferry::cpu {
namespace {

// Where the bytes of a piece are.
struct Place {
  int file = -1;
  uint64_t offset = 0;
};

bool map_there(const void* start, uint64_t size, const Place& place) {
  return mmap(const_cast<void*>(start), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
              place.file, static_cast<off_t>(place.offset)) != MAP_FAILED;
}

// Only parts that were touched: reading the others would take memory for them.
int copy_bytes(const ferryx_physical& physical, const char* bytes, const MemoryFile& to) {
  const auto start = static_cast<off_t>(physical.offset);
  const off_t end = start + static_cast<off_t>(physical.size);
  off_t data = lseek(physical.file, start, SEEK_DATA);
  while (data >= 0 && data < end) {
    off_t hole = lseek(physical.file, data, SEEK_HOLE);
    hole = hole < 0 ? end : std::min(hole, end);
    const auto at = static_cast<uint64_t>(data - start);
    const int error = to.fill(bytes + at, static_cast<uint64_t>(hole - data), at);
    if (error != ACL_SUCCESS) return error;
    data = lseek(physical.file, hole, SEEK_DATA);
  }
  return ACL_SUCCESS;
}

// All mappings of the piece lead to another place from now on, or none.
int remap(const Mappings& mappings, const ferryx_physical& physical, const Place& from,
          const Place& to) {
  for (const auto& [storage, mapping] : mappings.by_storage) {
    if (mapping.physical != &physical || map_there(storage, mapping.size, to)) continue;
    const int reason = errno;
    for (const auto& [earlier, undone] : mappings.by_storage) {
      if (earlier == storage) break;
      if (undone.physical == &physical) map_there(earlier, undone.size, from);
    }
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "memory cannot move into a file that is shared: %s (see the sysctl "
                "vm.max_map_count)",
                std::strerror(reason));
  }
  return ACL_SUCCESS;
}

// Device functions do not run, and copies wait: nothing else writes to the storage of a device.
int move_piece(Mappings& mappings, ferryx_physical& physical) {
  MemoryFile file;
  int error = file.create_sealed("ferry-shared", physical.size);
  if (error != ACL_SUCCESS) return error;
  const Reservation scratch(physical.size, physical.size);
  const Place old{.file = physical.file, .offset = physical.offset};
  const Place own{.file = file.number(), .offset = 0};
  auto* const seen = reinterpret_cast<char*>(scratch.start());
  if (scratch.size() == 0 || !map_there(seen, physical.size, old)) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "the process has no room for %" PRIu64
                " more bytes of addresses, which moving the memory needs (see ulimit -v)",
                physical.size);
  }
  {
    const StorageChange change;
    error = copy_bytes(physical, seen, file);
    if (error == ACL_SUCCESS) error = remap(mappings, physical, old, own);
  }
  if (error != ACL_SUCCESS) return error;
  if (physical.is_huge && map_there(seen, physical.size, own)) {
    collapse_pages(seen, physical.size);
  }
  physical.file = file.release();
  physical.offset = 0;
  physical.owns_file = true;
  ++mappings.moved;
  fallocate(old.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(old.offset),
            static_cast<off_t>(physical.size));
  return ACL_SUCCESS;
}

bool is_held_in_place(const Mappings& mappings, const ferryx_physical& physical) {
  return std::any_of(mappings.by_storage.begin(), mappings.by_storage.end(), [&](const auto& each) {
    return each.second.physical == &physical && each.second.holds_in_place;
  });
}

// Programs need descriptors, too: memory that may never be exported leaves most of them alone.
bool has_spare_files(const Mappings& mappings) {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && mappings.moved < limit.rlim_cur / 4;
}

}  // namespace

int export_physical(ferryx_physical& physical, ferryx_shared& shared) {
  Mappings& mappings = Mappings::instance();
  const std::lock_guard lock(mappings.mutex);
  if (!physical.owns_file) {
    if (is_held_in_place(mappings, physical)) {
      return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "the memory cannot be shared any more, because code of the host may access it "
                  "(aclrtMemSetAccess): export it before that");
    }
    const auto functions = RunningFunctions::instance().keep_out();
    if (!functions.owns_lock()) return fail_while_functions_run();
    if (const int error = move_piece(mappings, physical); error != ACL_SUCCESS) return error;
  }
  return share_file(physical.file, physical.offset, physical.size, physical.is_host, shared);
}

int import_physical(const ferryx_shared& shared, ferryx_physical** physical) {
  if (const int error = check_shared_file(shared); error != ACL_SUCCESS) return error;
  auto made = std::make_unique<ferryx_physical>();
  MemoryFile file;
  if (const int error = file.duplicate(shared.file); error != ACL_SUCCESS) return error;
  *made = {.file = file.release(),
           .offset = shared.offset,
           .size = shared.size,
           .is_host = shared.is_host != 0,
           .owns_file = true,
           .is_imported = true};
  *physical = made.release();
  return ACL_SUCCESS;
}

int prepare_for_host(Mappings& mappings, Mapping& mapping) {
  if (mapping.physical->owns_file) return ACL_SUCCESS;
  const auto functions = RunningFunctions::instance().keep_out();
  if (functions.owns_lock() && has_spare_files(mappings)) {
    return move_piece(mappings, *mapping.physical);
  }
  mapping.holds_in_place = true;
  return ACL_SUCCESS;
}

}  // namespace ferry::cpu
