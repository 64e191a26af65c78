// SPDX-License-Identifier: Apache-2.0
// libhccl.so: what does not refuse.
#include "companions/declarations.h"
#include "companions/support.h"

#include <atomic>

using namespace ferry::companions;  // NOLINT(google-build-using-namespace): C functions have none

namespace {

std::atomic<int32_t> configured[HCCL_CONFIG_RESERVED];

}  // namespace

// torch_npu sets it whenever deterministic algorithms are switched, and raises on failure.
HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue) {
  if (config < HCCL_DETERMINISTIC || config >= HCCL_CONFIG_RESERVED) {
    fail(__func__, ACL_ERROR_INVALID_PARAM, "config is %d, allowed is 0 or 1",
         static_cast<int>(config));
    return HCCL_E_PARA;
  }
  configured[config].store(configValue.value, std::memory_order_relaxed);
  return HCCL_SUCCESS;
}

uint32_t HcclGetCommConfigCapability() {
  return 0;
}

const char* HcclGetErrorString(HcclResult code) {
  constexpr const char* kTexts[] = {
      "success",
      "invalid argument",
      "NULL pointer",
      "memory error",
      "internal error",
      "not supported",
      "not found",
      "unavailable",
      "system call failed",
      "timeout",
      "file cannot be opened",
      "TCP connection failed",
      "RoCE connection failed",
      "TCP transfer failed",
      "RoCE transfer failed",
      "runtime call failed",
      "driver call failed",
      "profiling call failed",
      "CCE call failed",
      "network error",
      "try again",
      "remote error",
      "communicator is suspended",
      "retry failed",
      "out of memory",
  };
  static_assert(sizeof kTexts / sizeof *kTexts == HCCL_E_RESERVED);
  return code >= HCCL_SUCCESS && code < HCCL_E_RESERVED ? kTexts[code] : "unknown error";
}
