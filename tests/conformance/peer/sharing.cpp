// SPDX-License-Identifier: Apache-2.0
// Commands of the peer: handles and keys of memory that processes share.
#include "command.h"

#include "ferry/ferry.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace peer {
namespace {

constexpr size_t kFabricSize = 128;

uint64_t as_number(const std::vector<uint8_t>& bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
  return value;
}

// A copy with room for all that a function may read.
std::vector<uint8_t> padded(std::vector<uint8_t> bytes) {
  bytes.resize(std::max(bytes.size(), kFabricSize));
  return bytes;
}

// HANDLE FLAGS
Answer export_v1(Words& words) {
  void* const handle = words.object();
  uint64_t value = 0;
  const aclError code =
      aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, words.number(), &value);
  return bytes_of(code, &value, sizeof value);
}

// HANDLE FLAGS TYPE
Answer export_v2(Words& words) {
  void* const handle = words.object();
  const uint64_t flags = words.number();
  const auto type = static_cast<aclrtMemSharedHandleType>(words.number());
  uint8_t bytes[kFabricSize] = {};
  const aclError code = aclrtMemExportToShareableHandleV2(handle, flags, type, bytes);
  const bool is_fabric = type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC;
  return bytes_of(code, bytes, is_fabric ? kFabricSize : sizeof(uint64_t));
}

// BYTES PIDS
Answer set_pid_v1(Words& words) {
  const uint64_t value = as_number(words.bytes());
  std::vector<int32_t> pids = words.numbers();
  return {aclrtMemSetPidToShareableHandle(value, pids.data(), pids.size()), {}};
}

// BYTES TYPE PIDS
Answer set_pid_v2(Words& words) {
  std::vector<uint8_t> bytes = padded(words.bytes());
  const auto type = static_cast<aclrtMemSharedHandleType>(words.number());
  std::vector<int32_t> pids = words.numbers();
  return {aclrtMemSetPidToShareableHandleV2(bytes.data(), type, pids.data(), pids.size()), {}};
}

// NAME BYTES DEVICE
Answer import_v1(Words& words) {
  const std::string name = words.word();
  const uint64_t value = as_number(words.bytes());
  aclrtDrvMemHandle handle = nullptr;
  const aclError code = aclrtMemImportFromShareableHandle(value, words.signed_number(), &handle);
  return keep(name, handle, code);
}

// NAME BYTES TYPE
Answer import_v2(Words& words) {
  const std::string name = words.word();
  std::vector<uint8_t> bytes = padded(words.bytes());
  const auto type = static_cast<aclrtMemSharedHandleType>(words.number());
  aclrtDrvMemHandle handle = nullptr;
  const aclError code = aclrtMemImportFromShareableHandleV2(bytes.data(), type, 0, &handle);
  return keep(name, handle, code);
}

// ADDRESS OFFSET SIZE FLAGS
Answer export_key(Words& words) {
  void* const address = words.address();
  const size_t size = words.number();
  char key[kKeySize] = {};
  const aclError code = aclrtIpcMemGetExportKey(address, size, key, sizeof key, words.number());
  return bytes_of(code, key, sizeof key);
}

// KEY PIDS
Answer set_key_pid(Words& words) {
  const std::vector<uint8_t> key = padded(words.bytes());
  std::vector<int32_t> pids = words.numbers();
  const auto* const text = reinterpret_cast<const char*>(key.data());
  return {aclrtIpcMemSetImportPid(text, pids.data(), pids.size()), {}};
}

// NAME KEY FLAGS
Answer import_key(Words& words) {
  const std::string name = words.word();
  const std::vector<uint8_t> key = padded(words.bytes());
  void* address = nullptr;
  const aclError code =
      aclrtIpcMemImportByKey(&address, reinterpret_cast<const char*>(key.data()), words.number());
  return keep(name, address, code);
}

Answer close_key(Words& words) {
  const std::vector<uint8_t> key = padded(words.bytes());
  return {aclrtIpcMemClose(reinterpret_cast<const char*>(key.data())), {}};
}

// Counts of ferryFabricCounts
Answer fabric_counts(Words&) {
  ferryFabricCounts counts{};
  counts.structSize = sizeof counts;
  const aclError code = ferryGetFabricCounts(&counts);
  return numbers(code, {counts.peers, counts.objectsInUse, counts.objectsLent, counts.bytesPut,
                        counts.bytesGot, counts.bytesRelayed, counts.packedRequests, counts.signals,
                        counts.lost, counts.bytesStaged});
}

// EVERY, as 0 or 1. The report as bytes
Answer fabric_report(Words& words) {
  const auto every = static_cast<int>(words.number());
  std::string text(size_t{64} << 10, 0);
  const size_t length = ferryFabricReport(every, text.data(), text.size());
  return bytes_of(ACL_SUCCESS, text.data(), std::min(length, text.size() - 1));
}

// Forks, and uses the library in the child. The code of its first call
Answer call_in_a_child(Words&) {
  const pid_t child = fork();
  if (child == 0) {
    uint32_t count = 0;
    const aclError code = aclrtGetDeviceCount(&count);
    void* memory = nullptr;
    const aclError second = aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    _exit(code == second && code == 507000 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return numbers(ACL_SUCCESS, {static_cast<uint64_t>(status)});
}

}  // namespace

const Command kSharingCommands[] = {
    {"export_v1", export_v1},
    {"export_v2", export_v2},
    {"set_pid_v1", set_pid_v1},
    {"set_pid_v2", set_pid_v2},
    {"import_v1", import_v1},
    {"import_v2", import_v2},
    {"export_key", export_key},
    {"set_key_pid", set_key_pid},
    {"import_key", import_key},
    {"close_key", close_key},
    {"fabric_counts", fabric_counts},
    {"fabric_report", fabric_report},
    {"call_in_a_child", call_in_a_child},
    {nullptr, nullptr},
};

}  // namespace peer
