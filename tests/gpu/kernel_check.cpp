// SPDX-License-Identifier: Apache-2.0
// The kernels alone: every byte, at odd addresses and lengths, in every shape.
#include "backends/cuda/kernels/kernels.h"
#include "backends/cuda/transfer/coalesce.h"
#include "backends/cuda/transfer/pair_ring.h"
#include "gpu/support.h"

#include <chrono>

namespace ferry::cuda {
namespace {

struct Route {
  const char* name;
  Place dst;
  Place src;
};

constexpr Route kRoutes[] = {{"to_device", Place::kDevice, Place::kPinned},
                             {"to_host", Place::kPinned, Place::kDevice},
                             {"on_device", Place::kDevice, Place::kDevice}};

struct KernelCheck : ::testing::TestWithParam<Route> {
  // Copies all spans with one launch and compares.
  void run(const Scatter& scatter, const KernelShape& shape) {
    const CopyCase copies(GetParam().dst, GetParam().src, scatter);
    const Buffer list(Place::kPinned, kListBytes);
    ListWork work{.items = ItemLists::in(list.at(0)).columns, .summary = {}};
    for (const Span& span : copies.spans()) {
      const size_t at = work.summary.count++;
      work.items.dst[at] = copies.dst().address(span.dst);
      work.items.src[at] = copies.src().address(span.src);
      work.items.size[at] = span.size;
      work.summary.bytes += span.size;
      work.summary.largest = std::max(work.summary.largest, span.size);
    }
    expect_ok(launch_list(stream.get(), work, shape));
    stream.wait();
    copies.check();
  }

  // Copies spans of one size as pairs of offsets in units, in `parts` launches. The last one
  // signals completion: all bytes must have arrived by then.
  struct PairCase {
    uint64_t size;
    uint32_t dst_shift;
    uint32_t src_shift;
    uint64_t parts;
    bool overlaps;
    bool is_inline = false;
  };
  void run_pairs(const Scatter& scatter, const PairCase& wanted, KernelShape shape) {
    const CopyCase copies(GetParam().dst, GetParam().src, scatter);
    const uint64_t count = copies.spans().size();
    const Buffer memory(Place::kPinned, PairRing::kBytes);
    PairRing ring;
    PairRing::Share share;
    ASSERT_TRUE(ring.open(memory.at(0)) && ring.take(PairRing::Need::kList, share));
    const ItemPairs pairs{.words = share.pairs,
                          .dst = {.base = copies.dst().address(), .shift = wanted.dst_shift},
                          .src = {.base = copies.src().address(), .shift = wanted.src_shift},
                          .size = wanted.size};
    for (uint64_t i = 0; i < count; ++i) {
      const Span& span = copies.spans()[i];
      pairs.words[i] = span.dst >> wanted.dst_shift | span.src >> wanted.src_shift << 32;
    }
    for (uint64_t part = 0; part < wanted.parts; ++part) {
      const uint64_t first = count * part / wanted.parts;
      const uint64_t end = count * (part + 1) / wanted.parts;
      shape.overlaps = wanted.overlaps && part > 0;
      const PairWork work{.items = pairs.from(first), .count = end - first};
      const DoneWords done = end == count ? DoneWords{share.done, share.turn} : DoneWords{};
      expect_ok(wanted.is_inline ? launch_inline_pairs(stream.get(), work, shape, done)
                                 : launch_pairs(stream.get(), work, shape, done));
    }
    wait_for(ring, ring.give_back_after(share, shape.blocks));
    copies.check();
    stream.wait();
  }

  static void wait_for(const PairRing& ring, Ticket ticket) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!ring.is_done(ticket))
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "the kernel does not signal completion";
  }

  // Whether parts may overlap depends on the device.
  static bool can_overlap() {
    int capability = 0;
    expect_ok(cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor, 0));
    return capability >= 9;
  }

  Stream stream;
};

INSTANTIATE_TEST_SUITE_P(Routes, KernelCheck, ::testing::ValuesIn(kRoutes),
                         [](const auto& route) { return std::string(route.param.name); });

TEST_P(KernelCheck, CopiesEveryAlignmentAndShortLength) {
  Scatter scatter;
  for (uint64_t dst = 0; dst < 16; ++dst) {
    for (uint64_t src = 0; src < 16; ++src) {
      for (const uint64_t size :
           {1u, 15u, 16u, 17u, 31u, 33u, 48u, 63u, 64u, 65u, 100u, 511u, 513u, 1055u}) {
        const uint64_t dst_gap = (dst - scatter.dst_size) % 16;
        const uint64_t src_gap = (src - scatter.src_size) % 16;
        scatter.add(size, dst_gap, src_gap);
      }
    }
  }
  run(scatter, {.blocks = 4});
}

TEST_P(KernelCheck, CopiesInEveryShape) {
  const Scatter odd = odd_scatter(is_short_run() ? 200 : 3000, 3000);
  for (const uint32_t blocks : {1u, 3u, 16u}) {
    for (const uint32_t threads : {32u, 256u, kKernelThreads})
      run(odd, {.blocks = blocks, .threads = threads});
  }
}

