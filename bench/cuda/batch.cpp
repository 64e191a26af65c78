// SPDX-License-Identifier: Apache-2.0
// Races of batches over sizes, counts and directions.
#include "bench/cuda/batch.h"

#include "bench/cuda/scatter.h"
#include "bench/cuda/targets.h"

#include "ferry/ferry.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ferry::bench::cuda {
namespace {

constexpr size_t kFerry = 0;
constexpr size_t kLoop = 1;
constexpr size_t kBatch = 2;
constexpr size_t kLimit = 3;
constexpr const char* kNames[] = {"Ferry", "loop of cudaMemcpyAsync", "cudaMemcpyBatchAsync",
                                  "one large copy"};

constexpr size_t kKibi = 1024;
constexpr size_t kMebi = kKibi * kKibi;
constexpr Direction kDirections[] = {Direction::kIn, Direction::kOut};

// Successive batches cycle through several sets of blocks, so that no block is copied twice in a
// row.
class Course {
 public:
  Course(Lane& lane, Direction direction, const std::vector<Layout>& layouts)
      : lane_(lane), direction_(direction) {
    for (const Layout& layout : layouts)
      sets_.push_back(blocks_of(layout, lane, direction));
  }

  void copy_as_batch() {
    lane_.batch(next(), direction_);
    lane_.wait();
  }
  void copy_one_by_one() {
    const Blocks& blocks = next();
    for (size_t i = 0; i < blocks.sizes.size(); ++i) {
      lane_.copy(static_cast<std::byte*>(blocks.to[i]), static_cast<std::byte*>(blocks.from[i]),
                 blocks.sizes[i], direction_);
    }
    lane_.wait();
  }

 private:
  Blocks& next() { return sets_[turn_++ % sets_.size()]; }

  Lane& lane_;
  Direction direction_;
  std::vector<Blocks> sets_;
  size_t turn_ = 0;
};

// How many tasks used Ferry's copy kernel, and how many multiprocessors the last one took.
struct KernelUse {
  uint64_t tasks = 0;
  double multiprocessors = 0;
};
KernelUse kernel_use() {
  ferryCopyWay way{};
  for (size_t i = 0; ferryGetCopyWay(0, i, &way) == ACL_SUCCESS; ++i) {
    if (std::string_view(way.name) == "kernel")
      return {way.tasks, static_cast<double>(way.multiprocessors)};
  }
  return {};
}

std::string shape_text(size_t count, size_t block_bytes, Direction direction) {
  return fmt::format("{} x {} {}", count, block_text(block_bytes), direction_text(direction));
}

}  // namespace

std::vector<BatchQuestion::Shape> BatchQuestion::full_shapes(Effort effort) {
  if (effort == Effort::kQuick) return {{256, 512, true}, {256, 4 * kKibi, true}};
  return {{4096, 512, true},        {4096, 2 * kKibi, true},  {4096, 4 * kKibi, true},
          {4096, 16 * kKibi, true}, {4096, 64 * kKibi, true}, {1024, 256 * kKibi, true},
          {256, kMebi, true}};
}

std::vector<BatchQuestion::Shape> BatchQuestion::shapes_of_few(Effort effort) {
  if (effort == Effort::kQuick) return {{16, 4 * kKibi, false}};
  const std::vector<Shape> full = full_shapes(effort);
  std::vector<Shape> shapes;
  for (const size_t count : {size_t{16}, size_t{64}, size_t{256}, size_t{1024}}) {
    for (const Shape& shape : full) {
      if (count < shape.count) shapes.push_back({count, shape.block_bytes, false});
    }
  }
  return shapes;
}

void BatchQuestion::ask(const Setup& setup) {
  if (!has_batch_copies()) {
    setup.add(skipped_row(kNoBatches));
    return;
  }
  for (const Direction direction : kDirections) {
    for (const Shape& shape : full_shapes(setup.effort))
      ask_shape(setup, shape, direction);
    for (const Shape& shape : shapes_of_few(setup.effort))
      ask_shape(setup, shape, direction);
  }
}

void BatchQuestion::ask_shape(const Setup& setup, const Shape& shape, Direction direction) {
  const Outcome& outcome = outcome_of(setup, shape, direction);
  if (shape.is_full) add_full_rows(setup, shape, direction, outcome);
  const std::vector<Contender> names{
      {kNames[kFerry], {}}, {kNames[kLoop], {}}, {kNames[kBatch], {}}};
  const Times& times = outcome.times;
  Row row = speed_row(shape_text(shape.count, shape.block_bytes, direction),
                      shape.count * shape.block_bytes, names,
                      {times[kFerry], times[kLoop], times[kBatch]}, kLoop);
  row.target = at_least(least_gain(direction, shape.count, shape.block_bytes));
  setup.add(row);
}

