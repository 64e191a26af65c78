// SPDX-License-Identifier: Apache-2.0
// Latency: how much does Ferry add to the time CUDA takes for a small copy, and how long does it
// take to submit a batch?
#include "bench/cuda/questions.h"
#include "bench/cuda/scatter.h"

#include <fmt/format.h>

namespace ferry::bench::cuda {
namespace {

constexpr size_t kBytes = 64;
// The driver blocks submission at about a thousand queued copies; this stays well below.
constexpr size_t kQueued = 64;
constexpr double kMicroseconds = 1e6;

void copy_each(Lane& lane, const Layout& layout, Direction direction) {
  for (size_t i = 0; i < layout.from.size(); ++i) {
    lane.copy(lane.target(direction) + layout.to[i], lane.source(direction) + layout.from[i],
              layout.block_bytes, direction);
  }
}

// Ferry's times against CUDA's, per item of `count`.
Row time_row(const std::string& what, const Times& times, size_t count) {
  const double scale = kMicroseconds / static_cast<double>(count);
  Row row;
  row.what = what;
  row.unit = "us per copy";
  row.measured = median(times[0]) * scale;
  row.baseline = median(times[1]) * scale;
  row.ratio = ratio_of(times[0], times[1]);
  return row;
}

void ask_round_trip(const Setup& setup, Ground& ground, Direction direction) {
  const std::string what = fmt::format("64 B {}, copy and wait", direction_text(direction));
  setup.show_progress(what);
  ground.prepare(direction);
  const std::vector<Contender> contenders{
      {"Ferry", [&] { ground.ferry().copy_start(kBytes, direction); }},
      {"CUDA", [&] { ground.raw().copy_start(kBytes, direction); }}};
  Row row = time_row(what, race(contenders, setup.pace), 1);
  ground.verify(ground.ferry(), direction, {whole(kBytes)}, contenders.front().once);
  row.baseline_name = "cudaMemcpyAsync";
  row.target = at_most(1.05);
  row.judged = row.ratio->median;
  setup.add(row);
}

// Measures `queue` alone; the wait that follows is not timed.
Times race_submissions(const Setup& setup, Ground& ground,
                       const std::function<void(Lane&)>& queue) {
  FerryLane& ferry = ground.ferry();
  CudaLane& raw = ground.raw();
  return race({{"Ferry", [&] { queue(ferry); }, [&] { ferry.wait(); }},
               {"CUDA", [&] { queue(raw); }, [&] { raw.wait(); }}},
              setup.pace);
}

void ask_submission(const Setup& setup, Ground& ground, Direction direction) {
  const std::string what = fmt::format("64 B {}, submit alone", direction_text(direction));
  setup.show_progress(what);
  ground.prepare(direction);
  const Layout layout = in_a_row(kQueued, kBytes);
  const auto queue = [&](Lane& lane) { copy_each(lane, layout, direction); };
  const Times times = race_submissions(setup, ground, queue);
  Row row = time_row(what, times, kQueued);
  ground.verify(ground.ferry(), direction, {layout}, [&] { queue(ground.ferry()); });
  row.baseline_name = "cudaMemcpyAsync";
  row.target = Target{Target::Sense::kAtMost, 0.3, "<= +0.3 us"};
  row.judged = difference_of(times[0], times[1]).median * kMicroseconds / kQueued;
  setup.add(row);
}

void ask_batch_submission(const Setup& setup, Ground& ground, Direction direction) {
  const size_t count = setup.effort == Effort::kQuick ? 256 : 4096;
  constexpr size_t kBlock = size_t{4} << 10;
  const std::string what =
      fmt::format("{} x {} {}, submit alone", count, block_text(kBlock), direction_text(direction));
  setup.show_progress(what);
  ground.prepare(direction);
  const std::vector<Layout> layouts = scattered_sets(1, count, kBlock, ground.bytes());
  Blocks ours = blocks_of(layouts.front(), ground.ferry(), direction);
  Blocks theirs = blocks_of(layouts.front(), ground.raw(), direction);
  const auto queue = [&](Lane& lane) {
    lane.batch(&lane == &ground.raw() ? theirs : ours, direction);
  };
  Row row = time_row(what, race_submissions(setup, ground, queue), 1);
  ground.verify(ground.ferry(), direction, layouts, [&] { queue(ground.ferry()); });
  row.unit = "us per batch";
  row.baseline_name = "cudaMemcpyBatchAsync";
  row.target = below(20, "us");
  row.judged = row.measured;
  setup.add(row);
}

}  // namespace

void ask_latency(const Setup& setup, Ground& ground) {
  for (const Direction direction : {Direction::kIn, Direction::kOut}) {
    ask_round_trip(setup, ground, direction);
    ask_submission(setup, ground, direction);
    if (has_batch_copies()) ask_batch_submission(setup, ground, direction);
  }
}

}  // namespace ferry::bench::cuda
