// SPDX-License-Identifier: Apache-2.0
// Memory that is exported keeps its address and its bytes, and other processes see the same bytes.
#include "tests/unit/backends/cpu/sharing_support.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>
#include <utility>
#include <vector>

namespace ferry::cpu {
namespace {

ino_t file_number(const ferryx_shared& shared) {
  struct stat status {};
  EXPECT_EQ(0, fstat(shared.file, &status));
  return status.st_ino;
}

TEST_F(CpuSharing, ExportedMemoryIsSeenFromBothSides) {
  const ferryx_memory memory = allocate(3 * kPage - 100);
  std::memset(memory.storage, 5, memory.size);
  const ferryx_shared shared = share(memory);
  EXPECT_EQ(shared.size, 3 * kPage);
  EXPECT_EQ(shared.is_host, 0u);
  EXPECT_EQ(std::count(bytes_of(memory), bytes_of(memory) + memory.size, 5),
            static_cast<ptrdiff_t>(memory.size));
  const ferryx_shared again = share(memory);
  EXPECT_EQ(file_number(shared), file_number(again));
  EXPECT_NE(shared.file, again.file);
  close(again.file);

  Visitor visitor(shared);
  EXPECT_EQ(visitor[0], 5);
  EXPECT_EQ(visitor[memory.size - 1], 5);
  visitor[kPage] = 6;
  EXPECT_EQ(bytes_of(memory)[kPage], 6);
  const char seven = 7;
  write(memory, kPage + 1, &seven, 1);
  EXPECT_EQ(visitor[kPage + 1], 7);
  free(memory);
}

TEST_F(CpuSharing, FreedMemoryStaysWithItsVisitors) {
  const uint64_t before = free_bytes();
  const ferryx_memory memory = allocate(2 * kPage);
  std::memset(memory.storage, 5, memory.size);
  Visitor visitor(share(memory));
  free(memory);
  EXPECT_EQ(free_bytes(), before);
  EXPECT_EQ(bytes_of(memory)[0], 0);  // as late work would see it
  bytes_of(memory)[0] = 9;
  EXPECT_EQ(visitor[0], 5);
  EXPECT_EQ(visitor[2 * kPage - 1], 5);
  const ferryx_memory next = allocate(2 * kPage);
  EXPECT_EQ(next.storage, memory.storage);  // best fit
  std::memset(next.storage, 8, next.size);
  EXPECT_EQ(visitor[0], 5);
  free(next);
}

TEST_F(CpuSharing, NeighboursAreNotShared) {
  const ferryx_memory left = allocate(1);
  const ferryx_memory right = allocate(1);
  *bytes_of(left) = 1;
  *bytes_of(right) = 2;
  Visitor visitor(share(left));
  for (uint64_t at = 1; at < kPage; ++at)
    ASSERT_EQ(visitor[at], 0) << at;
  visitor[0] = 3;
  EXPECT_EQ(*bytes_of(left), 3);
  EXPECT_EQ(*bytes_of(right), 2);
  free(left);
  EXPECT_EQ(*bytes_of(right), 2);
  free(right);
}

TEST_F(CpuSharing, SmallBlocksFillTheCapacity) {
  constexpr uint64_t kBlock = 512;
  device_ = device_with(uint64_t{1} << 20);
  std::vector<ferryx_memory> blocks;
  for (uint64_t taken = 0; taken < (uint64_t{1} << 20); taken += kBlock)
    blocks.push_back(allocate(kBlock));
  EXPECT_EQ(free_bytes(), 0u);
  ferryx_memory more{};
  EXPECT_EQ(backend()->memory_alloc(device_, 1, 0, &more), ACL_ERROR_RT_MEMORY_ALLOCATION);
  for (const ferryx_memory& block : blocks)
    free(block);
  EXPECT_EQ(free_bytes(), uint64_t{1} << 20);
}

// Writes the blocks of memory in turn, as fast as it can. Each block must hold what was written
// there in the turn before.
class Rewriter {
 public:
  static constexpr uint64_t kBlock = 4096;
  static constexpr uint64_t kBlocks = 4096;
  using Access = std::function<void(uint64_t offset, uint64_t& value)>;

