// SPDX-License-Identifier: Apache-2.0
// Allocates, registers and copies.
#include "soak/copies.h"

#include "soak/objects.h"

#include "acl/acl.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace ferry::tools::soak {
namespace {

constexpr size_t kItems = 16;
constexpr size_t kItemBytes = kBytes / kItems;

void upload(void* to, const void* from, size_t size, aclrtStream stream) {
  must(aclrtMemcpyAsync(to, size, from, size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

void use_allocations(int32_t device) {
  constexpr aclrtMemMallocPolicy kPolicy = ACL_MEM_MALLOC_NORMAL_ONLY;
  aclrtMallocAttribute attribute{ACL_RT_MEM_ATTR_DEVICE_ID, {}};
  attribute.value.deviceId = static_cast<uint32_t>(device);
  aclrtMallocConfig config{&attribute, 1};
  const Owned aligned = make(aclrtFree, aclrtMallocAlign32, kBytes, kPolicy);
  const Owned cached = make(aclrtFree, aclrtMallocCached, kBytes, kPolicy);
  const Owned configured = make(aclrtFree, aclrtMallocWithCfg, kBytes, kPolicy, &config);
  const Owned scheduled = make(aclrtFree, aclrtMallocForTaskScheduler, kBytes, kPolicy, &config);
  const Owned pinned = make(aclrtFreeHost, aclrtMallocHostWithCfg, kBytes, nullptr);
  const Owned large = make(aclrtFree, aclrtMalloc, size_t{4} << 20, ACL_MEM_MALLOC_HUGE_ONLY);
  must(aclrtMemset(aligned, kBytes, 1, kBytes));
  aclDataBuffer* const buffer = aclCreateDataBuffer(aligned, kBytes);
  must(aclDestroyDataBuffer(buffer));
}

void use_registrations() {
  constexpr size_t kPage = 4096;
  const std::unique_ptr<void, void (*)(void*)> host(std::aligned_alloc(kPage, kBytes), std::free);
  std::memset(host.get(), 1, kBytes);
  const Owned stream = make_stream();
  const Owned device = make_device_memory();
  void* address = nullptr;
  must(aclrtHostRegister(host.get(), kBytes, ACL_HOST_REGISTER_MAPPED, &address));
  upload(device, host.get(), kBytes, stream);
  must(aclrtSynchronizeStream(stream));
  must(aclrtHostUnregister(host.get()));
  must(aclrtHostRegisterV2(host.get(), kBytes, ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED));
  must(aclrtHostGetDevicePointer(host.get(), &address, 0));
  upload(device, host.get(), kBytes, stream);
  must(aclrtSynchronizeStream(stream));
  must(aclrtHostUnregister(host.get()));
}

// Items in reverse order, so that they cannot be joined.
void use_batches(int32_t device, const Owned& memory, const Owned& pinned, aclrtStream stream) {
  std::array<void*, kItems> to{};
  std::array<void*, kItems> from{};
  std::array<size_t, kItems> sizes{};
  for (size_t i = 0; i < kItems; ++i) {
    to[i] = memory.bytes() + i * kItemBytes;
    from[i] = pinned.bytes() + (kItems - 1 - i) * kItemBytes;
    sizes[i] = kItemBytes;
  }
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc = {static_cast<uint32_t>(device), ACL_MEM_LOCATION_TYPE_DEVICE};
  attribute.srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST};
  size_t first = 0;
  size_t failed = 0;
  is_supported(aclrtMemcpyBatchAsync(to.data(), sizes.data(), from.data(), sizes.data(), kItems,
                                     &attribute, &first, 1, &failed, stream));
  must(aclrtSynchronizeStream(stream));
  is_supported(aclrtMemcpyBatch(to.data(), sizes.data(), from.data(), sizes.data(), kItems,
                                &attribute, &first, 1, &failed));
}

// Copies whose addresses are in device memory.
void use_descriptors(const Owned& from, aclrtStream stream) {
  constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  const Owned to = make_device_memory();
  const Owned descriptor = make_device_memory();
  if (!is_supported(aclrtSetMemcpyDesc(descriptor, kKind, from, to, kItemBytes, nullptr))) return;
  must(aclrtMemcpyAsyncWithDesc(descriptor, kKind, stream));
  must(aclrtSynchronizeStream(stream));

  const Owned addresses = make_device_memory();
  const std::array<void*, 2> stored{to, from};
  must(aclrtMemcpy(addresses, sizeof stored, stored.data(), sizeof stored,
                   ACL_MEMCPY_HOST_TO_DEVICE));
  const auto place = static_cast<void**>(static_cast<void*>(addresses));
  must(aclrtMemcpyAsyncWithOffset(place, kBytes, 0, const_cast<const void**>(place + 1), kItemBytes,
                                  0, kKind, stream));
  must(aclrtSynchronizeStream(stream));
}

void use_rows(const Owned& memory, const Owned& pinned, aclrtStream stream) {
  constexpr size_t kWidth = kItemBytes / 2;
  must(aclrtMemcpy2dAsync(memory, kItemBytes, pinned, kItemBytes, kWidth, kItems,
                          ACL_MEMCPY_HOST_TO_DEVICE, stream));
  must(aclrtSynchronizeStream(stream));
  must(aclrtMemcpy2d(pinned, kItemBytes, memory, kItemBytes, kWidth, kItems,
                     ACL_MEMCPY_DEVICE_TO_HOST));
}

void use_pageable(const Owned& memory) {
  std::vector<char> pageable(kBytes);
  must(aclrtMemcpy(memory, kBytes, pageable.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  must(aclrtMemcpy(pageable.data(), kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

}  // namespace

void use_memory(int32_t device) {
  use_allocations(device);
  use_registrations();
}

void copy_there_and_back() {
  const Owned stream = make_stream();
  const Owned pinned = make_pinned();
  const Owned memory = make_device_memory();
  std::memset(pinned, 1, kBytes);
  upload(memory, pinned, kBytes, stream);
  must(aclrtMemcpyAsync(pinned, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  must(aclrtMemsetAsync(memory, kBytes, 0, kBytes, stream));
  must(aclrtSynchronizeStream(stream));
}

void use_copies(int32_t device) {
  copy_there_and_back();
  const Owned stream = make_stream();
  const Owned pinned = make_pinned();
  const Owned memory = make_device_memory();
  std::memset(pinned, 1, kBytes);
  must(aclrtMemset(memory, kBytes, 0, kBytes));
  use_batches(device, memory, pinned, stream);
  use_descriptors(memory, stream);
  use_rows(memory, pinned, stream);
  use_pageable(memory);
}

}  // namespace ferry::tools::soak
