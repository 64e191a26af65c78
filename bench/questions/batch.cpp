// SPDX-License-Identifier: Apache-2.0
// Batch: are many scattered blocks as fast as raw copies, and never slower than a loop of copies?
#include "bench/client.h"
#include "bench/question.h"
#include "bench/questions/questions.h"
#include "bench/transfer.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferry::bench {
namespace {

struct Case {
  size_t count;
  size_t block_bytes;
};

// Contenders: batch, loop, then the raw loops.
struct BatchRace {
  BatchRace(const Setup& setup, const Layout& layout, Buffer::Place from, Buffer::Place to)
      : ours(layout, from, to),
        raw(layout, Buffer::Place::kPlain, Buffer::Place::kPlain),
        contenders(raw_contenders(raw, setup.team)) {
    contenders.insert(contenders.begin(),
                      contender("loop", ours, [this] { ours.copy_one_by_one(stream); }));
    contenders.insert(contenders.begin(),
                      contender("batch", ours, [this] { ours.copy_as_batch(stream); }));
  }

  Stream stream;
  Transfer ours;
  Transfer raw;
  std::vector<Contender> contenders;
};
constexpr size_t kBatch = 0;
constexpr size_t kLoop = 1;
constexpr size_t kFirstRaw = 2;

// The target for small blocks is the time per item beyond the raw loop on one core; for larger
// blocks it is the speed.
void add_against_raw(const Setup& setup, Row row, const Case& shape, const Times& times) {
  constexpr size_t kSmall = 512;
  constexpr double kNanosecondsBeyond = 25;
  if (shape.block_bytes > kSmall) {
    if (shape.block_bytes <= size_t{64} << 10) row.target = at_least(0.90);
    setup.add(row);
    return;
  }
  const double scale = 1e9 / static_cast<double>(shape.count);
  const std::vector<double>& raw_loop = times[kFirstRaw];
  row.unit = "ns per item";
  row.measured = median(times[kBatch]) * scale;
  row.baseline = median(raw_loop) * scale;
  row.baseline_name = "memcpy, 1 core";
  row.ratio = ratio_of(raw_loop, times[kBatch]);
  row.target = Target{Target::Sense::kAtMost, kNanosecondsBeyond, "<= +25 ns"};
  row.judged = difference_of(times[kBatch], raw_loop).median * scale;
  setup.add(row);
}

void ask_case(const Setup& setup, const Case& shape, Buffer::Place from, Buffer::Place to) {
  const char* direction = to == Buffer::Place::kDevice ? "in" : "out";
  const std::string what =
      fmt::format("{} x {} {}", shape.count, block_text(shape.block_bytes), direction);
  setup.show_progress(what);
  const Layout layout = scattered(shape.count, shape.block_bytes);
  BatchRace batch_race(setup, layout, from, to);
  const Times times = race(batch_race.contenders, setup.pace);

  add_against_raw(setup, speed_row(what, layout.bytes(), batch_race.contenders, times, kFirstRaw),
                  shape, times);
  Row row =
      speed_row(what, layout.bytes(), {batch_race.contenders[kBatch], batch_race.contenders[kLoop]},
                {times[kBatch], times[kLoop]}, 1);
  row.baseline_name = "loop of copies";
  row.target = at_least(0.97);
  setup.add(row);
}

SweepPoint measure_point(const Setup& setup, const Case& shape) {
  const Layout layout = scattered(shape.count, shape.block_bytes);
  BatchRace batch_race(setup, layout, Buffer::Place::kPinned, Buffer::Place::kDevice);
  constexpr Pace kMostPace{5, 0.03};  // a plot needs less precision than a verdict
  const Times times =
      race(batch_race.contenders, {std::min(setup.pace.rounds, kMostPace.rounds),
                                   std::min(setup.pace.seconds, kMostPace.seconds)});
  const double raw = std::max(speed_of(layout.bytes(), times[kFirstRaw]),
                              speed_of(layout.bytes(), times[kFirstRaw + 1]));
  return {fmt::format("{} blocks", shape.count),
          shape.count,
          shape.block_bytes,
          {raw, speed_of(layout.bytes(), times[kLoop]), speed_of(layout.bytes(), times[kBatch])}};
}

}  // namespace

void ask_batch(const Setup& setup) {
  constexpr Case kFull[] = {
      {4096, 512}, {4096, 4 << 10}, {4096, 16 << 10}, {4096, 64 << 10}, {256, 1 << 20}};
  constexpr Case kQuick[] = {{256, 512}, {256, 4 << 10}};
  if (!has_batch_copies()) {
    setup.add(skipped_row(kNoBatches));
    return;
  }
  const bool is_quick = setup.effort == Effort::kQuick;
  const std::vector<Case> cases = is_quick ? std::vector<Case>(std::begin(kQuick), std::end(kQuick))
                                           : std::vector<Case>(std::begin(kFull), std::end(kFull));
  for (const Case& shape : cases) {
    ask_case(setup, shape, Buffer::Place::kPinned, Buffer::Place::kDevice);
    ask_case(setup, shape, Buffer::Place::kDevice, Buffer::Place::kPinned);
  }
}

Sweep sweep(const Setup& setup) {
  const bool is_quick = setup.effort == Effort::kQuick;
  const size_t most_bytes = is_quick ? size_t{4} << 20 : size_t{128} << 20;
  Sweep result{"Scattered blocks from pinned host memory to the device, GB/s",
               {{"raw", "raw memcpy, better of one core and all", "#8a8f98"},
                {"loop", "loop of aclrtMemcpyAsync", "#d9822b"},
                {"batch", "aclrtMemcpyBatchAsync", "#1f6feb"}},
               {}};
  for (const size_t count : {size_t{16}, size_t{256}, size_t{4096}}) {
    for (size_t bytes = 512; bytes <= size_t{1} << 20 && count * bytes <= most_bytes; bytes *= 4) {
      setup.show_progress(fmt::format("plot: {} x {}", count, block_text(bytes)));
      result.points.push_back(measure_point(setup, {count, bytes}));
    }
  }
  return result;
}

}  // namespace ferry::bench
