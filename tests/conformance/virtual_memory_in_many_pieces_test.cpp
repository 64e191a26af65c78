// SPDX-License-Identifier: Apache-2.0
// Thousands of handles and mappings, under the limits that processes usually have.
#include "support/at_once.h"
#include "support/needs.h"
#include "support/virtual_memory.h"

#include <sys/resource.h>

#include <fstream>

namespace conformance::virtual_memory::virtual_memory_in_many_pieces_test {
namespace {

constexpr size_t kPieces = 8192;

// Only some of the memory is touched, because the machine may have less than that.
FERRY_PROCESS_TEST(VirtualMemoryInManyPiecesProcess, NeedsNoDescriptorForEachHandle,
                   "FERRY_MEMORY=16G") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  if (is_checked())
    GTEST_SKIP() << "the checker fills all memory with a pattern: it takes too long";
  const rlimit few = {1024, 1024};
  ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &few));
  ASSERT_OK(aclrtSetDevice(0));
  const size_t capacity = free_bytes();
  {
    Region region(kPieces);
    EXPECT_EQ(capacity - region.size(), free_bytes());
    const size_t step = region.size() / 16;
    for (size_t i = 1; i < 16; ++i) {
      EXPECT_OK(copy_to_device(region.at(i * step - 50), pattern(100, static_cast<uint8_t>(i))));
    }
    for (size_t i = 1; i < 16; ++i)
      EXPECT_TRUE(holds(region.at(i * step - 50), 100, static_cast<uint8_t>(i)));
    std::vector<uint8_t> host(100);
    region.unmap(kPieces / 2);
    EXPECT_FAILS_WITH(kBadValue,
                      aclrtMemcpy(host.data(), 100, region.at(kPieces / 2 * kGranule - 50), 100,
                                  ACL_MEMCPY_DEVICE_TO_HOST));
  }
  EXPECT_EQ(capacity, free_bytes());
}

TEST(VirtualMemoryInManyPieces, FindsEveryMappingOfOneHandle) {
  constexpr size_t kMappings = 2000;
  ASSERT_OK(aclrtSetDevice(0));
  {
    const Reservation reservation(kMappings * kGranule);
    const Physical memory;
    for (size_t i = 0; i < kMappings; ++i) {
      // 7 and the number of mappings have no common factor: each place comes once.
      ASSERT_OK(aclrtMapMem(reservation.at(i * 7 % kMappings * kGranule), kGranule, 0, memory, 0));
    }
    EXPECT_OK(copy_to_device(reservation.at(), pattern(64, 3)));
    for (size_t i = 0; i < kMappings; i += 97) {
      EXPECT_TRUE(holds(reservation.at(i * kGranule), 64, 3));
      void* base = nullptr;
      EXPECT_OK(aclrtMemGetAddressRange(reservation.at(i * kGranule + 5), &base, nullptr));
      EXPECT_EQ(reservation.at(i * kGranule), base);
    }
    for (size_t i = 0; i < kMappings; ++i)
      EXPECT_OK(aclrtUnmapMem(reservation.at(i * kGranule)));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

// Sanitizers need mappings themselves.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// What the kernel allows; 0 where it does not say.
size_t max_map_count() {
  size_t count = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> count;
  return count;
}

FERRY_PROCESS_TEST(VirtualMemoryInManyPiecesProcess, NamesTheLimitOfTheKernel) {
  NEEDS_CPU_DEVICE("mappings of other devices are not the kernel's");
  if (is_checked()) GTEST_SKIP() << "the checker needs mappings itself";
  const size_t limit = max_map_count();
  if (limit == 0 || limit > 100000) GTEST_SKIP() << "the kernel allows " << limit << " mappings";
  ASSERT_OK(aclrtSetDevice(0));
  const Physical memory;
  // Every other granule, so that no two mappings can be one to the kernel.
  const Reservation reservation(2 * limit * kGranule);
  size_t mapped = 0;
  aclError code = ACL_SUCCESS;
  while (mapped < limit && code == ACL_SUCCESS) {
    code = aclrtMapMem(reservation.at(2 * mapped * kGranule), kGranule, 0, memory, 0);
    if (code == ACL_SUCCESS) ++mapped;
  }
  const std::string text = recent_text();
  EXPECT_EQ(kNoMemory, code);
  EXPECT_NE(std::string::npos, text.find("vm.max_map_count")) << text;
  EXPECT_NE(std::string::npos, text.find(std::to_string(limit))) << text;
  EXPECT_GT(mapped, limit / 4);
  EXPECT_OK(copy_to_device(reservation.at(), pattern(64, 3)));
  EXPECT_TRUE(holds(reservation.at(2 * (mapped - 1) * kGranule), 64, 3));
  for (size_t i = 0; i < mapped; ++i)
    ASSERT_OK(aclrtUnmapMem(reservation.at(2 * i * kGranule)));
  const Mapping mapping(reservation.at(2 * mapped * kGranule), kGranule, memory);
  EXPECT_TRUE(holds(reservation.at(2 * mapped * kGranule), 64, 3));
}
#endif

}  // namespace
}  // namespace conformance::virtual_memory::virtual_memory_in_many_pieces_test
