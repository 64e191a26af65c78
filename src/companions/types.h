// SPDX-License-Identifier: Apache-2.0
// Types of libraries for which Ferry has no public header: their layouts are part of the interface.
#pragma once

#include <cstddef>
#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming): the names are given.

// ---- libprofapi.so ----

using VOID_PTR = void*;
using ProfCommandHandle = int32_t (*)(uint32_t, void*, uint32_t);

struct MsprofApi {
  uint16_t magicNumber;
  uint16_t level;
  uint32_t type;
  uint32_t threadId;
  uint32_t reserve;
  uint64_t beginTime;
  uint64_t endTime;
  uint64_t itemId;
};
static_assert(sizeof(MsprofApi) == 40 && offsetof(MsprofApi, itemId) == 32);

// ---- libascend_hal.so ----

using UINT32 = unsigned int;
using UINT64 = unsigned long long;

enum drvError_t : int32_t {
  DRV_ERROR_NONE = 0,
  DRV_ERROR_NO_DEVICE = 1,
  DRV_ERROR_INVALID_DEVICE = 2,
  DRV_ERROR_INVALID_VALUE = 3,
  DRV_ERROR_PARA_ERROR = 8,
  DRV_ERROR_NOT_SUPPORT = 65534,
};

// ---- libdcmi.so ----

struct dcmi_pcie_info_all {
  unsigned int venderid;
  unsigned int subvenderid;
  unsigned int deviceid;
  unsigned int subdeviceid;
  int domain;
  unsigned int bdf_busid;
  unsigned int bdf_deviceid;
  unsigned int bdf_funcid;
  unsigned char reserve[32];
};
static_assert(sizeof(dcmi_pcie_info_all) == 64 && offsetof(dcmi_pcie_info_all, domain) == 16);

// NOLINTEND(readability-identifier-naming)
