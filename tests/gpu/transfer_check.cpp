// SPDX-License-Identifier: Apache-2.0
// Everything a Transfers object does, in each way.
#include "backends/cuda/plugin/services.h"
#include "backends/cuda/transfer/transfers.h"
#include "gpu/support.h"

#include <thread>

namespace ferry::cuda {
namespace {

Transfers& transfers_with(BatchWay batch) {
  // Never destroyed, as in the product.
  static Transfers* made[3] = {};
  Transfers*& transfers = made[static_cast<size_t>(batch)];
  if (transfers == nullptr) expect_ok(Transfers::create(0, {.batch = batch}, &transfers));
  return *transfers;
}

ferryx_copy make_item(void* dst, const void* src, uint64_t size) {
  return {.dst = dst, .src = src, .size = size, .dst_storage = dst, .src_storage = src};
}

std::vector<ferryx_copy> items_of(const CopyCase& copies) {
  std::vector<ferryx_copy> items;
  for (const Span& span : copies.spans())
    items.push_back(make_item(copies.dst().at(span.dst), copies.src().at(span.src), span.size));
  return items;
}

ferryx_copies as_copies(const std::vector<ferryx_copy>& items, uint32_t direction) {
  return {.items = items.data(), .count = items.size(), .direction = direction, .flags = 0};
}

// A batch as columns. The arrays are gone by the time the copies run.
struct Columns {
  explicit Columns(const CopyCase& copies) {
    for (const Span& span : copies.spans()) {
      dsts.push_back(copies.dst().at(span.dst));
      srcs.push_back(copies.src().at(span.src));
      sizes.push_back(span.size);
    }
    const bool is_common =
        std::all_of(sizes.begin(), sizes.end(), [this](size_t size) { return size == sizes[0]; });
    columns = {.dsts = dsts.data(),
               .srcs = srcs.data(),
               .sizes = sizes.data(),
               .count = sizes.size(),
               .common_size = is_common ? sizes[0] : 0,
               .dst = range_of(copies.dst()),
               .src = range_of(copies.src()),
               .direction = 0};
  }
  static ferryx_memory range_of(const Buffer& buffer) {
    return {.address = buffer.at(0),
            .size = buffer.size(),
            .storage = buffer.at(0),
            .kind = FERRYX_MEMORY_DEVICE,
            .device = 0};
  }

  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes;
  ferryx_columns columns{};
};

struct BatchCheck : ::testing::TestWithParam<BatchWay> {
  void run(const Scatter& scatter) {
    for (const uint32_t direction : {FERRYX_HOST_TO_DEVICE, FERRYX_DEVICE_TO_HOST}) {
      const bool to_device = direction == FERRYX_HOST_TO_DEVICE;
      const CopyCase copies(to_device ? Place::kDevice : Place::kPinned,
                            to_device ? Place::kPinned : Place::kDevice, scatter);
      const std::vector<ferryx_copy> items = items_of(copies);
      expect_ok(transfers_with(GetParam()).copy(stream.get(), as_copies(items, direction)));
      stream.wait();
      copies.check();
    }
    run_columns(scatter);
  }

  void run_columns(const Scatter& scatter) {
    for (const uint32_t direction : {FERRYX_HOST_TO_DEVICE, FERRYX_DEVICE_TO_HOST}) {
      const bool to_device = direction == FERRYX_HOST_TO_DEVICE;
      const CopyCase copies(to_device ? Place::kDevice : Place::kPinned,
                            to_device ? Place::kPinned : Place::kDevice, scatter);
      Transfers& transfers = transfers_with(GetParam());
      Ticket last;
      {
        Columns made(copies);
        made.columns.direction = direction;
        expect_ok(transfers.copy_columns(stream.get(), made.columns, last));
      }
      stream.wait();
      EXPECT_TRUE(!last.is_one() || transfers.is_done(last));
      copies.check();
    }
  }

