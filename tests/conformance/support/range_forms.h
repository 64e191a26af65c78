// SPDX-License-Identifier: Apache-2.0
// Every call that copies or sets a range of memory, behind one signature per group: for tests that
// ask the same of all of them.
#pragma once

#include "support/batch.h"
#include "support/virtual_memory.h"

namespace conformance::virtual_memory {

// Copies between the host and a device.
struct CopyForm {
  const char* name;
  bool is_queued;  // ranges are judged when the work runs, if the host memory is pinned
  aclError (*copy)(void* dst, const void* src, size_t count, bool to_device, aclrtStream stream);
};

inline aclrtMemcpyKind kind_of_copy(bool to_device) {
  return to_device ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
}

// A batch of one item in one of the four forms.
template <int form>
aclError copy_as_batch(void* dst, const void* src, size_t count, bool to_device,
                       aclrtStream stream) {
  void* source = const_cast<void*>(src);  // NOLINT: the batch functions take it so
  aclrtMemcpyBatchAttr attr = {};
  attr.dstLoc = to_device ? on_device() : on_host();
  attr.srcLoc = to_device ? on_host() : on_device();
  size_t first = 0;
  size_t fail_index = 0;
  return copies::call_batch(copies::kBatchForms[form], {&dst, &count, &source, &count, 1, &attr,
                                                        &first, 1, &fail_index, stream});
}

inline const CopyForm kCopyForms[] = {
    {"aclrtMemcpy", false,
     [](void* dst, const void* src, size_t count, bool to_device, aclrtStream) {
       return aclrtMemcpy(dst, count, src, count, kind_of_copy(to_device));
     }},
    {"aclrtMemcpyAsync", true,
     [](void* dst, const void* src, size_t count, bool to_device, aclrtStream stream) {
       return aclrtMemcpyAsync(dst, count, src, count, kind_of_copy(to_device), stream);
     }},
    {"aclrtMemcpyAsyncWithCondition", true,
     [](void* dst, const void* src, size_t count, bool to_device, aclrtStream stream) {
       return aclrtMemcpyAsyncWithCondition(dst, count, src, count, kind_of_copy(to_device),
                                            stream);
     }},
    {"aclrtMemcpy2d", false,
     [](void* dst, const void* src, size_t count, bool to_device, aclrtStream) {
       return aclrtMemcpy2d(dst, count, src, count, count, 1, kind_of_copy(to_device));
     }},
    {"aclrtMemcpy2dAsync", true,
     [](void* dst, const void* src, size_t count, bool to_device, aclrtStream stream) {
       return aclrtMemcpy2dAsync(dst, count, src, count, count, 1, kind_of_copy(to_device), stream);
     }},
    {"aclrtMemcpyBatch", false, copy_as_batch<0>},
    {"aclrtMemcpyBatchV2", false, copy_as_batch<1>},
    {"aclrtMemcpyBatchAsync", true, copy_as_batch<2>},
    {"aclrtMemcpyBatchAsyncV2", true, copy_as_batch<3>},
};

// Memory in which described copies keep their addresses until they have run.
struct Descriptions {
  DeviceBuffer descriptor{64};
  DeviceBuffer table{2 * sizeof(void*)};
};

// Copies inside a device.
struct DeviceCopyForm {
  const char* name;
  bool is_queued;
  aclError (*copy)(void* dst, void* src, size_t count, const Descriptions& with,
                   aclrtStream stream);
};

inline const DeviceCopyForm kDeviceCopyForms[] = {
    {"aclrtMemcpy", false,
     [](void* dst, void* src, size_t count, const Descriptions&, aclrtStream) {
       return aclrtMemcpy(dst, count, src, count, ACL_MEMCPY_DEVICE_TO_DEVICE);
     }},
    {"aclrtMemcpyAsync", true,
     [](void* dst, void* src, size_t count, const Descriptions&, aclrtStream stream) {
       return aclrtMemcpyAsync(dst, count, src, count, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
     }},
    {"aclrtMemcpy2dAsync", true,
     [](void* dst, void* src, size_t count, const Descriptions&, aclrtStream stream) {
       return aclrtMemcpy2dAsync(dst, count, src, count, count, 1, ACL_MEMCPY_DEVICE_TO_DEVICE,
                                 stream);
     }},
    {"aclrtMemcpyAsyncWithDesc", true,
     [](void* dst, void* src, size_t count, const Descriptions& with, aclrtStream stream) {
       void* const desc = with.descriptor.get();
       EXPECT_OK(
           aclrtSetMemcpyDesc(desc, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, src, dst, count, nullptr));
       return aclrtMemcpyAsyncWithDesc(desc, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream);
     }},
    {"aclrtMemcpyAsyncWithOffset", true,
     [](void* dst, void* src, size_t count, const Descriptions& with, aclrtStream stream) {
       const void* const addresses[] = {dst, src};
       EXPECT_OK(aclrtMemcpy(with.table.get(), sizeof addresses, addresses, sizeof addresses,
                             ACL_MEMCPY_HOST_TO_DEVICE));
       return aclrtMemcpyAsyncWithOffset(
           reinterpret_cast<void**>(with.table.get()), count, 0,                    // NOLINT
           reinterpret_cast<const void**>(with.table.at(sizeof(void*))), count, 0,  // NOLINT
           ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream);
     }},
};

// Sets bytes to 0x2b; address and count are multiples of 4.
struct SetForm {
  const char* name;
  bool is_queued;  // on device memory
  aclError (*set)(void* address, size_t count, aclrtStream stream);
};

inline const SetForm kSetForms[] = {
    {"aclrtMemset", false,
     [](void* address, size_t count, aclrtStream) {
       return aclrtMemset(address, count, 0x2b, count);
     }},
    {"aclrtMemsetAsync", true,
     [](void* address, size_t count, aclrtStream stream) {
       return aclrtMemsetAsync(address, count, 0x2b, count, stream);
     }},
    {"aclrtMemsetD32", false,
     [](void* address, size_t count, aclrtStream) {
       return aclrtMemsetD32(address, count, 0x2b2b2b2b, count / 4);
     }},
    {"aclrtMemsetD32Async", true,
     [](void* address, size_t count, aclrtStream stream) {
       return aclrtMemsetD32Async(address, count, 0x2b2b2b2b, count / 4, stream);
     }},
};

}  // namespace conformance::virtual_memory
