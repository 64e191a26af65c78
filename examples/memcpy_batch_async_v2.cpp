// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatchAsyncV2: aclrtMemcpyBatchAsync without failIndex. Here with one attribute per
// item, as some transfer layers fill them, and items of different sizes.
#include "check.h"

#include <cstdint>
#include <numeric>
#include <vector>

int main() {
  constexpr size_t kPieces = 1000;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));

  std::vector<size_t> sizes(kPieces);
  std::vector<size_t> offsets(kPieces);
  size_t total = 0;
  for (size_t i = 0; i < kPieces; ++i) {
    offsets[i] = total;
    sizes[i] = 1 + i * 37 % 4096;
    total += sizes[i];
  }
  char* host = nullptr;
  char* device = nullptr;
  check(aclrtMallocHost(reinterpret_cast<void**>(&host), total));
  check(aclrtMalloc(reinterpret_cast<void**>(&device), total, ACL_MEM_MALLOC_HUGE_FIRST));
  for (size_t i = 0; i < total; ++i)
    host[i] = static_cast<char>(i * 11);

  std::vector<void*> dsts;
  std::vector<void*> srcs;
  for (const size_t offset : offsets) {
    dsts.push_back(device + offset);
    srcs.push_back(host + offset);
  }
  aclrtMemcpyBatchAttr to_device{};
  to_device.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  to_device.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  to_device.dstLoc.id = 0;
  std::vector<aclrtMemcpyBatchAttr> attributes(kPieces, to_device);
  std::vector<size_t> first_items(kPieces);
  std::iota(first_items.begin(), first_items.end(), size_t{0});

  check(aclrtMemcpyBatchAsyncV2(dsts.data(), sizes.data(), srcs.data(), sizes.data(), kPieces,
                                attributes.data(), first_items.data(), kPieces, stream));
  check(aclrtSynchronizeStream(stream));

  std::vector<char> result(total);
  check(aclrtMemcpy(result.data(), total, device, total, ACL_MEMCPY_DEVICE_TO_HOST));
  require(std::memcmp(result.data(), host, total) == 0, "the device holds every piece");
  std::printf("%zu pieces of 1 to 4096 bytes, %zu bytes in all, queued by one call\n", kPieces,
              total);

  check(aclrtFree(device));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
