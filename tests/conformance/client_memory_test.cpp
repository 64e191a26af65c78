// SPDX-License-Identifier: Apache-2.0
// How real programs use virtual memory: the sequences of calls of their allocators, with the bytes
// that must survive them. Written anew from the calls they make.
#include "support/needs.h"
#include "support/virtual_memory.h"

#include <cstring>
#include <map>

namespace conformance::virtual_memory::client_memory_test {
namespace {

using ClientMemory = WithDevice;

size_t rounded(size_t size, size_t unit) {
  return (size + unit - 1) / unit * unit;
}

// One allocation of a program: an address, and the memory behind it.
struct Block {
  void* address = nullptr;
  aclrtDrvMemHandle handle = nullptr;
  size_t size = 0;
};

// Memory for `address`, as all these programs get it. Stops at the first failure.
aclError attach(Block& block, const aclrtPhysicalMemProp& prop) {
  const aclError code = aclrtMallocPhysical(&block.handle, block.size, &prop, 0);
  if (code != ACL_SUCCESS) return code;
  return aclrtMapMem(block.address, block.size, 0, block.handle, 0);
}

void detach(const Block& block) {
  EXPECT_OK(aclrtUnmapMem(block.address));
  EXPECT_OK(aclrtFreePhysical(block.handle));
}

// ---- vllm-ascend: an allocator that sleeps ----

// The context and the size as the plugin gets them: no aclInit, no aclrtSetDevice before.
Block allocate_for_vllm(int32_t device, size_t size) {
  aclrtContext context = nullptr;
  aclrtGetCurrentContext(&context);  // its result is not looked at
  if (context == nullptr) {
    EXPECT_OK(aclrtCreateContext(&context, device));
    EXPECT_OK(aclrtSetCurrentContext(context));
  }
  aclrtPhysicalMemProp prop = prop_of(on_device(static_cast<uint32_t>(device)));
  size_t granularity = 0;
  EXPECT_OK(
      aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
  Block block;
  block.size = rounded(size, granularity);
  EXPECT_OK(aclrtReserveMemAddress(&block.address, block.size, 0, nullptr, 0));
  EXPECT_OK(attach(block, prop));
  return block;
}

FERRY_PROCESS_TEST(ClientMemoryProcess, VllmSleepsAndWakesAtTheSameAddress, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  std::vector<Block> blocks;
  std::vector<std::vector<uint8_t>> backups;
  for (const size_t size : {size_t{5000000}, kGranule, size_t{1}}) {
    blocks.push_back(allocate_for_vllm(0, size));
    EXPECT_OK(copy_to_device(blocks.back().address, pattern(blocks.back().size, 3)));
  }
  const size_t awake = free_bytes();
  for (int round = 0; round < 3; ++round) {
    backups.clear();
    for (const Block& block : blocks) {  // sleep
      std::vector<uint8_t> backup(block.size);
      EXPECT_OK(aclrtMemcpy(backup.data(), block.size, block.address, block.size,
                            ACL_MEMCPY_DEVICE_TO_HOST));
      backups.push_back(std::move(backup));
      detach(block);
    }
    EXPECT_EQ(64 * kMebibyte, free_bytes());
    { const Physical all_of_the_device(64 * kMebibyte); }
    for (size_t i = 0; i < blocks.size(); ++i) {  // wake
      EXPECT_OK(attach(blocks[i], prop_of(on_device())));
      EXPECT_OK(copy_to_device(blocks[i].address, backups[i]));
    }
    EXPECT_EQ(awake, free_bytes());
    for (const Block& block : blocks)
      EXPECT_TRUE(holds(block.address, block.size, 3));
  }
  for (const Block& block : blocks) {
    detach(block);
    EXPECT_OK(aclrtReleaseMemAddress(block.address));
  }
}

FERRY_PROCESS_TEST(ClientMemoryProcess, VllmWakesLaterWhenTheDeviceIsFull, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  Block block = allocate_for_vllm(0, 40 * kMebibyte);
  detach(block);
  {
    const Physical other(40 * kMebibyte);
    EXPECT_EQ(kNoMemory, attach(block, prop_of(on_device())));
  }
  EXPECT_OK(attach(block, prop_of(on_device())));
  EXPECT_OK(copy_to_device(block.address, pattern(4096)));
  EXPECT_TRUE(holds(block.address, 4096, 1));
  detach(block);
  EXPECT_OK(aclrtReleaseMemAddress(block.address));
}

// ---- sgl: torch_memory_saver ----

TEST_F(ClientMemory, SglPausesAndResumes) {
  Block block;
  block.size = 20 * kMebibyte;
  const aclrtPhysicalMemProp prop = prop_of(on_device());
  ASSERT_OK(aclrtMallocPhysical(&block.handle, block.size, &prop, 0));
  ASSERT_OK(aclrtReserveMemAddress(&block.address, block.size, 0, nullptr, 0));
  ASSERT_OK(aclrtMapMem(block.address, block.size, 0, block.handle, 0));
  EXPECT_OK(copy_to_device(block.address, pattern(block.size, 7)));
  void* backup = nullptr;
  ASSERT_OK(aclrtMallocHost(&backup, block.size));
  EXPECT_OK(aclrtMemcpy(backup, block.size, block.address, block.size, ACL_MEMCPY_DEVICE_TO_HOST));
  detach(block);
  EXPECT_OK(attach(block, prop));
  EXPECT_OK(aclrtMemcpy(block.address, block.size, backup, block.size, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtFreeHost(backup));
  EXPECT_TRUE(holds(block.address, block.size, 7));
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(3000));
  detach(block);
  EXPECT_OK(aclrtReleaseMemAddress(block.address));
}

// An address that is not in its table goes to the real aclrtFree.
TEST_F(ClientMemory, SglFreesWhatIsNotItsOwn) {
  void* plain = nullptr;
  ASSERT_OK(aclrtMallocAlign32(&plain, kGranule, ACL_MEM_MALLOC_HUGE_FIRST));
  Region region(1);
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(3000));
  EXPECT_OK(aclrtFree(plain));
}

// ---- Mooncake ----

FERRY_PROCESS_TEST(ClientMemoryProcess, MooncakeReleasesBeforeItFrees, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  { const Physical probe(kGranule); }
  const size_t before = free_bytes();
  const aclrtPhysicalMemProp prop = prop_of(on_device());
  for (size_t round = 1; round <= 3; ++round) {
    Block block;
    block.size = rounded(3 * kMebibyte, kGranule);
    ASSERT_OK(aclrtMallocPhysical(&block.handle, block.size, &prop, 0));
    ASSERT_OK(aclrtReserveMemAddress(&block.address, block.size, 0, nullptr, 1));
    ASSERT_OK(aclrtMapMem(block.address, block.size, 0, block.handle, 0));
    EXPECT_OK(copy_to_device(block.address, pattern(block.size, 4)));
    EXPECT_TRUE(holds(block.address, block.size, 4));
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_OK(aclrtMemRetainAllocationHandle(block.address, &handle));
    EXPECT_EQ(block.handle, handle);
    EXPECT_OK(aclrtUnmapMem(block.address));
    EXPECT_OK(aclrtReleaseMemAddress(block.address));
    EXPECT_OK(aclrtFreePhysical(handle));
    // The reference of aclrtMallocPhysical is never given up.
    EXPECT_EQ(before - round * block.size, free_bytes());
  }
}

TEST_F(ClientMemory, MooncakeFallsBackToPlainHostSegments) {
  const size_t size = 6 * kMebibyte;
  const std::pair<int, int> ways[] = {{ACL_MEM_LOCATION_TYPE_HOST_NUMA, ACL_MEM_P2P_HUGE1G},
                                      {ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_P2P_HUGE1G},
                                      {ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_P2P_HUGE}};
  aclrtDrvMemHandle handle = nullptr;
  size_t tries = 0;
  for (const auto& [type, attr] : ways) {
    ++tries;
    const aclrtPhysicalMemProp prop = prop_of(location(type), attr);
    if (aclrtMallocPhysical(&handle, size, &prop, 0) == ACL_SUCCESS) break;
  }
  EXPECT_EQ(3u, tries);
  clear_errors();
  void* address = nullptr;
  ASSERT_OK(aclrtReserveMemAddress(&address, size, 0, nullptr, 1));
  ASSERT_OK(aclrtMapMem(address, size, 0, handle, 0));
  const std::vector<uint8_t> sent = pattern(size, 5);
  std::memcpy(address, sent.data(), size);
  aclrtMemAccessDesc access = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, on_device(), {}};
  EXPECT_OK(aclrtMemSetAccess(address, size, &access, 1));
  {
    const DeviceBuffer device(size);
    EXPECT_OK(aclrtMemcpy(device.get(), size, address, size, ACL_MEMCPY_DEFAULT));
    EXPECT_TRUE(device.read() == sent);
  }
  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtReleaseMemAddress(address));
  EXPECT_OK(aclrtFreePhysical(handle));
}

