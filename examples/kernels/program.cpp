// SPDX-License-Identifier: Apache-2.0
// An ordinary AscendCL program: it fills the blocks of a cache with one batch copy, gathers some of
// them with a kernel, and copies the result back. It launches the kernel in three ways. Nothing in
// it knows Ferry; FERRY_KERNELS names the shared object that stands in for the kernel.
#include "check.h"
#include "kernels/gather.h"

#include <cstring>
#include <vector>

namespace {

constexpr uint64_t kBlockSize = 4096;
constexpr uint64_t kBlocks = 64;
constexpr uint64_t kGathered = 8;
constexpr const char* kKernel = "gather_blocks";

struct Cache {
  char* blocks = nullptr;  // on the device
  char* target = nullptr;  // on the device
  char* source = nullptr;  // pinned
  char* result = nullptr;  // pinned
  std::vector<const void*> chosen;
};

Cache make_cache() {
  Cache cache;
  const auto device = [](size_t size) {
    void* memory = nullptr;
    check(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return static_cast<char*>(memory);
  };
  const auto host = [](size_t size) {
    void* memory = nullptr;
    check(aclrtMallocHost(&memory, size));
    return static_cast<char*>(memory);
  };
  cache.blocks = device(kBlocks * kBlockSize);
  cache.target = device(kGathered * kBlockSize);
  cache.source = host(kBlocks * kBlockSize);
  cache.result = host(kGathered * kBlockSize);
  for (uint64_t i = 0; i < kGathered; ++i)
    cache.chosen.push_back(cache.blocks + (i * 7 % kBlocks) * kBlockSize);
  return cache;
}

// All blocks to the device, as one task.
void load_blocks(const Cache& cache, aclrtStream stream) {
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes(kBlocks, kBlockSize);
  for (uint64_t i = 0; i < kBlocks; ++i) {
    std::memset(cache.source + i * kBlockSize, static_cast<int>(i + 1), kBlockSize);
    dsts.push_back(cache.blocks + i * kBlockSize);
    srcs.push_back(cache.source + i * kBlockSize);
  }
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  attribute.srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST};
  size_t first = 0;
  size_t failed = SIZE_MAX;
  check(aclrtMemcpyBatchAsync(dsts.data(), sizes.data(), srcs.data(), sizes.data(), kBlocks,
                              &attribute, &first, 1, &failed, stream));
}

// 1: an argument list with a placeholder for the list of blocks.
void launch_list(const Cache& cache, aclrtFuncHandle kernel, aclrtStream stream) {
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle blocks = nullptr;
  aclrtParamHandle value = nullptr;
  void* target = cache.target;
  uint64_t block_size = kBlockSize;
  uint64_t count = kGathered;
  check(aclrtKernelArgsInit(kernel, &list));
  check(aclrtKernelArgsAppendPlaceHolder(list, &blocks));
  check(aclrtKernelArgsAppend(list, &target, sizeof target, &value));
  check(aclrtKernelArgsAppend(list, &block_size, sizeof block_size, &value));
  check(aclrtKernelArgsAppend(list, &count, sizeof count, &value));
  void* data = nullptr;
  check(aclrtKernelArgsGetPlaceHolderBuffer(list, blocks, kGathered * sizeof(void*), &data));
  std::memcpy(data, cache.chosen.data(), kGathered * sizeof(void*));
  check(aclrtKernelArgsFinalize(list));
  check(aclrtLaunchKernelWithConfig(kernel, 8, stream, nullptr, list, nullptr));
}

struct PackedArguments {
  GatherArguments arguments;
  const void* blocks[kGathered];
};

PackedArguments pack(const Cache& cache) {
  PackedArguments packed{{nullptr, cache.target, kBlockSize, kGathered}, {}};
  std::memcpy(packed.blocks, cache.chosen.data(), sizeof packed.blocks);
  return packed;
}

// 2: a structure in host memory, with the place of the pointer and of what it points to.
void launch_structure(const Cache& cache, aclrtFuncHandle kernel, aclrtStream stream) {
  PackedArguments packed = pack(cache);
  aclrtPlaceHolderInfo blocks{offsetof(GatherArguments, blocks), offsetof(PackedArguments, blocks)};
  check(aclrtLaunchKernelWithHostArgs(kernel, 8, stream, nullptr, &packed, sizeof packed, &blocks,
                                      1));
}

// 3: a structure in device memory, which the program has copied there.
void launch_device_arguments(const Cache& cache, aclrtFuncHandle kernel, aclrtStream stream) {
  void* args = nullptr;
  check(aclrtMalloc(&args, sizeof(PackedArguments), ACL_MEM_MALLOC_HUGE_FIRST));
  PackedArguments packed = pack(cache);
  packed.arguments.blocks = reinterpret_cast<const void* const*>(static_cast<char*>(args) +
                                                                 offsetof(PackedArguments, blocks));
  check(aclrtMemcpy(args, sizeof packed, &packed, sizeof packed, ACL_MEMCPY_HOST_TO_DEVICE));
  check(aclrtLaunchKernel(kernel, 8, args, sizeof packed, stream));
  check(aclrtSynchronizeStream(stream));
  check(aclrtFree(args));
}

bool is_gathered(const Cache& cache, aclrtStream stream) {
  constexpr size_t kBytes = kGathered * kBlockSize;
  check(aclrtMemcpyAsync(cache.result, kBytes, cache.target, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                         stream));
  check(aclrtMemsetAsync(cache.target, kBytes, 0, kBytes, stream));
  check(aclrtSynchronizeStream(stream));
  for (size_t i = 0; i < kBytes; ++i) {
    const uint64_t block = i / kBlockSize * 7 % kBlocks;
    if (cache.result[i] != static_cast<char>(block + 1)) return false;
  }
  return true;
}

}  // namespace

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  // A program for an NPU reads the kernel's object file here.
  const char object[] =
      "\x7f"
      "ELF";
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle kernel = nullptr;
  check(aclrtBinaryLoadFromData(object, sizeof object, nullptr, &binary));
  check(aclrtBinaryGetFunction(binary, kKernel, &kernel));
  const Cache cache = make_cache();
  load_blocks(cache, stream);
  int wrong = 0;
  for (const auto launch : {launch_list, launch_structure, launch_device_arguments}) {
    launch(cache, kernel, stream);
    if (!is_gathered(cache, stream)) ++wrong;
  }
  std::printf("%d of 3 launches gathered the right bytes\n", 3 - wrong);
  check(aclrtBinaryUnLoad(binary));
  check(aclrtFree(cache.blocks));
  check(aclrtFree(cache.target));
  check(aclrtFreeHost(cache.source));
  check(aclrtFreeHost(cache.result));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return wrong == 0 ? 0 : 1;
}
