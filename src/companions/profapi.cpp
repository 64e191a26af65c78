// SPDX-License-Identifier: Apache-2.0
// libprofapi.so: other libraries report to the profiler. Reports are accepted and dropped.
#include "companions/declarations.h"

#include <ctime>

uint64_t MsprofSysCycleTime() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// FNV-1a. 0 would mean that there is no text.
uint64_t MsprofGetHashId(const char* hashInfo, size_t length) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; hashInfo != nullptr && i < length; ++i) {
    hash = (hash ^ static_cast<unsigned char>(hashInfo[i])) * 0x100000001b3;
  }
  return hash == 0 ? 1 : hash;
}

int32_t MsprofRegisterCallback(uint32_t /*moduleId*/, ProfCommandHandle /*handle*/) {
  return 0;
}

int32_t MsprofReportApi(uint32_t /*nonPersistantFlag*/, const MsprofApi* /*api*/) {
  return 0;
}

int32_t MsprofReportCompactInfo(uint32_t /*nonPersistantFlag*/, const VOID_PTR /*data*/,
                                uint32_t /*length*/) {
  return 0;
}

int32_t MsprofReportAdditionalInfo(uint32_t /*nonPersistantFlag*/, const VOID_PTR /*data*/,
                                   uint32_t /*length*/) {
  return 0;
}
