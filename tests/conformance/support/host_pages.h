// SPDX-License-Identifier: Apache-2.0
// The program's own host memory for tests of pinned and pageable memory: it starts at a page and is
// followed by an inaccessible page.
#pragma once

#include "support/conformance.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace conformance::memory {

// Pageable memory until it is registered. Not copyable.
class HostPages {
 public:
  explicit HostPages(size_t pages = 4) : size_(pages * page()) {
    void* address =
        mmap(nullptr, size_ + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(address, MAP_FAILED);
    bytes_ = static_cast<uint8_t*>(address);
    // Only access is removed, so that no other mapping can take the place.
    EXPECT_EQ(mprotect(bytes_ + size_, page(), PROT_NONE), 0);
  }
  ~HostPages() { munmap(bytes_, size_ + page()); }
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  static size_t page() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

  void* get() const { return bytes_; }
  uint8_t* bytes() const { return bytes_; }
  size_t size() const { return size_; }
  void fill(const std::vector<uint8_t>& contents) {
    std::copy(contents.begin(), contents.end(), bytes_);
  }
  std::vector<uint8_t> copy() const { return {bytes_, bytes_ + size_}; }

 private:
  uint8_t* bytes_ = nullptr;
  size_t size_;
};

// Whether the library treats an address as pinned memory: an asynchronous copy from pinned memory
// corrects a wrong kind, one from pageable memory refuses it.
inline bool is_pinned(const void* address) {
  const DeviceBuffer device(64);
  const aclError result =
      aclrtMemcpyAsync(device.get(), 1, address, 1, ACL_MEMCPY_DEVICE_TO_HOST, nullptr);
  EXPECT_TRUE(result == ACL_SUCCESS || result == ACL_ERROR_RT_PARAM_INVALID) << recent_text();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  clear_errors();
  return result == ACL_SUCCESS;
}

}  // namespace conformance::memory
