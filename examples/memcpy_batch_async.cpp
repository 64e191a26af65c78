// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatchAsync: any number of scattered blocks as one task of a stream. With pinned memory
// the call only queues. The arrays may be discarded when it returns, the blocks may not.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr size_t kBlocks = 8192;
constexpr size_t kBlockBytes = 2048;

// Queues copies of blocks between host and device; host block order[i] belongs to device block i.
void queue_blocks(char* host, char* device, const std::vector<size_t>& order, bool to_device,
                  aclrtStream stream) {
  std::vector<void*> host_blocks;
  std::vector<void*> device_blocks;
  for (size_t i = 0; i < order.size(); ++i) {
    host_blocks.push_back(host + order[i] * kBlockBytes);
    device_blocks.push_back(device + i * kBlockBytes);
  }
  std::vector<size_t> sizes(order.size(), kBlockBytes);

  // attrs[k] applies from item attrsIndexes[k] to the item before attrsIndexes[k + 1]. One would be
  // enough here; two show the form: the first half of the items, and the rest.
  aclrtMemLocation on_host{0, ACL_MEM_LOCATION_TYPE_HOST};
  aclrtMemLocation on_device{0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtMemcpyBatchAttr attributes[2] = {};
  for (aclrtMemcpyBatchAttr& attribute : attributes) {
    attribute.srcLoc = to_device ? on_host : on_device;
    attribute.dstLoc = to_device ? on_device : on_host;
  }
  size_t first_items[2] = {0, order.size() / 2};

  std::vector<void*>& dsts = to_device ? device_blocks : host_blocks;
  std::vector<void*>& srcs = to_device ? host_blocks : device_blocks;
  size_t fail_index = SIZE_MAX;
  check(aclrtMemcpyBatchAsync(dsts.data(), sizes.data(), srcs.data(), sizes.data(), order.size(),
                              attributes, first_items, 2, &fail_index, stream));
}

}  // namespace

int main() {
  constexpr size_t kBytes = kBlocks * kBlockBytes;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  char* source = nullptr;
  char* result = nullptr;
  char* device = nullptr;
  check(aclrtMallocHost(reinterpret_cast<void**>(&source), kBytes));
  check(aclrtMallocHost(reinterpret_cast<void**>(&result), kBytes));
  check(aclrtMalloc(reinterpret_cast<void**>(&device), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  std::mt19937 random(1);
  for (size_t i = 0; i < kBytes; ++i)
    source[i] = static_cast<char>(random());
  std::memset(result, 0, kBytes);

  std::vector<size_t> order(kBlocks);
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), random);

  // Blocks of one batch are copied in any order; the two batches run one after the other.
  queue_blocks(source, device, order, true, stream);
  queue_blocks(result, device, order, false, stream);
  check(aclrtSynchronizeStream(stream));
  require(std::memcmp(source, result, kBytes) == 0, "every block is back in its place");
  std::printf("%zu blocks of %zu bytes there and back, one call each way\n", kBlocks, kBlockBytes);

  check(aclrtFree(device));
  check(aclrtFreeHost(source));
  check(aclrtFreeHost(result));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