// Rows for the speed relative to the limit, and for the multiprocessors used to get there.
void BatchQuestion::add_full_rows(const Setup& setup, const Shape& shape, Direction direction,
                                  const Outcome& outcome) const {
  const Times& times = outcome.times;
  const size_t bytes = shape.count * shape.block_bytes;
  Row row;
  row.what = shape_text(shape.count, shape.block_bytes, direction);
  row.unit = "GB/s";
  row.measured = speed_of(bytes, times[kFerry]);
  row.baseline = speed_of(ground_.bytes(), times[kLimit]);
  row.baseline_name = kNames[kLimit];
  row.ratio = ratio_of(times[kLimit], times[kFerry]);
  row.ratio->median *= static_cast<double>(bytes) / static_cast<double>(ground_.bytes());
  row.target = at_least(least_share_of_limit(direction, shape.block_bytes));
  row.judged = row.ratio->median;
  setup.add(row);

  Row use;
  use.what = row.what;
  use.unit = "SMs";
  use.measured = outcome.multiprocessors;
  use.target = at_most(most_multiprocessors(shape.block_bytes));
  use.judged = outcome.multiprocessors;
  setup.add(use);
}

const BatchQuestion::Outcome& BatchQuestion::outcome_of(const Setup& setup, const Shape& shape,
                                                        Direction direction) {
  const std::tuple key{direction, shape.count, shape.block_bytes};
  const auto known = outcomes_.find(key);
  if (known != outcomes_.end()) return known->second;
  setup.show_progress(shape_text(shape.count, shape.block_bytes, direction));
  return outcomes_.emplace(key, measure(setup, shape, direction)).first->second;
}

BatchQuestion::Outcome BatchQuestion::measure(const Setup& setup, const Shape& shape,
                                              Direction direction) {
  constexpr size_t kMostSets = 4;
  const size_t bytes = shape.count * shape.block_bytes;
  const size_t pool = pool_bytes_for(bytes, ground_.raw().cache_bytes(), ground_.bytes());
  const std::vector<Layout> layouts =
      scattered_sets(std::min(kMostSets, pool / bytes), shape.count, shape.block_bytes, pool);
  ground_.prepare(direction);
  FerryLane& ferry = ground_.ferry();
  CudaLane& raw = ground_.raw();
  Course ours(ferry, direction, layouts);
  Course loop(raw, direction, layouts);
  Course batch(raw, direction, layouts);
  std::vector<Contender> contenders{{kNames[kFerry], [&] { ours.copy_as_batch(); }},
                                    {kNames[kLoop], [&] { loop.copy_one_by_one(); }},
                                    {kNames[kBatch], [&] { batch.copy_as_batch(); }}};
  if (shape.is_full)
    contenders.push_back({kNames[kLimit], [&] { raw.copy_start(raw.bytes(), direction); }});
  const uint64_t kernels_before = kernel_use().tasks;
  Outcome outcome{race(contenders, setup.pace), 0};
  const KernelUse use = kernel_use();
  if (use.tasks > kernels_before) outcome.multiprocessors = use.multiprocessors;
  Lane* const lanes[] = {&ferry, &raw, &raw};
  for (size_t i = 0; i < std::size(lanes); ++i) {
    ground_.verify(*lanes[i], direction, layouts, [&] {
      for (size_t set = 0; set < layouts.size(); ++set)
        contenders[i].once();
    });
  }
  return outcome;
}

Sweep BatchQuestion::sweep(const Setup& setup) {
  Sweep result{"Scattered blocks between pinned host memory and the GPU, GB/s",
               {{"limit", "limit: one large copy", "#8a8f98"},
                {"ferry", "Ferry", "#1f6feb"},
                {"cuda_batch", "cudaMemcpyBatchAsync", "#2da44e"},
                {"loop", "loop of cudaMemcpyAsync", "#d9822b"}},
               {}};
  for (const Direction direction : kDirections) {
    for (const Shape& shape : full_shapes(setup.effort)) {
      const Times& times = outcome_of(setup, shape, direction).times;
      const size_t bytes = shape.count * shape.block_bytes;
      result.points.push_back(
          {direction == Direction::kIn ? "host to device" : "device to host",
           shape.count,
           shape.block_bytes,
           {speed_of(ground_.bytes(), times[kLimit]), speed_of(bytes, times[kFerry]),
            speed_of(bytes, times[kBatch]), speed_of(bytes, times[kLoop])}});
    }
  }
  return result;
}

}  // namespace ferry::bench::cuda