TEST_P(KernelCheck, CopiesBlocksOfOneSize) {
  for (const uint64_t size : {256u, 512u, 656u, 2048u, 4096u, 16384u, 65536u}) {
    const uint64_t most = (is_short_run() ? uint64_t{1} << 20 : uint64_t{16} << 20) / size;
    run(even_scatter(std::min<uint64_t>(most, 4096), size), {.blocks = 16});
  }
}

TEST_P(KernelCheck, CopiesPairsOfOneSize) {
  for (const uint64_t size : {1u, 13u, 512u, 656u, 2048u, 4096u, 16384u, 65537u}) {
    const uint64_t most = (is_short_run() ? uint64_t{1} << 19 : uint64_t{8} << 20) / size;
    Scatter scatter;
    for (uint64_t i = 0; i < std::min<uint64_t>(most, is_short_run() ? 300 : 4096); ++i)
      scatter.add(size, draw(0, 40), draw(0, 40));
    scatter.shuffle();
    run_pairs(scatter,
              {.size = size,
               .dst_shift = 0,
               .src_shift = 0,
               .parts = 1,
               .overlaps = false,
               .is_inline = false},
              {.blocks = 16});
  }
}

TEST_P(KernelCheck, CopiesPairsInUnits) {
  const Scatter scatter = even_scatter(is_short_run() ? 100 : 2000, 4096);
  PairCase in_units{.size = 4096,
                    .dst_shift = 6,
                    .src_shift = 0,
                    .parts = 1,
                    .overlaps = false,
                    .is_inline = false};
  run_pairs(scatter, in_units, {.blocks = 8});
  std::swap(in_units.dst_shift, in_units.src_shift);
  run_pairs(scatter, in_units, {.blocks = 8});
}

TEST_P(KernelCheck, CopiesPairsThatTravelWithTheLaunch) {
  for (const uint64_t count : {1u, 63u, 64u, 65u, 256u, 257u, 512u, 513u, 1023u, 1024u}) {
    for (const uint64_t size : {1u, 512u, 4097u}) {
      Scatter scatter;
      for (uint64_t i = 0; i < count; ++i)
        scatter.add(size, draw(0, 40), draw(0, 40));
      scatter.shuffle();
      run_pairs(scatter,
                {.size = size,
                 .dst_shift = 0,
                 .src_shift = 0,
                 .parts = 1,
                 .overlaps = false,
                 .is_inline = true},
                {.blocks = 8});
    }
  }
}

// All parts are complete when the stream is, whichever ends last.
TEST_P(KernelCheck, CopiesPairsInPartsThatOverlap) {
  for (const bool overlaps : {false, true}) {
    if (overlaps && !can_overlap()) continue;
    for (const uint64_t parts : {2u, 3u, 7u}) {
      for (const uint64_t size : {512u, 4096u}) {
        run_pairs(even_scatter(is_short_run() ? 200 : 4096, size),
                  {.size = size,
                   .dst_shift = 0,
                   .src_shift = 0,
                   .parts = parts,
                   .overlaps = overlaps,
                   .is_inline = false},
                  {.blocks = 8});
      }
    }
  }
}

TEST_P(KernelCheck, CopiesVeryDifferentSizes) {
  Scatter scatter = odd_scatter(100, 64);
  scatter.add(3000001, 5, 11);
  scatter.add(1, 3, 3);
  scatter.add(700000, 16 - scatter.dst_size % 16, 16 - scatter.src_size % 16);
  scatter.shuffle();
  run(scatter, {.blocks = 16});
}

TEST_P(KernelCheck, CopiesRowsOfAnyPitch) {
  struct Shape {
    uint64_t width, dst_extra, src_extra, height;
  };
  for (const Shape rows : {Shape{1, 0, 7, 300}, Shape{13, 3, 0, 1000}, Shape{512, 512, 0, 700},
                           Shape{4097, 31, 1, 65}, Shape{100000, 28, 96, 9}}) {
    Scatter scatter;
    for (uint64_t row = 0; row < rows.height; ++row)
      scatter.add(rows.width, row == 0 ? 3 : rows.dst_extra, row == 0 ? 9 : rows.src_extra);
    const CopyCase copies(GetParam().dst, GetParam().src, scatter);
    expect_ok(launch_rows(stream.get(),
                          {.dst = copies.dst().address(3),
                           .src = copies.src().address(9),
                           .width = rows.width,
                           .dst_pitch = rows.width + rows.dst_extra,
                           .src_pitch = rows.width + rows.src_extra,
                           .height = rows.height},
                          {.blocks = 16}));
    stream.wait();
    copies.check();
  }
}

// ---- addresses that are read on the device ----

struct GuardedCheck : ::testing::Test {
  GuardedCheck() { std::memset(fault.at(0), 0, sizeof(FaultSlot)); }

