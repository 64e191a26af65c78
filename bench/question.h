// SPDX-License-Identifier: Apache-2.0
// What the questions have in common: what they are given, and how times become rows.
#pragma once

#include "bench/bench.h"
#include "bench/race.h"
#include "bench/raw/thread_team.h"
#include "bench/row.h"

#include <functional>
#include <string>
#include <vector>

namespace ferry::bench {

/// What every question is given.
struct Setup {
  Pace pace;
  Effort effort;
  ThreadTeam& team;
  double idle_mebibytes;  // resident memory of an idle runtime; negative when it is not known
  std::function<void(const Row&)> add;
  std::function<void(const std::string&)> show_progress;
};

/// One place of the plot: GB/s of each way for `count` blocks of `block_bytes`.
struct SweepPoint {
  size_t count;
  size_t block_bytes;
  double raw;
  double loop;
  double batch;
};

/// The questions. Each adds its rows as it finds them.
void ask_latency(const Setup& setup);
void ask_bandwidth(const Setup& setup);
void ask_batch(const Setup& setup);
void ask_pageable(const Setup& setup);
void ask_growth(const Setup& setup);
void ask_streams(const Setup& setup);

/// What the plot shows: loop, batch and raw copies over block sizes and counts, host to device.
/// Needs a product that has batch copies.
std::vector<SweepPoint> sweep(const Setup& setup);

/// Resident memory, in MiB, that starting the runtime and setting device 0 adds to a process. To be
/// called before this process uses the library: a child does it. Negative when it failed.
double measure_idle_mebibytes();

/// The speed of the first contender against the fastest of those from `first_raw` on.
Row speed_row(const std::string& what, size_t bytes, const std::vector<Contender>& contenders,
              const Times& times, size_t first_raw);

/// GB/s of the median of `seconds`.
double speed_of(size_t bytes, const std::vector<double>& seconds);

}  // namespace ferry::bench