// On products without it, the peer reserves wherever there is room.
TEST_F(ClientMemory, MooncakeReservesElsewhereWithoutTheFunctionOfA3) {
  void* const wanted = reinterpret_cast<void*>(uintptr_t{78} << 40);
  void* address = nullptr;
  ASSERT_EQ(kNotSupported, aclrtReserveMemAddressNoUCMemory(&address, kGibibyte, 0, wanted, 1));
  clear_errors();
  ASSERT_OK(aclrtReserveMemAddress(&address, kGibibyte, 0, nullptr, 1));
  EXPECT_OK(aclrtReleaseMemAddress(address));
}

// ---- torch_npu: segments that grow ----

class Segments {
 public:
  Segments(size_t unit, size_t reserved, const aclrtPhysicalMemProp& prop)
      : unit_(unit), prop_(prop), reservation_(rounded(reserved, unit)) {}
  ~Segments() {
    while (!handles_.empty())
      unmap(handles_.begin()->first);
  }
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  // Maps `count` segments from the one with this number on. When the memory does not suffice, gives
  // back those of this round.
  aclError map(size_t first, size_t count) {
    std::map<size_t, aclrtDrvMemHandle> round;
    for (size_t i = first; i < first + count; ++i) {
      const aclError code = aclrtMallocPhysical(&round[i], unit_, &prop_, 0);
      if (code == ACL_SUCCESS) continue;
      round.erase(i);
      for (const auto& entry : round)
        EXPECT_OK(aclrtFreePhysical(entry.second));
      return code;
    }
    for (const auto& [i, handle] : round)
      EXPECT_OK(aclrtMapMem(at(i * unit_), unit_, 0, handle, 0));
    handles_.merge(round);
    return ACL_SUCCESS;
  }
  void unmap(size_t i) {
    EXPECT_OK(aclrtUnmapMem(at(i * unit_)));
    EXPECT_OK(aclrtFreePhysical(handles_[i]));
    handles_.erase(i);
  }
  // Takes the handle out; its bytes stay.
  aclrtDrvMemHandle cut(size_t i) {
    const aclrtDrvMemHandle handle = handles_[i];
    EXPECT_OK(aclrtUnmapMem(at(i * unit_)));
    handles_.erase(i);
    return handle;
  }
  void paste(size_t i, aclrtDrvMemHandle handle) {
    EXPECT_OK(aclrtMapMem(at(i * unit_), unit_, 0, handle, 0));
    handles_[i] = handle;
  }
  char* at(size_t offset) const { return reservation_.at(offset); }

