// SPDX-License-Identifier: Apache-2.0
// rule: none
// cpu: stand-ins run on CPU devices
// A kernel scales blocks of a cache on one stream, and another stream saves them behind the event
// that the kernel's stream records.
#include "corpus.h"

#include "ferry/ferry.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

struct Scale {
  char* blocks;
  uint64_t size;
};

int scale(uint32_t /*blocks*/, const void* args, size_t /*size*/,
          const ferryKernelContext* context) {
  Scale given{};
  std::memcpy(&given, args, sizeof given);
  auto* bytes = static_cast<unsigned char*>(ferryKernelAddress(context, given.blocks, given.size));
  if (bytes == nullptr) return 1;
  for (uint64_t i = 0; i < given.size; ++i)
    bytes[i] = static_cast<unsigned char>(2 * bytes[i]);
  return 0;
}

void declare_scale(uint32_t /*blocks*/, const void* args, size_t /*size*/,
                   const ferryKernelContext* /*context*/, ferryKernelRanges* ranges) {
  Scale given{};
  std::memcpy(&given, args, sizeof given);
  ferryKernelWrites(ranges, given.blocks, given.size);
}

aclrtFuncHandle find_kernel() {
  ferryKernel kernel{};
  kernel.structSize = sizeof kernel;
  kernel.name = "scale";
  kernel.function = scale;
  kernel.declare = declare_scale;
  need(ferryRegisterKernelEx(&kernel));
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle function = nullptr;
  need(aclrtBinaryLoadFromData("scale", 5, nullptr, &binary));
  need(aclrtBinaryGetFunction(binary, "scale", &function));
  return function;
}

}  // namespace

int main() {
  Device device;
  DeviceMemory cache(kBytes);
  PinnedMemory saved(kBytes);
  Event is_scaled;
  Stream compute;
  Stream transfer;
  Scale args{cache, kBytes};
  need(aclrtLaunchKernelWithHostArgs(find_kernel(), 1, compute, nullptr, &args, sizeof args,
                                     nullptr, 0));
  need(aclrtRecordEvent(is_scaled, compute));
  need(aclrtStreamWaitEvent(transfer, is_scaled));
  need(aclrtMemcpyAsync(saved, kBytes, cache, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, transfer));
  need(aclrtSynchronizeStream(transfer));
  need(aclrtSynchronizeStream(compute));
  return 0;
}
