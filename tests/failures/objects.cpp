// SPDX-License-Identifier: Apache-2.0
// Chapters about the process, contexts, memory and its allocators.
#include "attempt.h"
#include "program.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace failures {

void query_process() {
  uint32_t count = 0;
  OK(aclrtGetDeviceCount(&count));
  int32_t device = -1;
  OK(aclrtGetDevice(&device));
  aclrtRunMode mode = ACL_HOST;
  OK(aclrtGetRunMode(&mode));
  int64_t value = 0;
  OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, &value));
  MADE(aclrtGetSocName());
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_NORMAL;
  OK(aclrtQueryDeviceStatus(0, &status));
}

void use_contexts() {
  aclrtContext before = nullptr;
  OK(aclrtGetCurrentContext(&before));
  aclrtContext context = nullptr;
  OK(aclrtCreateContext(&context, 1));
  OK(aclrtSetCurrentContext(context));
  OK(aclrtSynchronizeDevice());
  aclrtStream stream = nullptr;
  OK(aclrtCreateStream(&stream));
  if (context != nullptr) OK(aclrtDestroyContext(context));
  OK(aclrtSetCurrentContext(before));
  if (!outcome.misuses) return;
  // The stream went with its context.
  CODE(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyStream(stream));
}

void use_memory() {
  aclrtMallocAttrValue module{};
  module.moduleId = 5;
  aclrtMallocAttribute attribute{ACL_RT_MEM_ATTR_MODULE_ID, module};
  aclrtMallocConfig config{&attribute, 1};
  void* memory[6] = {};
  OK(aclrtMalloc(&memory[0], 1000, ACL_MEM_MALLOC_HUGE_FIRST));
  OK(aclrtMallocAlign32(&memory[1], size_t{3} << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  OK(aclrtMallocCached(&memory[2], 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  OK(aclrtMallocWithCfg(&memory[3], 4096, ACL_MEM_MALLOC_NORMAL_ONLY, &config));
  void* pinned[2] = {};
  OK(aclrtMallocHost(&pinned[0], 10000));
  OK(aclrtMallocHostWithCfg(&pinned[1], size_t{4} << 20, nullptr));
  // Out of order, so that free ranges appear and merge.
  for (const int i : {1, 3, 0, 2}) {
    if (memory[i] != nullptr) OK(aclrtFree(memory[i]));
  }
  if (pinned[0] != nullptr) OK(aclrtFreeHost(pinned[0]));
  if (pinned[1] != nullptr) OK(aclrtFreeHostWithDevSync(pinned[1]));
}

void use_registered_memory() {
  constexpr size_t kBytes = size_t{16} << 10;
  alignas(4096) static char memory[kBytes];
  void* mapped = nullptr;
  OK(aclrtHostRegister(memory, kBytes, ACL_HOST_REGISTER_MAPPED, &mapped));
  void* again = nullptr;
  OK(aclrtHostGetDevicePointer(memory, &again, 0));
  if (outcome.misuses) {
    CODE(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
         aclrtHostRegisterV2(memory, kBytes, ACL_HOST_REG_PINNED));
  }
  OK(aclrtHostUnregister(memory));
  OK(aclrtHostRegisterV2(memory, kBytes, ACL_HOST_REG_PINNED));
  void* device = nullptr;
  OK(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  OK(aclrtMemset(device, kBytes, 7, kBytes));
  aclrtStream stream = nullptr;
  OK(aclrtCreateStream(&stream));
  OK(aclrtMemcpyAsync(memory, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  OK(aclrtSynchronizeStream(stream));
  expect_filled("registered memory", memory, 7, kBytes);
  if (stream != nullptr) OK(aclrtDestroyStream(stream));
  if (device != nullptr) OK(aclrtFree(device));
  OK(aclrtHostUnregister(memory));
  if (outcome.misuses) CODE(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(memory));
}

void query_memory() {
  void* memory = nullptr;
  OK(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  aclrtPtrAttributes attributes{};
  OK(aclrtPointerGetAttributes(memory, &attributes));
  aclrtMemUsageInfo usage[4];
  size_t modules = 0;
  OK(aclrtGetMemUsageInfo(0, usage, 4, &modules));
  if (memory != nullptr) OK(aclrtFree(memory));
  // The text says what the address was.
  if (outcome.misuses) CODE(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(memory));
  static_cast<void>(aclGetRecentErrMsg());
  aclDataBuffer* buffer = MADE(aclCreateDataBuffer(memory, 4096));
  if (buffer != nullptr) OK(aclDestroyDataBuffer(buffer));
}

void use_custom_allocators() {
  int object = 0;
  aclrtAllocatorDesc desc = MADE(aclrtAllocatorCreateDesc());
  if (desc == nullptr) return;
  OK(aclrtAllocatorSetObjToDesc(desc, &object));
  OK(aclrtAllocatorSetAllocFuncToDesc(desc,
                                      [](aclrtAllocator, size_t) -> void* { return nullptr; }));
  OK(aclrtAllocatorSetFreeFuncToDesc(desc, [](aclrtAllocator, aclrtAllocatorBlock) {}));
  OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
      desc, [](aclrtAllocatorBlock block) -> void* { return block; }));
  OK(aclrtAllocatorRegister(&object, desc));
  OK(aclrtAllocatorUnregister(&object));
  OK(aclrtAllocatorDestroyDesc(desc));
}

void use_peers() {
  uint32_t devices = 0;
  OK(aclrtGetDeviceCount(&devices));
  if (devices < 2) return;
  int32_t can_access = 0;
  OK(aclrtDeviceCanAccessPeer(&can_access, 0, 1));
  OK(aclrtDeviceEnablePeerAccess(1, 0));
  void* here = nullptr;
  OK(aclrtMalloc(&here, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  OK(aclrtMemset(here, 4096, 3, 4096));
  OK(aclrtSetDevice(1));
  void* there = nullptr;
  OK(aclrtMalloc(&there, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  OK(aclrtSetDevice(0));
  OK(aclrtMemcpy(there, 4096, here, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE));
  char back[4096];
  OK(aclrtMemcpy(back, 4096, there, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
  expect_filled("a copy between devices", back, 3, 4096);
  if (here != nullptr) OK(aclrtFree(here));
  if (there != nullptr) OK(aclrtFree(there));
  OK(aclrtDeviceDisablePeerAccess(1));
  OK(aclrtResetDevice(1));
  OK(aclrtResetDevice(0));  // of the second call of aclrtSetDevice
}

}  // namespace failures