  Rewriter(Access read, Access write)
      : thread_([this, read = std::move(read), write = std::move(write)] {
          for (uint64_t turn = 1; !is_over_; ++turn) {
            for (uint64_t block = 0; block < kBlocks && !is_over_; ++block) {
              uint64_t found = 0;
              read(block * kBlock, found);
              if (found != turn - 1) ++lost_;
              uint64_t next = turn;
              write(block * kBlock, next);
              ++written_;
            }
          }
        }) {}
  // Waits until it has written this many more blocks.
  void go_on(uint64_t blocks) {
    const uint64_t target = written_ + blocks;
    while (written_ < target)
      std::this_thread::yield();
  }
  uint64_t end() {
    is_over_ = true;
    thread_.join();
    return lost_;
  }

 private:
  std::atomic<bool> is_over_{false};
  std::atomic<uint64_t> written_{0};
  std::atomic<uint64_t> lost_{0};
  std::thread thread_;
};

TEST_F(CpuSharing, NoByteIsLostWhileCopiesRun) {
  constexpr uint64_t kSize = Rewriter::kBlocks * Rewriter::kBlock;
  for (int round = 0; round < 4; ++round) {
    const bool is_mapped = round % 2 == 1;
    const ferryx_memory range = is_mapped ? reserve(kSize) : ferryx_memory{};
    ferryx_physical* const physical = is_mapped ? create(0, kSize) : nullptr;
    const ferryx_memory memory = is_mapped ? map(physical, range, 0, kSize) : allocate(kSize);
    Rewriter rewriter(
        [&](uint64_t offset, uint64_t& value) { read(memory, offset, &value, sizeof value); },
        [&](uint64_t offset, uint64_t& value) { write(memory, offset, &value, sizeof value); });
    rewriter.go_on(Rewriter::kBlocks * 3 / 2);
    const ferryx_shared shared = is_mapped ? share(physical) : share(memory);
    rewriter.go_on(Rewriter::kBlocks);
    EXPECT_EQ(rewriter.end(), 0u) << "round " << round;
    Visitor visitor(shared);
    EXPECT_EQ(0, std::memcmp(&visitor[0], memory.storage, kSize));
    if (!is_mapped) {
      free(memory);
      continue;
    }
    unmap(memory);
    release(physical);
    release(range);
  }
}

TEST_F(CpuSharing, AllMappingsFollowTheMemory) {
  const ferryx_memory range = reserve(4 * kPiece);
  ferryx_physical* const before = create();
  ferryx_physical* const shared_piece = create();
  const ferryx_memory neighbour = map(before, range, 0);
  const ferryx_memory first = map(shared_piece, range, kPiece);
  const ferryx_memory second = map(shared_piece, range, 2 * kPiece);
  bytes_of(neighbour)[kPiece - 1] = 1;
  bytes_of(first)[0] = 2;
  bytes_of(second)[kPiece - 1] = 3;
  const ferryx_shared shared = share(shared_piece);
  EXPECT_EQ(shared.size, kPiece);
  ferryx_physical* const imported = import(shared);
  const ferryx_memory visiting = map(imported, range, 3 * kPiece);
  Visitor visitor(shared);
  for (const ferryx_memory& mapped : {first, second, visiting}) {
    EXPECT_EQ(bytes_of(mapped)[0], 2);
    EXPECT_EQ(bytes_of(mapped)[kPiece - 1], 3);
  }
  EXPECT_EQ(visitor[0], 2);
  EXPECT_EQ(bytes_of(neighbour)[kPiece - 1], 1);
  bytes_of(visiting)[5] = 4;
  EXPECT_EQ(bytes_of(first)[5], 4);
  EXPECT_EQ(bytes_of(second)[5], 4);
  unmap(first);
  unmap(second);
  release(shared_piece);
  EXPECT_EQ(bytes_of(visiting)[5], 4);  // it outlives the exporter's
  unmap(visiting);
  unmap(neighbour);
  release(imported);
  release(before);
  release(range);
}

TEST_F(CpuSharing, MemoryThatTheHostAccessesIsShared) {
  const ferryx_memory range = reserve(kPiece);
  ferryx_physical* const physical = create();
  const ferryx_memory mapped = map(physical, range, 0);
  bytes_of(mapped)[1] = 1;
  ok(backend()->physical_open_to_host(device_, &mapped));
  auto* const seen = static_cast<char*>(mapped.address);
  EXPECT_EQ(seen[1], 1);
  seen[2] = 2;
  Visitor visitor(share(physical));
  EXPECT_EQ(visitor[1], 1);
  EXPECT_EQ(visitor[2], 2);
  visitor[3] = 3;
  EXPECT_EQ(seen[3], 3);
  EXPECT_EQ(bytes_of(mapped)[3], 3);
  unmap(mapped);
  release(physical);
  release(range);
}

TEST_F(CpuSharing, HostMemoryIsShared) {
  const ferryx_memory range = reserve(kPiece);
  ferryx_physical* const physical = create(1);
  const ferryx_memory mapped = map(physical, range, 0);
  bytes_of(mapped)[1] = 1;
  const ferryx_shared shared = share(physical);
  EXPECT_EQ(shared.is_host, 1u);
  ferryx_physical* const imported = import(shared);
  const ferryx_memory other_range = reserve(kPiece);
  const ferryx_memory visiting = map(imported, other_range, 0);
  close(shared.file);
  EXPECT_EQ(visiting.kind, uint32_t{FERRYX_MEMORY_PINNED});
  EXPECT_EQ(bytes_of(visiting)[1], 1);
  for (const ferryx_memory& each : {mapped, visiting})
    unmap(each);
  for (ferryx_physical* each : {physical, imported})
    release(each);
  for (const ferryx_memory& each : {range, other_range})
    release(each);
}

TEST_F(CpuSharing, ImportedMemoryIsNotCounted) {
  const ferryx_memory memory = allocate(kPage);
  const ferryx_shared shared = share(memory);
  const uint64_t before = free_bytes();
  ferryx_physical* const imported = import(shared);
  close(shared.file);
  EXPECT_EQ(free_bytes(), before);
  const ferryx_memory range = reserve(kPage);  // less than 2 MiB, as a key of memory has
  const ferryx_memory mapped = map(imported, range, 0, kPage);
  EXPECT_EQ(mapped.kind, uint32_t{FERRYX_MEMORY_DEVICE});
  *bytes_of(memory) = 7;
  EXPECT_EQ(*bytes_of(mapped), 7);
  unmap(mapped);
  release(imported);
  release(range);
  EXPECT_EQ(free_bytes(), before);
  EXPECT_EQ(*bytes_of(memory), 7);  // no hole was made
  free(memory);
}

TEST_F(CpuSharing, LeavesNothingBehind) {
  const auto mappings = [] {
    std::ifstream file("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  const auto use_everything = [&] {
    const ferryx_memory memory = allocate(3 * kPage);
    const ferryx_memory range = reserve(2 * kPiece);
    ferryx_physical* const physical = create();
    const ferryx_memory mapped = map(physical, range, 0);
    const ferryx_shared whole = share(physical);
    ferryx_physical* const imported = import(whole);
    const ferryx_memory visiting = map(imported, range, kPiece);
    Visitor a(whole);
    Visitor b(share(memory));
    for (const ferryx_memory& each : {mapped, visiting})
      unmap(each);
    for (ferryx_physical* each : {physical, imported})
      release(each);
    release(range);
    free(memory);
  };
  constexpr int kRounds = 40;
  use_everything();
  const ptrdiff_t files = open_files();
  const auto maps = mappings();
  const uint64_t before = free_bytes();
  for (int round = 0; round < kRounds; ++round)
    use_everything();
  EXPECT_EQ(free_bytes(), before);
  // With room for the threads of other tests.
  EXPECT_LT(open_files(), files + kRounds / 2);
  EXPECT_LT(mappings(), maps + kRounds / 2);
}

}  // namespace
}  // namespace ferry::cpu
