// SPDX-License-Identifier: Apache-2.0
// Not every product has batch copies: without them the call returns 207000, and a loop of single
// copies does the work. Try both: FERRY_SOC=Ascend910B1 and FERRY_SOC=Ascend310P3.
#include "check.h"

#include <cstdint>
#include <vector>

namespace {

struct Blocks {
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
};

aclError queue_batch(Blocks& blocks, aclrtStream stream) {
  aclrtMemcpyBatchAttr attribute{};
  attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attribute.dstLoc.id = 0;
  size_t first_item = 0;
  size_t fail_index = SIZE_MAX;
  return aclrtMemcpyBatchAsync(blocks.dsts.data(), blocks.sizes.data(), blocks.srcs.data(),
                               blocks.sizes.data(), blocks.sizes.size(), &attribute, &first_item, 1,
                               &fail_index, stream);
}

// Queues all blocks and returns how many calls it took.
size_t queue_blocks(Blocks& blocks, aclrtStream stream) {
  // Tried once: the answer does not change while the program runs.
  static bool has_batches = true;
  if (has_batches) {
    const aclError code = queue_batch(blocks, stream);
    if (code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT) {
      check(code);
      return 1;
    }
    has_batches = false;
    std::printf("no batches here: %s\n", aclGetRecentErrMsg());
  }
  for (size_t i = 0; i < blocks.sizes.size(); ++i) {
    check(aclrtMemcpyAsync(blocks.dsts[i], blocks.sizes[i], blocks.srcs[i], blocks.sizes[i],
                           ACL_MEMCPY_HOST_TO_DEVICE, stream));
  }
  return blocks.sizes.size();
}

}  // namespace

int main() {
  constexpr size_t kBlocks = 1000;
  constexpr size_t kBlockBytes = 8192;
  constexpr size_t kBytes = kBlocks * kBlockBytes;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  char* host = nullptr;
  char* device = nullptr;
  check(aclrtMallocHost(reinterpret_cast<void**>(&host), kBytes));
  check(aclrtMalloc(reinterpret_cast<void**>(&device), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  Blocks blocks;
  for (size_t i = 0; i < kBlocks; ++i) {
    std::memset(host + i * kBlockBytes, static_cast<int>(i % 127), kBlockBytes);
    blocks.srcs.push_back(host + i * kBlockBytes);
    blocks.dsts.push_back(device + (kBlocks - 1 - i) * kBlockBytes);
    blocks.sizes.push_back(kBlockBytes);
  }

  const size_t calls = queue_blocks(blocks, stream);
  check(aclrtSynchronizeStream(stream));
  std::vector<char> result(kBytes);
  check(aclrtMemcpy(result.data(), kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (size_t i = 0; i < kBlocks; ++i) {
    require(std::memcmp(&result[(kBlocks - 1 - i) * kBlockBytes], host + i * kBlockBytes,
                        kBlockBytes) == 0,
            "every block is where it was sent");
  }
  std::printf("%s moved %zu blocks with %zu call%s\n", aclrtGetSocName(), kBlocks, calls,
              calls == 1 ? "" : "s");

  check(aclrtFree(device));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