  Guard guard(const std::vector<Range>& ranges) {
    std::memcpy(table.at(0), ranges.data(), ranges.size() * sizeof(Range));
    return {.table = reinterpret_cast<const Range*>(table.at(0)),
            .count = static_cast<uint32_t>(ranges.size()),
            .fault = reinterpret_cast<FaultSlot*>(fault.at(0))};
  }
  const FaultSlot& found() const { return *reinterpret_cast<const FaultSlot*>(fault.at(0)); }
  static Range all_of(const Buffer& buffer) {
    return {buffer.address(), buffer.address() + buffer.size()};
  }
  static std::vector<Range> sorted(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return a.start < b.start; });
    return ranges;
  }
  void describe_copy(const CopyCase& copies, const Span& span) {
    const ferryx_descriptor written{.reserved = {},
                                    .size = static_cast<uint32_t>(span.size),
                                    .src = copies.src().address(span.src),
                                    .dst = copies.dst().address(span.dst)};
    expect_ok(cudaMemcpy(descriptor.at(0), &written, sizeof written, cudaMemcpyDefault));
  }

  Stream stream;
  Buffer table{Place::kPinned, 4096};
  Buffer fault{Place::kPinned, sizeof(FaultSlot)};
  Buffer descriptor{Place::kDevice, sizeof(ferryx_descriptor)};
};

TEST_F(GuardedCheck, CopiesWhatADescriptorSays) {
  for (const uint64_t size : {1u, 1000u, 70001u, 5000000u}) {
    Scatter scatter;
    scatter.add(size, 5, 18);
    const CopyCase copies(Place::kDevice, Place::kDevice, scatter);
    describe_copy(copies, copies.spans()[0]);
    expect_ok(launch_described(
        stream.get(), descriptor.at(0),
        guard(sorted({all_of(copies.dst()), all_of(copies.src()), all_of(descriptor)})),
        {.blocks = 64}));
    stream.wait();
    EXPECT_EQ(found().code, 0u);
    copies.check();
  }
}

TEST_F(GuardedCheck, ReportsWhatIsNotLiveAndCopiesNothing) {
  Scatter nothing;
  nothing.dst_size = 1000;
  nothing.src_size = 1000;
  const CopyCase copies(Place::kDevice, Place::kDevice, nothing);
  const Range dst = all_of(copies.dst());
  const Range src = all_of(copies.src());
  const Range place = all_of(descriptor);
  struct Wrong {
    Fault side;
    std::vector<Range> live;
    uint64_t size;
    uint32_t is_inside;
  };
  for (const Wrong& wrong :
       {Wrong{Fault::kDescriptor, {dst, src}, 10, 0}, Wrong{Fault::kDst, {src, place}, 10, 0},
        Wrong{Fault::kSrc, {dst, place}, 10, 0}, Wrong{Fault::kDst, {dst, src, place}, 1001, 1}}) {
    std::memset(fault.at(0), 0, sizeof(FaultSlot));
    describe_copy(copies, {0, 0, wrong.size});
    expect_ok(
        launch_described(stream.get(), descriptor.at(0), guard(sorted(wrong.live)), {.blocks = 8}));
    stream.wait();
    EXPECT_EQ(found().code, static_cast<uint32_t>(wrong.side));
    EXPECT_EQ(found().is_inside, wrong.is_inside);
    copies.check();
  }
}

TEST_F(GuardedCheck, CopiesBehindBasePointers) {
  Scatter scatter;
  scatter.add(40000, 4096, 333);
  const CopyCase copies(Place::kDevice, Place::kDevice, scatter);
  const Buffer cells(Place::kDevice, 2 * sizeof(uint64_t));
  const uint64_t bases[2] = {copies.dst().address(), copies.src().address()};
  expect_ok(cudaMemcpy(cells.at(0), bases, sizeof bases, cudaMemcpyDefault));
  const ferryx_indirect copy{.dst_pointer = cells.at(0),
                             .src_pointer = cells.at(8),
                             .dst_offset = 4096,
                             .src_offset = 333,
                             .size = 40000};
  expect_ok(launch_indirect(
      stream.get(), copy,
      guard(sorted({all_of(copies.dst()), all_of(copies.src()), all_of(cells)})), {.blocks = 16}));
  stream.wait();
  EXPECT_EQ(found().code, 0u);
  copies.check();
}

TEST(FillCheck, RepeatsAWordFromAnyAddress) {
  const Stream stream;
  for (const uint64_t offset : {0u, 1u, 2u, 3u, 4u, 7u, 12u, 15u}) {
    for (const uint64_t size : {4u, 8u, 16u, 20u, 1000u, 100000u}) {
      Buffer buffer(Place::kDevice, offset + size + 5);
      std::vector<uint8_t> expected = random_bytes(buffer.size());
      buffer.write(expected);
      constexpr uint32_t kValue = 0x01C2D384;
      for (uint64_t i = 0; i < size; ++i)
        expected[offset + i] = static_cast<uint8_t>(kValue >> i % 4 * 8);
      expect_ok(launch_fill(stream.get(),
                            {.dst = buffer.address(offset), .size = size, .value = kValue},
                            {.blocks = 3}));
      expect_ok(cudaStreamSynchronize(stream.get()));
      EXPECT_EQ(buffer.read(), expected) << "offset " << offset << ", size " << size;
    }
  }
}

}  // namespace
}  // namespace ferry::cuda
