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

}  // namespace
}  // namespace ferry::layers::check
