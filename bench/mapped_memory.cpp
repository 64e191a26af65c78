// SPDX-License-Identifier: Apache-2.0
// Calls of virtual memory.
#include "bench/mapped_memory.h"

#include "bench/client.h"

#include <utility>

namespace ferry::bench {
namespace {

size_t pieces_of(size_t bytes) {
  return (bytes + kMappedPiece - 1) / kMappedPiece;
}

std::vector<Physical> make_pieces(size_t count) {
  std::vector<Physical> pieces;
  pieces.reserve(count);
  for (size_t i = 0; i < count; ++i)
    pieces.emplace_back(kMappedPiece);
  return pieces;
}

}  // namespace

bool has_virtual_memory() {
  void* start = nullptr;
  const aclError code = aclrtReserveMemAddress(&start, kMappedPiece, 0, nullptr, 0);
  if (code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) return false;
  check(code);
  check(aclrtReleaseMemAddress(start));
  return true;
}

Physical::Physical(size_t bytes) {
  const aclrtPhysicalMemProp properties{ACL_MEM_HANDLE_TYPE_NONE,
                                        ACL_MEM_ALLOCATION_TYPE_PINNED,
                                        ACL_HBM_MEM_HUGE,
                                        {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                        0};
  check(aclrtMallocPhysical(&handle_, bytes, &properties, 0));
}

Physical::~Physical() {
  if (handle_ != nullptr) static_cast<void>(aclrtFreePhysical(handle_));
}

Physical::Physical(Physical&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

Addresses::Addresses(size_t pieces) : is_mapped_(pieces) {
  void* start = nullptr;
  check(aclrtReserveMemAddress(&start, pieces * kMappedPiece, 0, nullptr, 0));
  start_ = static_cast<std::byte*>(start);
}

Addresses::~Addresses() {
  for (size_t i = 0; i < is_mapped_.size(); ++i) {
    if (is_mapped_[i]) static_cast<void>(aclrtUnmapMem(piece(i)));
  }
  static_cast<void>(aclrtReleaseMemAddress(start_));
}

void Addresses::map(size_t i, const Physical& physical) {
  check(aclrtMapMem(piece(i), kMappedPiece, 0, physical.handle(), 0));
  is_mapped_[i] = true;
}

void Addresses::unmap(size_t i) {
  check(aclrtUnmapMem(piece(i)));
  is_mapped_[i] = false;
}

MappedMemory::MappedMemory(size_t bytes)
    : pieces_(make_pieces(pieces_of(bytes))), addresses_(pieces_.size()) {
  for (size_t i = 0; i < pieces_.size(); ++i)
    addresses_.map(i, pieces_[i]);
}

bool has_shared_memory() {
  void* memory = nullptr;
  check(aclrtMalloc(&memory, 1, ACL_MEM_MALLOC_HUGE_FIRST));
  char key[65];
  const aclError code = aclrtIpcMemGetExportKey(memory, 1, key, sizeof key,
                                                ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  check(aclrtFree(memory));
  if (code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT) check(code);
  return code == ACL_SUCCESS;
}

ImportedMemory::ImportedMemory(size_t bytes) {
  check(aclrtMalloc(&exported_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtIpcMemGetExportKey(exported_, bytes, key_, sizeof key_,
                                ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
  check(aclrtIpcMemImportByKey(&imported_, key_, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
}

ImportedMemory::~ImportedMemory() {
  static_cast<void>(aclrtIpcMemClose(key_));  // the import
  static_cast<void>(aclrtFree(exported_));
}

}  // namespace ferry::bench
