// SPDX-License-Identifier: Apache-2.0
// AscendCL calls, and plain memory for the baselines.
#include "bench/client.h"

#include "bench/mapped_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace ferry::bench {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

// Plain memory starts at a huge page boundary, so that huge pages can back all of it.
std::byte* allocate_plain(size_t bytes) {
  const size_t rounded = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* address = std::aligned_alloc(kHugePage, rounded);
  if (address == nullptr) throw std::bad_alloc();
  static_cast<void>(madvise(address, rounded, MADV_HUGEPAGE));  // advisory; see the method
  return static_cast<std::byte*>(address);
}

}  // namespace

void check(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  throw std::runtime_error(
      fmt::format("error {}: {}", code, text != nullptr ? text : "the library gives no reason"));
}

Buffer::Buffer(Place place, size_t bytes) : place_(place), bytes_(bytes) {
  void* address = nullptr;
  switch (place) {
    case Place::kDevice:
      check(aclrtMalloc(&address, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
      check(aclrtMemset(address, bytes, 0, bytes));
      break;
    case Place::kMapped:
      mapped_ = std::make_unique<MappedMemory>(bytes);
      address = mapped_->start();
      check(aclrtMemset(address, bytes, 0, bytes));
      break;
    case Place::kImported:
      imported_ = std::make_unique<ImportedMemory>(bytes);
      address = imported_->start();
      check(aclrtMemset(address, bytes, 0, bytes));
      break;
    case Place::kPinned:
      check(aclrtMallocHost(&address, bytes));
      std::memset(address, 0, bytes);
      break;
    case Place::kPlain:
      address = allocate_plain(bytes);
      std::memset(address, 0, bytes);
      break;
  }
  address_ = static_cast<std::byte*>(address);
}

Buffer::~Buffer() {
  switch (place_) {
    case Place::kDevice:
      static_cast<void>(aclrtFree(address_));
      break;
    case Place::kMapped:
    case Place::kImported:
      break;
    case Place::kPinned:
      static_cast<void>(aclrtFreeHost(address_));
      break;
    case Place::kPlain:
      std::free(address_);
      break;
  }
}

void Buffer::write(const std::byte* from) {
  if (is_on_device()) {
    check(aclrtMemcpy(address_, bytes_, from, bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
  } else {
    std::memcpy(address_, from, bytes_);
  }
}

void Buffer::read(std::byte* to) const {
  if (is_on_device()) {
    check(aclrtMemcpy(to, bytes_, address_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
  } else {
    std::memcpy(to, address_, bytes_);
  }
}

Session::Session() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
}

Session::~Session() {
  static_cast<void>(aclrtResetDevice(0));
  static_cast<void>(aclFinalize());
}

}  // namespace ferry::bench
