// SPDX-License-Identifier: Apache-2.0
// Copies whose addresses are stored in device memory. They are known where the host can read that
// memory; where it cannot, as on a GPU, anything may have been written.
#include "layers/check/front/ranges_of_work.h"

#include "base/work.h"
#include "layers/check/world/world.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr uint64_t kSize = 4096;

enum class Storage { kReadable, kHidden };

// Live memory in the memory book, with its own storage.
class Live {
 public:
  explicit Live(Storage storage) {
    book().add({.address = bytes_.data(),
                .size = kSize,
                .storage = storage == Storage::kReadable ? bytes_.data() : nullptr,
                .kind = FERRYX_MEMORY_DEVICE,
                .device = 0},
               kNoSite);
  }
  ~Live() { book().end(bytes_.data(), kNoSite, 0); }
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  char* address() { return bytes_.data(); }
  // Stores an address there, as the program would.
  void store(const void* value) { std::memcpy(bytes_.data(), &value, sizeof value); }
  bool is_all_written() {
    return book().find(reinterpret_cast<uintptr_t>(address()))->is_all_written;
  }

 private:
  static MemoryBook& book() { return World::instance().memory(); }

  std::vector<char> bytes_ = std::vector<char>(kSize);
};

// Starts a copy by stored addresses; reports whether all memory counts as written after it.
struct Outcome {
  bool is_anything_written;
  size_t ranges_found;
};
Outcome start_indirect(Storage dst_cell, Storage src_cell) {
  Live cell_of_dst(dst_cell);
  Live cell_of_src(src_cell);
  Live dst(Storage::kHidden);
  Live src(Storage::kHidden);
  cell_of_dst.store(dst.address());
  cell_of_src.store(src.address());
  const std::shared_ptr<Task> task = task_of(make_work(FERRYX_INDIRECT, &ferryx_payload::indirect,
                                                       {.dst_pointer = cell_of_dst.address(),
                                                        .src_pointer = cell_of_src.address(),
                                                        .dst_offset = 0,
                                                        .src_offset = 0,
                                                        .size = 64}));
  const size_t before = task->ranges.size();
  task->find_ranges(World::instance(), *task);
  return {.is_anything_written = dst.is_all_written(),
          .ranges_found = task->ranges.size() - before};
}

TEST(RangesOfWork, KnowsWhatStoredAddressesName) {
  const Outcome outcome = start_indirect(Storage::kReadable, Storage::kReadable);
  EXPECT_FALSE(outcome.is_anything_written);
  EXPECT_EQ(outcome.ranges_found, 2u);
}

TEST(RangesOfWork, TakesAllForWrittenWhereAStoredAddressIsHidden) {
  for (const auto& [dst, src] : {std::pair(Storage::kHidden, Storage::kHidden),
                                 std::pair(Storage::kHidden, Storage::kReadable),
                                 std::pair(Storage::kReadable, Storage::kHidden)}) {
    const Outcome outcome = start_indirect(dst, src);
    EXPECT_TRUE(outcome.is_anything_written);
    EXPECT_EQ(outcome.ranges_found, 0u);
  }
}

TEST(RangesOfWork, TakesAllForWrittenWhereADescriptorIsHidden) {
  Live descriptor(Storage::kHidden);
  Live other(Storage::kHidden);
  const std::shared_ptr<Task> task = task_of(make_work(FERRYX_DESCRIBED, &ferryx_payload::described,
                                                       {.descriptor = descriptor.address()}));
  task->find_ranges(World::instance(), *task);
  EXPECT_TRUE(other.is_all_written());
}

TEST(RangesOfReductions, AreBothArraysWithoutTheTail) {
  char bytes[64];
  const ferryx_work work = make_work(FERRYX_REDUCE, &ferryx_payload::reduce,
                                     {.operands = {.dst = bytes,
                                                   .src = bytes + 32,
                                                   .size = 11,
                                                   .dst_storage = bytes,
                                                   .src_storage = bytes + 32},
                                      .operation = FERRYX_SUM,
                                      .element = FERRYX_FLOAT16});
  const std::shared_ptr<Task> task = task_of(work);
  ASSERT_EQ(task->ranges.size(), 3u);
  const auto begin = reinterpret_cast<uintptr_t>(bytes);
  size_t reads = 0;
  for (const TaskRange& range : task->ranges) {
    EXPECT_EQ(range.range.size(), 10u);
    if (range.kind == AccessKind::kWrite) {
      EXPECT_EQ(range.range.begin, begin);
    } else {
      ++reads;
    }
  }
  EXPECT_EQ(reads, 2u);
}

TEST(RangesOfKernels, AreThoseThatItDeclares) {
  char bytes[64];
  const ferryx_access accesses[] = {{.address = bytes, .size = 16, .writes = 0, .reserved = 0},
                                    {.address = bytes + 32, .size = 8, .writes = 1, .reserved = 0},
                                    {.address = bytes, .size = 0, .writes = 1, .reserved = 0}};
  const ferryx_work work = make_work(
      FERRYX_KERNEL, &ferryx_payload::kernel,
      {.run = nullptr, .argument = nullptr, .name = "k", .accesses = accesses, .access_count = 3});
  const std::shared_ptr<Task> task = task_of(work);
  ASSERT_EQ(task->ranges.size(), 2u);
  const auto begin = reinterpret_cast<uintptr_t>(bytes);
  EXPECT_EQ(task->ranges[0].range.begin, begin);
  EXPECT_EQ(task->ranges[0].range.size(), 16u);
  EXPECT_EQ(task->ranges[0].kind, AccessKind::kRead);
  EXPECT_EQ(task->ranges[1].range.begin, begin + 32);
  EXPECT_EQ(task->ranges[1].range.size(), 8u);
  EXPECT_EQ(task->ranges[1].kind, AccessKind::kWrite);
}

}  // namespace
}  // namespace ferry::layers::check