  Stream stream;
};

INSTANTIATE_TEST_SUITE_P(Ways, BatchCheck,
                         ::testing::Values(BatchWay::kAuto, BatchWay::kEngine, BatchWay::kKernel));

TEST_P(BatchCheck, CopiesFewAndMany) {
  for (const size_t count : {1u, 2u, 5u, 16u, 300u, 4096u})
    run(odd_scatter(is_short_run() ? std::min<size_t>(count, 64) : count, 2000));
}

TEST_P(BatchCheck, CopiesSmallAndLargeTogether) {
  Scatter scatter = odd_scatter(64, 5000);
  scatter.add(uint64_t{2} << 20, 7, 9);
  scatter.add((uint64_t{1} << 20) + 1, 1, 0);
  scatter.shuffle();
  run(scatter);
}

TEST_P(BatchCheck, JoinsNeighbours) {
  Scatter scatter;
  for (int i = 0; i < 500; ++i)
    scatter.add(1024, i % 10 == 0 ? 64 : 0, 0);
  run(scatter);
}

TEST_P(BatchCheck, CopiesBlocksOfOneSize) {
  for (const size_t count : {1u, 2u, 16u, 300u, 1024u, 4096u, 20000u}) {
    for (const uint64_t size : {64u, 1024u})
      run(even_scatter(is_short_run() ? std::min<size_t>(count, 64) : count, size));
  }
}

TEST_P(BatchCheck, CutsVeryLargeBatches) {
  if (is_short_run()) GTEST_SKIP() << "a short run";
  run(odd_scatter(51828, 300));
}

struct TransferCheck : ::testing::Test {
  Transfers& transfers = transfers_with(BatchWay::kAuto);
  Stream stream;
  const void* fault = nullptr;  // of copies during the call
};

TEST_F(TransferCheck, ReusesItsListsWhileCopiesAreUnderWay) {
  const CopyCase copies(Place::kDevice, Place::kPinned, even_scatter(2048, 512));
  const std::vector<ferryx_copy> items = items_of(copies);
  for (int round = 0; round < (is_short_run() ? 20 : 200); ++round)
    expect_ok(transfers.copy(stream.get(), as_copies(items, FERRYX_HOST_TO_DEVICE)));
  stream.wait();
  copies.check();
}

TEST_F(TransferCheck, ReusesItsPairsWhileCopiesAreUnderWay) {
  const CopyCase copies(Place::kPinned, Place::kDevice, even_scatter(4096, 512));
  Columns made(copies);
  made.columns.direction = FERRYX_DEVICE_TO_HOST;
  Ticket last;
  for (int round = 0; round < (is_short_run() ? 20 : 200); ++round)
    expect_ok(transfers.copy_columns(stream.get(), made.columns, last));
  stream.wait();
  EXPECT_TRUE(last.is_one() && transfers.is_done(last));
  copies.check();
}

// More batches than can signal completion at a time; the others are copied all the same.
TEST_F(TransferCheck, TellsOfTheEndOfSmallBatches) {
  const CopyCase copies(Place::kPinned, Place::kDevice, even_scatter(64, 512));
  Columns made(copies);
  made.columns.direction = FERRYX_DEVICE_TO_HOST;
  Transfers& by_kernel = transfers_with(BatchWay::kKernel);
  Ticket last;
  expect_ok(by_kernel.copy_columns(stream.get(), made.columns, last));
  EXPECT_TRUE(last.is_one());
  for (size_t round = 0; round < 2 * PairRing::kWithoutList; ++round)
    expect_ok(by_kernel.copy_columns(stream.get(), made.columns, last));
  stream.wait();
  EXPECT_TRUE(!last.is_one() || by_kernel.is_done(last));
  copies.check();
}

TEST_F(TransferCheck, IsSharedByThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this] {
      const Stream mine;
      const CopyCase copies(Place::kDevice, Place::kPinned, even_scatter(1000, 1024));
      const std::vector<ferryx_copy> items = items_of(copies);
      for (int round = 0; round < 20; ++round)
        expect_ok(transfers.copy(mine.get(), as_copies(items, FERRYX_HOST_TO_DEVICE)));
      expect_ok(cudaStreamSynchronize(mine.get()));
      copies.check();
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

TEST_F(TransferCheck, TakesCapturedBytesDuringTheCall) {
  std::vector<uint8_t> source = random_bytes((20 << 20) + 3);
  const std::vector<uint8_t> expected = source;
  const Buffer dst(Place::kDevice, source.size());
  const ferryx_copy item = make_item(dst.at(0), source.data(), source.size());
  expect_ok(transfers.capture(
      stream.get(), {.items = &item, .count = 1, .direction = FERRYX_HOST_TO_DEVICE, .flags = 0}));
  std::fill(source.begin(), source.end(), 0);
  stream.wait();
  EXPECT_EQ(dst.read(), expected);
}

TEST_F(TransferCheck, CopiesPageableMemoryDuringTheCall) {
  for (const size_t size : {size_t{1}, size_t{65536}, size_t{65537}, size_t{3} << 20,
                            (size_t{is_short_run() ? 4u : 64u} << 20) + 5}) {
    const std::vector<uint8_t> source = random_bytes(size);
    std::vector<uint8_t> back(size);
    const Buffer device(Place::kDevice, size);
    const ferryx_copy there = make_item(device.at(0), source.data(), size);
    const ferryx_copy here = make_item(back.data(), device.at(0), size);
    expect_ok(transfers.copy_now(
        {.items = &there, .count = 1, .direction = FERRYX_HOST_TO_DEVICE, .flags = 0}, fault));
    expect_ok(transfers.copy_now(
        {.items = &here, .count = 1, .direction = FERRYX_DEVICE_TO_HOST, .flags = 0}, fault));
    EXPECT_TRUE(back == source) << size;
  }
}

TEST_F(TransferCheck, CopiesPageableBatchesDuringTheCall) {
  constexpr size_t kBlocks = 5000;
  constexpr size_t kBlock = 777;
  const std::vector<uint8_t> source = random_bytes(kBlocks * kBlock);
  std::vector<uint8_t> back(source.size());
  const Buffer device(Place::kDevice, 2 * source.size());
  std::vector<ferryx_copy> there;
  std::vector<ferryx_copy> here;
  for (size_t i = 0; i < kBlocks; ++i) {
    there.push_back(make_item(device.at(2 * i * kBlock), source.data() + i * kBlock, kBlock));
    here.push_back(make_item(back.data() + i * kBlock, device.at(2 * i * kBlock), kBlock));
  }
  expect_ok(transfers.copy_now(as_copies(there, FERRYX_HOST_TO_DEVICE), fault));
  expect_ok(transfers.copy_now(as_copies(here, FERRYX_DEVICE_TO_HOST), fault));
  EXPECT_TRUE(back == source);
}

TEST_F(TransferCheck, CopiesPageableRowsDuringTheCall) {
  constexpr uint64_t kWidth = 300;
  constexpr uint64_t kPitch = 512;
  constexpr uint64_t kHeight = 3000;
  const std::vector<uint8_t> source = random_bytes(kPitch * kHeight);
  std::vector<uint8_t> back(kWidth * kHeight);
  const Buffer device(Place::kDevice, kPitch * kHeight);
  expect_ok(transfers.copy_2d_now({.corner = make_item(device.at(0), source.data(), kWidth),
                                   .dst_pitch = kPitch,
                                   .src_pitch = kPitch,
                                   .height = kHeight,
                                   .direction = FERRYX_HOST_TO_DEVICE},
                                  fault));
  expect_ok(transfers.copy_2d_now({.corner = make_item(back.data(), device.at(0), kWidth),
                                   .dst_pitch = kWidth,
                                   .src_pitch = kPitch,
                                   .height = kHeight,
                                   .direction = FERRYX_DEVICE_TO_HOST},
                                  fault));
  for (uint64_t row = 0; row < kHeight; ++row) {
    ASSERT_EQ(std::memcmp(&back[row * kWidth], &source[row * kPitch], kWidth), 0) << row;
  }
}

// An address that cannot be accessed, as the runtime would report it.
const void* bad_address = nullptr;

const void* move_up_to_bad_address(const ferryx_copy* items, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    for (const void* side :
         {static_cast<const void*>(items[i].dst_storage), items[i].src_storage}) {
      const auto start = reinterpret_cast<uintptr_t>(side);
      if (reinterpret_cast<uintptr_t>(bad_address) - start < items[i].size) return bad_address;
    }
    std::memmove(items[i].dst_storage, items[i].src_storage, items[i].size);
  }
  return nullptr;
}

TEST_F(TransferCheck, EndsACopyWhereTheProgramsMemoryCannotBeAccessed) {
  constexpr size_t kSize = (size_t{24} << 20) + 5;
  ferryx_runtime runtime{};
  runtime.struct_size = sizeof runtime;
  runtime.move_bytes = move_up_to_bad_address;
  services = &runtime;
  std::vector<uint8_t> host = random_bytes(kSize);
  std::vector<uint8_t> back(kSize);
  const Buffer device(Place::kDevice, kSize);
  const ferryx_copy there = make_item(device.at(0), host.data(), kSize);
  const ferryx_copy here = make_item(back.data(), device.at(0), kSize);
  const ferryx_copy across = make_item(back.data(), host.data(), kSize);
  const std::pair<const ferryx_copy*, uint32_t> copies[] = {{&there, FERRYX_HOST_TO_DEVICE},
                                                            {&here, FERRYX_DEVICE_TO_HOST},
                                                            {&across, FERRYX_HOST_TO_HOST}};
  for (const auto& [item, direction] : copies) {
    const ferryx_copies one{.items = item, .count = 1, .direction = direction, .flags = 0};
    for (const size_t at : {size_t{0}, kSize / 2, kSize - 1}) {
      bad_address = (direction == FERRYX_HOST_TO_DEVICE ? host.data() : back.data()) + at;
      fault = nullptr;
      expect_ok(transfers.copy_now(one, fault));
      EXPECT_EQ(fault, bad_address);
    }
    bad_address = nullptr;
    fault = nullptr;
    expect_ok(transfers.copy_now(one, fault));
    EXPECT_EQ(fault, nullptr);
  }
  services = nullptr;
  EXPECT_TRUE(back == host);
}

TEST_F(TransferCheck, FillsDuringTheCall) {
  Buffer device(Place::kDevice, 4000);
  expect_ok(transfers.fill_now({.dst = device.at(0),
                                .dst_storage = device.at(0),
                                .size = 4000,
                                .value = 0xA1B2C3D4,
                                .width = 4}));
  const std::vector<uint8_t> found = device.read();
  const uint8_t word[4] = {0xD4, 0xC3, 0xB2, 0xA1};
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], word[i % 4]) << i;
}

