// SPDX-License-Identifier: Apache-2.0
// Commands of the peer: devices, memory, addresses, and the bytes in them.
#include "command.h"

#include "ferry/ferry.h"

#include <cstring>

namespace peer {
namespace {

Answer set_device(Words& words) {
  return {aclrtSetDevice(words.signed_number()), {}};
}

Answer reset_device(Words& words) {
  return {aclrtResetDevice(words.signed_number()), {}};
}

// The process's number in the lists of the API.
Answer bare_tgid(Words&) {
  int32_t pid = 0;
  const aclError code = aclrtDeviceGetBareTgid(&pid);
  return numbers(code, {static_cast<uint64_t>(pid)});
}

Answer allocate(Words& words) {
  const std::string name = words.word();
  void* address = nullptr;
  const aclError code = aclrtMalloc(&address, words.number(), ACL_MEM_MALLOC_HUGE_FIRST);
  return keep(name, address, code);
}

Answer allocate_host(Words& words) {
  const std::string name = words.word();
  void* address = nullptr;
  const aclError code = aclrtMallocHost(&address, words.number());
  return keep(name, address, code);
}

Answer free_memory(Words& words) {
  return {aclrtFree(words.object()), {}};
}

// NAME SIZE LOCATION-TYPE LOCATION-ID ATTRIBUTE
Answer allocate_physical(Words& words) {
  const std::string name = words.word();
  const size_t size = words.number();
  aclrtPhysicalMemProp prop = {};
  prop.location.type = static_cast<aclrtMemLocationType>(words.number());
  prop.location.id = static_cast<uint32_t>(words.number());
  prop.memAttr = static_cast<aclrtMemAttr>(words.number());
  aclrtDrvMemHandle handle = nullptr;
  const aclError code = aclrtMallocPhysical(&handle, size, &prop, 0);
  return keep(name, handle, code);
}

Answer free_physical(Words& words) {
  return {aclrtFreePhysical(words.object()), {}};
}

// LOCATION-TYPE LOCATION-ID of a handle
Answer properties(Words& words) {
  aclrtPhysicalMemProp prop = {};
  const aclError code = aclrtMemGetAllocationPropertiesFromHandle(words.object(), &prop);
  return numbers(code, {static_cast<uint64_t>(prop.location.type), prop.location.id});
}

Answer reserve(Words& words) {
  const std::string name = words.word();
  void* address = nullptr;
  const aclError code = aclrtReserveMemAddress(&address, words.number(), 0, nullptr, 1);
  return keep(name, address, code);
}

// NAME SIZE WHERE
Answer reserve_no_uc(Words& words) {
  const std::string name = words.word();
  const size_t size = words.number();
  void* address = nullptr;
  const aclError code = aclrtReserveMemAddressNoUCMemory(
      &address, size, 0, reinterpret_cast<void*>(words.number()), 1);
  return keep(name, address, code);
}

Answer release(Words& words) {
  return {aclrtReleaseMemAddress(words.object()), {}};
}

// ADDRESS OFFSET SIZE HANDLE
Answer map(Words& words) {
  void* const address = words.address();
  const size_t size = words.number();
  return {aclrtMapMem(address, size, 0, words.object(), 0), {}};
}

Answer unmap(Words& words) {
  return {aclrtUnmapMem(words.address()), {}};
}

// ADDRESS OFFSET SIZE LOCATION-TYPE LOCATION-ID
Answer set_access(Words& words) {
  void* const address = words.address();
  const size_t size = words.number();
  aclrtMemAccessDesc desc = {};
  desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
  desc.location.type = static_cast<aclrtMemLocationType>(words.number());
  desc.location.id = static_cast<uint32_t>(words.number());
  return {aclrtMemSetAccess(address, size, &desc, 1), {}};
}

// ADDRESS OFFSET SIZE SEED
Answer write(Words& words) {
  void* const address = words.address();
  const size_t size = words.number();
  const std::vector<uint8_t> bytes = pattern(size, words.number());
  return {aclrtMemcpy(address, size, bytes.data(), size, ACL_MEMCPY_HOST_TO_DEVICE), {}};
}

// ADDRESS OFFSET SIZE SEED: 1 if the bytes are those of the pattern
Answer holds(Words& words) {
  void* const address = words.address();
  const size_t size = words.number();
  std::vector<uint8_t> bytes(size);
  const aclError code = aclrtMemcpy(bytes.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST);
  return numbers(code, {bytes == pattern(size, words.number()) ? uint64_t{1} : uint64_t{0}});
}

// The same by plain access of the CPU, for host memory.
Answer write_plainly(Words& words) {
  void* const address = words.address();
  const size_t size = words.number();
  std::memcpy(address, pattern(size, words.number()).data(), size);
  return {};
}

Answer holds_plainly(Words& words) {
  const void* const address = words.address();
  const size_t size = words.number();
  const std::vector<uint8_t> expected = pattern(size, words.number());
  return numbers(0, {std::memcmp(address, expected.data(), size) == 0 ? uint64_t{1} : uint64_t{0}});
}

// ADDRESS OFFSET SIZE VALUE
Answer set(Words& words) {
  void* const address = words.address();
  const size_t size = words.number();
  return {aclrtMemset(address, size, words.signed_number(), size), {}};
}

// ADDRESS OFFSET SIZE: the bytes themselves
Answer read(Words& words) {
  const void* const address = words.address();
  std::vector<uint8_t> bytes(words.number());
  const aclError code =
      aclrtMemcpy(bytes.data(), bytes.size(), address, bytes.size(), ACL_MEMCPY_DEVICE_TO_HOST);
  return {code, bytes};
}

// DESTINATION OFFSET SOURCE OFFSET SIZE KIND
Answer copy(Words& words) {
  void* const dst = words.address();
  const void* const src = words.address();
  const size_t size = words.number();
  return {aclrtMemcpy(dst, size, src, size, static_cast<aclrtMemcpyKind>(words.number())), {}};
}

// The same, and a stream
Answer copy_async(Words& words) {
  void* const dst = words.address();
  const void* const src = words.address();
  const size_t size = words.number();
  const auto kind = static_cast<aclrtMemcpyKind>(words.number());
  return {aclrtMemcpyAsync(dst, size, src, size, kind, words.object()), {}};
}

// LOCATION-TYPE LOCATION-ID of an address
Answer attributes(Words& words) {
  aclrtPtrAttributes attributes = {};
  const aclError code = aclrtPointerGetAttributes(words.address(), &attributes);
  return numbers(code, {static_cast<uint64_t>(attributes.location.type), attributes.location.id});
}

// Free and total bytes of the current device
Answer memory_info(Words&) {
  size_t free = 0;
  size_t total = 0;
  const aclError code = aclrtGetMemInfo(ACL_HBM_MEM, &free, &total);
  return numbers(code, {free, total});
}

// How many errors the checker has found that no returned code explains
Answer findings(Words&) {
  uint64_t count = 0;
  ferryRule rule;
  for (size_t i = 0; ferryGetRule(i, &rule) == ACL_SUCCESS; ++i) {
    if (std::strcmp(rule.severity, "error") == 0) count += ferryCheckUnexplained(rule.name);
  }
  return numbers(ACL_SUCCESS, {count});
}

}  // namespace

const Command kMemoryCommands[] = {
    {"set_device", set_device},
    {"reset_device", reset_device},
    {"bare_tgid", bare_tgid},
    {"allocate", allocate},
    {"allocate_host", allocate_host},
    {"free", free_memory},
    {"allocate_physical", allocate_physical},
    {"free_physical", free_physical},
    {"properties", properties},
    {"reserve", reserve},
    {"reserve_no_uc", reserve_no_uc},
    {"release", release},
    {"map", map},
    {"unmap", unmap},
    {"set_access", set_access},
    {"write", write},
    {"holds", holds},
    {"write_plainly", write_plainly},
    {"holds_plainly", holds_plainly},
    {"set", set},
    {"read", read},
    {"copy", copy},
    {"copy_async", copy_async},
    {"attributes", attributes},
    {"memory_info", memory_info},
    {"findings", findings},
    {nullptr, nullptr},
};

}  // namespace peer
