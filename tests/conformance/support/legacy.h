// SPDX-License-Identifier: Apache-2.0
// The older runtime names as programs declare them for themselves: no header of Ferry does.
#pragma once

#include "support/conformance.h"

extern "C" {
int32_t rtSetDevice(int32_t device);
int32_t rtGetDevice(int32_t* device);
int32_t rtGetDeviceCount(int32_t* count);
int32_t rtDeviceReset(int32_t device);
int32_t rtCtxGetCurrent(void** context);
int32_t rtCtxSetCurrent(void* context);
int32_t rtDeviceGetBareTgid(uint32_t* pid);
int32_t rtGetDeviceInfo(uint32_t device, int32_t module, int32_t info, int64_t* value);
int32_t rtGetLogicDevIdByUserDevId(const int32_t user, int32_t* const logical);
int32_t rtGetDevicePhyIdByIndex(uint32_t index, uint32_t* physical);
int32_t rtEnableP2P(uint32_t destination, uint32_t physical_source, uint32_t flag);
int32_t rtDisableP2P(uint32_t destination, uint32_t physical_source);
int32_t rtGetSocVersion(char* version, uint32_t size);
int32_t rtGetAiCoreCount(uint32_t* count);
int32_t rtGetC2cCtrlAddr(uint64_t* address, uint32_t* size);

int32_t rtMalloc(void** address, uint64_t size, uint32_t type, uint16_t module);
int32_t rtFree(void* address);
int32_t rtMallocHost(void** address, uint64_t size, uint16_t module);
int32_t rtFreeHost(void* address);
typedef struct {
  uint32_t memoryType;
  uint32_t locationType;
  uint32_t deviceID;
  uint32_t pageSize;
} rtPointerAttributes_t;
int32_t rtPointerGetAttributes(rtPointerAttributes_t* attributes, const void* address);
int32_t rtMemcpy(void* dst, uint64_t dest_max, const void* src, uint64_t count, int32_t kind);
int32_t rtMemcpyAsync(void* dst, uint64_t dest_max, const void* src, uint64_t count, int32_t kind,
                      void* stream);
int32_t rtMemcpyAsyncWithoutCheckKind(void* dst, uint64_t dest_max, const void* src, uint64_t count,
                                      int32_t kind, void* stream);
int32_t rtMemsetAsync(void* address, uint64_t dest_max, uint32_t value, uint64_t count,
                      void* stream);

int32_t rtIpcSetMemoryName(const void* address, uint64_t size, char* name, uint32_t length);
int32_t rtIpcDestroyMemoryName(const char* name);
int32_t rtIpcOpenMemory(void** address, const char* name);
int32_t rtIpcCloseMemory(const void* address);
int32_t rtSetIpcMemorySuperPodPid(const char* name, uint32_t sdid, int32_t* pids, int32_t count);

int32_t rtStreamCreate(void** stream, int32_t priority);
int32_t rtStreamDestroy(void* stream);
int32_t rtStreamSynchronize(void* stream);

typedef struct {
  uint32_t magic;
  uint32_t version;
  const void* data;
  uint64_t length;
} rtDevBinary_t;
typedef struct {
  void* args;
  aclrtPlaceHolderInfo* placeholders;
  uint32_t size;
  uint32_t tilingAddrOffset;
  uint32_t tilingDataOffset;
  uint16_t placeholderCount;
  uint8_t hasTiling;
  uint8_t isOnDevice;
  uint8_t reserved[8];
} rtArgsEx_t;
typedef struct {
  uint8_t bytes[16];
} rtTaskCfgInfo_t;
int32_t rtDevBinaryRegister(const rtDevBinary_t* binary, void** handle);
int32_t rtFunctionRegister(void* binary, const void* stub, const char* stub_name,
                           const void* kernel_name, uint32_t mode);
int32_t rtKernelLaunch(const void* stub, uint32_t blocks, void* arguments, uint32_t size, void* sm,
                       void* stream);
int32_t rtKernelLaunchWithFlagV2(const void* stub, uint32_t blocks, rtArgsEx_t* arguments, void* sm,
                                 void* stream, uint32_t flags, const rtTaskCfgInfo_t* config);
int32_t rtKernelLaunchWithHandleV2(void* binary, uint64_t key, uint32_t blocks,
                                   rtArgsEx_t* arguments, void* sm, void* stream,
                                   const rtTaskCfgInfo_t* config);
}
