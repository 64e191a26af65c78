// SPDX-License-Identifier: Apache-2.0
// A shared object with the stand-in for the kernel of program.cpp (Ferry only):
//   FERRY_KERNELS=./libkernels_stand_ins.so ./kernels
#include "kernels/gather.h"

#include "ferry/kernel.h"

#include <cstring>

namespace {

// The list of blocks, as the caller of ferryKernelAddress sees it. NULL when it is not there.
const void* const* list_of(const GatherArguments& arguments, const ferryKernelContext* context) {
  return static_cast<const void* const*>(
      ferryKernelAddress(context, arguments.blocks, arguments.count * sizeof(void*)));
}

int gather_blocks(uint32_t /*numBlocks*/, const void* args, size_t argsSize,
                  const ferryKernelContext* context) {
  GatherArguments arguments{};
  if (argsSize < sizeof arguments) return 1;
  std::memcpy(&arguments, args, sizeof arguments);
  const uint64_t size = arguments.block_size;
  const void* const* blocks = list_of(arguments, context);
  auto* target =
      static_cast<char*>(ferryKernelAddress(context, arguments.target, arguments.count * size));
  if (blocks == nullptr || target == nullptr) return 2;
  for (uint64_t i = 0; i < arguments.count; ++i) {
    const void* block = ferryKernelAddress(context, blocks[i], size);
    if (block == nullptr) return 3;
    std::memcpy(target + i * size, block, size);
  }
  return 0;
}

// What a launch reads and writes, for the checker.
void declare_gather(uint32_t /*numBlocks*/, const void* args, size_t argsSize,
                    const ferryKernelContext* context, ferryKernelRanges* ranges) {
  GatherArguments arguments{};
  if (argsSize < sizeof arguments) return;
  std::memcpy(&arguments, args, sizeof arguments);
  const void* const* blocks = list_of(arguments, context);
  if (blocks == nullptr) return;
  for (uint64_t i = 0; i < arguments.count; ++i)
    ferryKernelReads(ranges, blocks[i], arguments.block_size);
  ferryKernelWrites(ranges, arguments.target, arguments.count * arguments.block_size);
}

}  // namespace

extern "C" ACL_FUNC_VISIBILITY void ferryRegisterKernels(void);

void ferryRegisterKernels(void) {
  ferryKernel kernel{};
  kernel.structSize = sizeof kernel;
  kernel.name = "gather_blocks";
  kernel.function = gather_blocks;
  kernel.declare = declare_gather;
  ferryRegisterKernelEx(&kernel);
}