ferryx_memory range_of(const Buffer& buffer) {
  ferryx_memory memory{};
  memory.storage = buffer.at(0);
  memory.size = buffer.size();
  return memory;
}

TEST_F(TransferCheck, FollowsTheLiveRanges) {
  static auto* const live = new LiveRanges;
  const CopyCase copies(Place::kDevice, Place::kDevice, even_scatter(1, 100000));
  const Span span = copies.spans()[0];
  const Buffer cells(Place::kDevice, 2 * sizeof(uint64_t));
  const uint64_t bases[2] = {copies.dst().address(span.dst), copies.src().address(span.src)};
  expect_ok(cudaMemcpy(cells.at(0), bases, sizeof bases, cudaMemcpyDefault));
  const ferryx_indirect copy{.dst_pointer = cells.at(0),
                             .src_pointer = cells.at(8),
                             .dst_offset = 0,
                             .src_offset = 0,
                             .size = span.size};
  const Buffer slots(Place::kPinned, 100 * sizeof(FaultSlot));
  std::memset(slots.at(0), 0, slots.size());
  auto* faults = reinterpret_cast<FaultSlot*>(slots.at(0));
  for (uint64_t epoch = 0; epoch < 100; ++epoch) {
    // In every second table the source is missing.
    std::vector<ferryx_memory> ranges{range_of(cells), range_of(copies.dst())};
    if (epoch % 2 == 0) ranges.push_back(range_of(copies.src()));
    live->update(ranges, epoch);
    EXPECT_TRUE(live->is_of(epoch));
    expect_ok(transfers.copy_indirect(stream.get(), copy, *live, &faults[epoch]));
  }
  stream.wait();
  for (uint64_t epoch = 0; epoch < 100; ++epoch) {
    const Fault wanted = epoch % 2 == 0 ? Fault::kNone : Fault::kSrc;
    EXPECT_EQ(faults[epoch].code, static_cast<uint32_t>(wanted)) << epoch;
  }
  copies.check();
}

}  // namespace
}  // namespace ferry::cuda
