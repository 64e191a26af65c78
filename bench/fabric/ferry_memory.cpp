// SPDX-License-Identifier: Apache-2.0
// Plain AscendCL calls, as any client would make them.
#include "bench/fabric/ferry_memory.h"

#include <cstring>

namespace ferry::bench::fabric {
namespace {

constexpr uint64_t kForEverybody = 1;        // ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION
constexpr uint64_t kNotifyForEverybody = 2;  // no list of processes either

}  // namespace

FabricMemory::FabricMemory() {
  const aclrtPhysicalMemProp properties{ACL_MEM_HANDLE_TYPE_NONE,
                                        ACL_MEM_ALLOCATION_TYPE_PINNED,
                                        ACL_HBM_MEM_HUGE,
                                        {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                        0};
  check(aclrtMallocPhysical(&handle_, kPoolBytes, &properties, 0));
  map();
}

FabricMemory::FabricMemory(const char (&handle)[128]) {
  aclrtMemFabricHandle bytes{};
  static_assert(sizeof bytes == sizeof handle);
  std::memcpy(&bytes, handle, sizeof bytes);
  check(aclrtMemImportFromShareableHandleV2(&bytes, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &handle_));
  map();
}

// A constructor that throws runs no destructor.
void FabricMemory::map() {
  try {
    void* start = nullptr;
    check(aclrtReserveMemAddress(&start, kPoolBytes, 0, nullptr, 0));
    start_ = static_cast<std::byte*>(start);
    check(aclrtMapMem(start_, kPoolBytes, 0, handle_, 0));
    is_mapped_ = true;
  } catch (...) {
    release();
    throw;
  }
}

FabricMemory::~FabricMemory() {
  release();
}

void FabricMemory::release() {
  if (is_mapped_) static_cast<void>(aclrtUnmapMem(start_));
  if (start_ != nullptr) static_cast<void>(aclrtReleaseMemAddress(start_));
  static_cast<void>(aclrtFreePhysical(handle_));
}

void FabricMemory::export_to(char (&handle)[128]) const {
  check(aclrtMemExportToShareableHandleV2(handle_, kForEverybody, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC,
                                          handle));
}

void SharedNotify::export_to(char (&key)[65]) const {
  check(aclrtNotifyGetExportKey(handle_, key, sizeof key, kNotifyForEverybody));
}

}  // namespace ferry::bench::fabric
