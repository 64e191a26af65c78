// SPDX-License-Identifier: Apache-2.0
// Chapter about managed memory and cache operations.
#include "attempt.h"
#include "program.h"

#include <cstring>

namespace failures {
namespace {

constexpr size_t kManagedBytes = size_t{2} << 20;
constexpr size_t kPartBytes = 4096;

void advise_and_query(const void* managed) {
  OK(aclrtMemManagedAdvise(managed, kManagedBytes, ACL_MEM_ADVISE_SET_READ_MOSTLY, {}));
  OK(aclrtMemManagedAdvise(managed, kManagedBytes, ACL_MEM_ADVISE_SET_ACCESSED_BY,
                           {ACL_MEM_LOCATIONTYPE_DEVICE, 0}));
  int32_t users[2] = {};
  OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, managed, kManagedBytes, users,
                            sizeof users));
  aclrtMemManagedRangeAttribute attribute = ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  void* data = users;
  size_t size = sizeof users[0];
  OK(aclrtMemManagedGetAttrs(&attribute, 1, managed, kManagedBytes, &data, &size));
}

void prefetch(const void* managed, aclrtStream stream) {
  aclrtMemManagedLocation host{ACL_MEM_LOCATIONTYPE_HOST, 0};
  OK(aclrtMemManagedPrefetchAsync(managed, kManagedBytes, host, 0, stream));
  size_t size = kManagedBytes;
  size_t first = 0;
  OK(aclrtMemManagedPrefetchBatchAsync(&managed, &size, 1, &host, &first, 1, 0, stream));
}

void operate_on_caches(void* managed, void* device, aclrtStream stream) {
  OK(aclrtCmoAsync(managed, kPartBytes, ACL_RT_CMO_TYPE_PREFETCH, stream));
  OK(aclrtCmoSetDesc(device, managed, kPartBytes));
  OK(aclrtCmoAsyncWithDesc(device, ACL_RT_CMO_TYPE_PREFETCH, stream, nullptr));
  OK(aclrtDeviceL2CacheFlush(nullptr));
  OK(aclrtMemP2PMap(device, kPartBytes, 0, 0));
  uint32_t result = 0;
  OK(aclrtCheckMemType(&device, 1, ACL_RT_MEM_TYPE_DEV, &result, 0));
}

}  // namespace

void use_managed_memory() {
  void* managed = nullptr;
  void* device = nullptr;
  aclrtStream stream = nullptr;
  OK(aclrtMemAllocManaged(&managed, kManagedBytes, ACL_RT_MEM_ATTACH_GLOBAL));
  OK(aclrtMalloc(&device, kPartBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  OK(aclrtCreateStream(&stream));
  if (managed != nullptr && device != nullptr && stream != nullptr) {
    advise_and_query(managed);
    prefetch(managed, stream);
    OK(aclrtMemsetAsync(managed, kPartBytes, 7, kPartBytes, stream));
    OK(aclrtMemcpyAsync(device, kPartBytes, managed, kPartBytes, ACL_MEMCPY_DEFAULT, stream));
    OK(aclrtMemsetAsync(managed, kPartBytes, 8, kPartBytes, stream));
    OK(aclrtMemcpyAsync(managed, kPartBytes, device, kPartBytes, ACL_MEMCPY_DEFAULT, stream));
    OK(aclrtSynchronizeStream(stream));
    expect_filled("managed memory", managed, 7, kPartBytes);
    operate_on_caches(managed, device, stream);
    OK(aclrtSynchronizeStream(stream));
  }
  if (stream != nullptr) OK(aclrtDestroyStream(stream));
  if (device != nullptr) OK(aclrtFree(device));
  if (managed != nullptr) OK(aclrtFree(managed));
}

}  // namespace failures
