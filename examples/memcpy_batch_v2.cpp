// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatchV2: aclrtMemcpyBatch without failIndex. Here it gathers every second row of a
// table on the device into a dense one on the host.
#include "check.h"

#include <cstdint>
#include <vector>

int main() {
  constexpr size_t kRows = 512;
  constexpr size_t kRowBytes = 256;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));

  std::vector<uint8_t> table(2 * kRows * kRowBytes);
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<uint8_t>(i / kRowBytes * 7 + i);
  char* device = nullptr;
  check(aclrtMalloc(reinterpret_cast<void**>(&device), table.size(), ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMemcpy(device, table.size(), table.data(), table.size(), ACL_MEMCPY_HOST_TO_DEVICE));

  // Pageable memory is allowed: the call always copies before it returns.
  std::vector<uint8_t> gathered(kRows * kRowBytes);
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  for (size_t row = 0; row < kRows; ++row) {
    dsts.push_back(&gathered[row * kRowBytes]);
    srcs.push_back(device + 2 * row * kRowBytes);
  }
  std::vector<size_t> sizes(kRows, kRowBytes);

  aclrtMemcpyBatchAttr attribute{};
  attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attribute.srcLoc.id = 0;
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  size_t first_item = 0;
  // The capacity of each row is its size, so one array serves as both.
  check(aclrtMemcpyBatchV2(dsts.data(), sizes.data(), srcs.data(), sizes.data(), kRows, &attribute,
                           &first_item, 1));
  for (size_t row = 0; row < kRows; ++row) {
    require(std::memcmp(&gathered[row * kRowBytes], &table[2 * row * kRowBytes], kRowBytes) == 0,
            "row i of the result is row 2i of the table");
  }
  std::printf("%zu rows of %zu bytes gathered in one call\n", kRows, kRowBytes);

  check(aclrtFree(device));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