 private:
  size_t unit_;
  aclrtPhysicalMemProp prop_;
  Reservation reservation_;
  std::map<size_t, aclrtDrvMemHandle> handles_;
};

TEST_F(ClientMemory, TorchProbesWithASmallReservation) {
  void* address = nullptr;
  ASSERT_OK(aclrtReserveMemAddress(&address, 512, 0, nullptr, 1));
  EXPECT_OK(aclrtReleaseMemAddress(address));
}

FERRY_PROCESS_TEST(ClientMemoryProcess, TorchGrowsSegmentsInOneReservation, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  for (const size_t unit : {kGranule, 20 * kMebibyte}) {
    Segments segments(unit, 72 * kMebibyte, prop_of(on_device()));
    EXPECT_OK(segments.map(1, 1));
    EXPECT_OK(segments.map(0, 1));                                       // in any order
    EXPECT_OK(copy_to_device(segments.at(unit / 2), pattern(unit, 6)));  // a tensor across both
    const size_t left = free_bytes();
    EXPECT_EQ(kNoMemory, segments.map(2, left / unit + 1));
    EXPECT_EQ(left, free_bytes()) << "the round was not given back";
    EXPECT_OK(segments.map(2, 1));
    EXPECT_TRUE(holds(segments.at(unit / 2), unit, 6));
    EXPECT_OK(aclrtSynchronizeDevice());
    segments.unmap(1);  // a hole
    std::vector<uint8_t> byte(1);
    EXPECT_FAILS_WITH(kBadValue,
                      aclrtMemcpy(byte.data(), 1, segments.at(unit), 1, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_OK(segments.map(1, 1));
    EXPECT_OK(copy_to_device(segments.at(0), pattern(3 * unit, 7)));
    EXPECT_TRUE(holds(segments.at(0), 3 * unit, 7));
  }
  EXPECT_EQ(64 * kMebibyte, free_bytes());
}

FERRY_PROCESS_TEST(ClientMemoryProcess, TorchGrowsSegmentsOf1GiB, "FERRY_MEMORY=3G") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  if (is_checked())
    GTEST_SKIP() << "the checker fills all memory with a pattern: it takes too long";
  ASSERT_OK(aclrtSetDevice(0));
  Segments segments(kGibibyte, 4 * kGibibyte, prop_of(on_device(), ACL_HBM_MEM_HUGE1G));
  EXPECT_OK(segments.map(0, 2));
  EXPECT_EQ(kNoMemory, segments.map(2, 2));
  EXPECT_EQ(kGibibyte, free_bytes());
  EXPECT_OK(copy_to_device(segments.at(kGibibyte - 500), pattern(1000, 6)));
  EXPECT_TRUE(holds(segments.at(kGibibyte - 500), 1000, 6));
}

TEST_F(ClientMemory, TorchKeepsHandlesAndMapsThemElsewhere) {
  Segments first(kGranule, 8 * kGranule, prop_of(on_device()));
  Segments second(kGranule, 8 * kGranule, prop_of(on_device()));
  EXPECT_OK(first.map(0, 4));
  EXPECT_OK(copy_to_device(first.at(0), pattern(4 * kGranule, 8)));
  for (size_t i = 0; i < 4; ++i)
    second.paste(3 + i, first.cut(i));
  EXPECT_TRUE(holds(second.at(3 * kGranule), 4 * kGranule, 8));
}

// ---- torch_npu: pinned host memory ----

TEST_F(ClientMemory, TorchGrowsPinnedHostMemory) {
  Segments segments(20 * kMebibyte, 100 * kMebibyte, prop_of(on_host()));
  EXPECT_OK(segments.map(0, 2));
  const size_t size = 40 * kMebibyte;
  const std::vector<uint8_t> sent = pattern(size, 9);
  std::memcpy(segments.at(0), sent.data(), size);
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  {
    const DeviceBuffer device(size);
    EXPECT_OK(aclrtMemcpyAsync(device.get(), size, segments.at(0), size, ACL_MEMCPY_HOST_TO_DEVICE,
                               stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(device.read() == sent);
  }
  EXPECT_OK(aclrtDestroyStream(stream));
}

// ---- llama.cpp: a pool over all of the device ----

FERRY_PROCESS_TEST(ClientMemoryProcess, LlamaGrowsAPoolOverTheWholeDevice, "FERRY_MEMORY=256M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  aclrtPhysicalMemProp prop = prop_of(on_device());
  size_t granularity = 0;  // asked before any device is set
  ASSERT_OK(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
                                             &granularity));
  ASSERT_OK(aclrtSetDevice(0));
  const size_t all = free_bytes();
  void* pool = nullptr;
  ASSERT_OK(aclrtReserveMemAddress(&pool, all, 0, nullptr, 1));
  std::vector<Block> pieces;
  size_t used = 0;
  for (const size_t wanted : {size_t{100}, 5 * kMebibyte, 33 * kMebibyte + 1}) {
    Block piece;
    piece.address = static_cast<char*>(pool) + used;
    piece.size = rounded(wanted, granularity);
    EXPECT_OK(attach(piece, prop));
    used += piece.size;
    pieces.push_back(piece);
    EXPECT_OK(copy_to_device(pool, pattern(used, static_cast<uint8_t>(pieces.size()))));
    EXPECT_TRUE(holds(pool, used, static_cast<uint8_t>(pieces.size())));
  }
  EXPECT_EQ(all - used, free_bytes());
  for (const Block& piece : pieces)
    EXPECT_OK(aclrtUnmapMem(piece.address));
  for (const Block& piece : pieces)
    EXPECT_OK(aclrtFreePhysical(piece.handle));
  EXPECT_OK(aclrtReleaseMemAddress(pool));
  EXPECT_EQ(all, free_bytes());
}

// ---- the vendor's sample ----

TEST_F(ClientMemory, TheSampleGrantsAccessToTheOwnDevice) {
  aclrtPhysicalMemProp prop = prop_of(on_device(), ACL_HBM_MEM_NORMAL);
  size_t granularity = 0;
  ASSERT_OK(
      aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
  Block block;
  block.size = granularity;
  ASSERT_OK(aclrtMallocPhysical(&block.handle, block.size, &prop, 0));
  ASSERT_OK(aclrtReserveMemAddress(&block.address, block.size, 0, nullptr, 0));
  ASSERT_OK(aclrtMapMem(block.address, block.size, 0, block.handle, 0));
  aclrtMemAccessDesc access = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, on_device(), {}};
  EXPECT_OK(aclrtMemSetAccess(block.address, block.size, &access, 1));
  EXPECT_OK(copy_to_device(block.address, pattern(block.size, 2)));
  EXPECT_TRUE(holds(block.address, block.size, 2));
  EXPECT_OK(aclrtUnmapMem(block.address));
  EXPECT_OK(aclrtReleaseMemAddress(block.address));
  EXPECT_OK(aclrtFreePhysical(block.handle));
}

}  // namespace
}  // namespace conformance::virtual_memory::client_memory_test
