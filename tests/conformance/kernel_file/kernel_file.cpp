// SPDX-License-Identifier: Apache-2.0
// A shared object with stand-ins, for FERRY_KERNELS. CONFORMANCE_KERNEL_FILE makes it misbehave.
#include "acl/acl.h"
#include "ferry/kernel.h"

#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace {

int do_nothing(uint32_t /*blocks*/, const void* /*args*/, size_t /*size*/,
               const ferryKernelContext* /*context*/) {
  return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void ferryRegisterKernels(void) {
  const char* const wish = std::getenv("CONFORMANCE_KERNEL_FILE");
  const std::string_view what = wish == nullptr ? "" : wish;
  if (what == "throw") throw std::runtime_error("no kernels today");
  if (what == "wrong") ferryRegisterKernel("", do_nothing, nullptr);
  if (what == "device") {
    void* memory = nullptr;
    if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS) std::abort();
  }
  ferryRegisterKernel("ct_from_file", do_nothing, nullptr);
}
