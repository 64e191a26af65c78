// SPDX-License-Identifier: Apache-2.0
// The functions of ferry/kernel.h.
#include "api/exported.h"
#include "base/config.h"
#include "base/status.h"
#include "core/kernel/kernel_file.h"
#include "core/kernel/kernel_launch.h"
#include "core/kernel/stand_in.h"
#include "layers/check/world/world.h"

#include "ferry/kernel.h"

namespace ferry::api {
namespace {

Status register_kernel(const ferryKernel& kernel) {
  const Status added = StandIns::instance().add(kernel);
  if (!added.ok()) note_failed_registration();
  return added;
}

void add_range(ferryKernelRanges* ranges, const void* address, size_t size, uint32_t writes) {
  if (ranges == nullptr || size == 0) return;
  ranges->accesses->push_back(
      {.address = const_cast<void*>(address), .size = size, .writes = writes, .reserved = 0});
}

}  // namespace
}  // namespace ferry::api

using namespace ferry;       // NOLINT(google-build-using-namespace): C functions have no namespace
using namespace ferry::api;  // NOLINT(google-build-using-namespace)

aclError ferryRegisterKernel(const char* name, ferryKernelFunction function, void* data) {
  return exported("ferryRegisterKernel", [&] {
    ferryKernel kernel{};
    kernel.structSize = sizeof kernel;
    kernel.name = name;
    kernel.function = function;
    kernel.data = data;
    return register_kernel(kernel);
  });
}

aclError ferryRegisterKernelEx(const ferryKernel* kernel) {
  return exported("ferryRegisterKernelEx", [&] {
    if (kernel == nullptr) return fail_null("kernel");
    return register_kernel(*kernel);
  });
}

aclError ferryUnregisterKernel(const char* name) {
  return exported("ferryUnregisterKernel", [&] {
    if (name == nullptr) return fail_null("name");
    return StandIns::instance().remove(name);
  });
}

void* ferryKernelAddress(const ferryKernelContext* context, const void* devPtr, size_t size) {
  void* address = nullptr;
  static_cast<void>(exported("ferryKernelAddress", [&] {
    FERRY_TRY(void*, found, kernel_address(context, devPtr, size));
    address = *found;
    if (config().check.is_on) layers::check::World::instance().function_uses(devPtr);
    return Status();
  }));
  return address;
}

void ferryKernelReads(ferryKernelRanges* ranges, const void* devPtr, size_t size) {
  static_cast<void>(exported("ferryKernelReads", [&] {
    add_range(ranges, devPtr, size, 0);
    return Status();
  }));
}

void ferryKernelWrites(ferryKernelRanges* ranges, void* devPtr, size_t size) {
  static_cast<void>(exported("ferryKernelWrites", [&] {
    add_range(ranges, devPtr, size, 1);
    return Status();
  }));
}

aclError ferryGetKernel(size_t index, ferryKernelUse* use) {
  return exported("ferryGetKernel", [&] {
    if (use == nullptr) return fail_null("use");
    const KernelCounts* const counts = StandIns::instance().counts_at(index);
    if (counts == nullptr) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "index", index)
          .expected()
          .because(", but there is no such kernel");
    }
    *use = {.name = counts->name.c_str(),
            .isRegistered = StandIns::instance().find(counts->name) != nullptr ? 1 : 0,
            .launches = counts->launches,
            .failures = counts->failures,
            .skipped = counts->skipped};
    return Status();
  });
}
