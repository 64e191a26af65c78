// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatch: many scattered blocks in one call that returns when all have arrived. It takes
// up to 4096 blocks, in one direction; failIndex says which one is at fault.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

constexpr size_t kBlocks = 10000;
constexpr size_t kBlockBytes = 656;
constexpr size_t kMostInOneCall = 4096;

}  // namespace

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  char* host = nullptr;
  char* device = nullptr;
  check(aclrtMallocHost(reinterpret_cast<void**>(&host), kBlocks * kBlockBytes));
  check(aclrtMalloc(reinterpret_cast<void**>(&device), kBlocks * kBlockBytes,
                    ACL_MEM_MALLOC_HUGE_FIRST));
  for (size_t i = 0; i < kBlocks; ++i)
    std::memset(host + i * kBlockBytes, static_cast<int>(i % 251), kBlockBytes);

  // Block i of the host becomes the i-th block from the end on the device.
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  for (size_t i = 0; i < kBlocks; ++i) {
    srcs.push_back(host + i * kBlockBytes);
    dsts.push_back(device + (kBlocks - 1 - i) * kBlockBytes);
  }
  std::vector<size_t> sizes(kBlocks, kBlockBytes);
  std::vector<size_t> rooms(kBlocks, kBlockBytes);  // the capacity at dsts[i]

  // One attribute for all items: it applies from item 0 to the last one.
  aclrtMemcpyBatchAttr attribute{};
  attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attribute.dstLoc.id = 0;
  size_t first_item = 0;

  size_t fail_index = SIZE_MAX;
  size_t calls = 0;
  for (size_t i = 0; i < kBlocks; i += kMostInOneCall, ++calls) {
    const size_t count = std::min(kMostInOneCall, kBlocks - i);
    check(aclrtMemcpyBatch(&dsts[i], &rooms[i], &srcs[i], &sizes[i], count, &attribute, &first_item,
                           1, &fail_index));
    require(fail_index == SIZE_MAX, "failIndex names no item when all went well");
  }
  std::vector<char> result(kBlocks * kBlockBytes);
  check(
      aclrtMemcpy(result.data(), result.size(), device, result.size(), ACL_MEMCPY_DEVICE_TO_HOST));
  for (size_t i = 0; i < kBlocks; ++i) {
    require(std::memcmp(&result[(kBlocks - 1 - i) * kBlockBytes], host + i * kBlockBytes,
                        kBlockBytes) == 0,
            "every block is where it was sent");
  }
  std::printf("%zu blocks of %zu bytes moved by %zu calls\n", kBlocks, kBlockBytes, calls);

  // An item at fault: nothing is copied, failIndex names it, the text says what is wrong with it.
  rooms[7] = kBlockBytes - 1;
  const aclError code = aclrtMemcpyBatch(dsts.data(), rooms.data(), srcs.data(), sizes.data(), 10,
                                         &attribute, &first_item, 1, &fail_index);
  require(code != ACL_SUCCESS && fail_index == 7, "a block without room is refused by its index");
  std::printf("item %zu refused, as it should be: %s\n", fail_index, aclGetRecentErrMsg());

  check(aclrtFree(device));
  check(aclrtFreeHost(host));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
