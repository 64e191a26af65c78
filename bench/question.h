// SPDX-License-Identifier: Apache-2.0
// What the questions have in common: their inputs, and how times become rows.
#pragma once

#include "bench/bench.h"
#include "bench/measuring_child.h"
#include "bench/ping_pong.h"
#include "bench/race.h"
#include "bench/raw/thread_team.h"
#include "bench/row.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ferry::bench {

namespace fabric {
class Link;
}

/// The first runs without the checker, the others with it.
using CheckChildren = std::vector<std::unique_ptr<MeasuringChild>>;
/// Must be called before this process uses the library.
CheckChildren start_check_children();

/// The inputs of every question.
struct Setup {
  Pace pace;
  Effort effort;
  ThreadTeam& team;
  double idle_mebibytes;                // resident memory of an idle runtime; negative: unknown
  const CheckChildren& check_children;  // empty when no requested question needs them
  PingPong* ping_pong;                  // nullptr likewise
  fabric::Link* fabric;                 // nullptr likewise
  std::function<void(const Row&)> add;
  std::function<void(const std::string&)> show_progress;
};

/// One point of the plot: GB/s of each way for `count` blocks of `block_bytes`.
struct SweepPoint {
  std::string panel;  // its title
  size_t count;
  size_t block_bytes;
  std::vector<double> speeds;  // in the order of the ways
};

/// The contents of the plot. Points of one panel are adjacent, smallest block first.
struct Sweep {
  struct Way {
    const char* key;  // in JSON
    const char* name;
    const char* colour;
  };
  std::string title;
  std::vector<Way> ways;
  std::vector<SweepPoint> points;
};

/// A question adds its rows as it measures them; they are printed under the heading.
struct Question {
  std::string name;
  std::string heading;
  std::function<void(const Setup&)> ask;
};

/// The questions for one kind of device.
struct Suite {
  std::string kind;    // "CPU", "CUDA"
  std::string device;  // a description; "" when the machine's is enough
  std::vector<Question> questions;
  std::function<Sweep(const Setup&)> sweep;  // requires a product that has batch copies
};
Suite cpu_suite();

/// The resident memory, in MiB, that starting the runtime and setting device 0 adds to a process,
/// measured in a child. Must be called before this process uses the library. Negative on failure.
double measure_idle_mebibytes();

/// The speed of the first contender relative to the fastest of those from `first_raw` on.
Row speed_row(const std::string& what, size_t bytes, const std::vector<Contender>& contenders,
              const Times& times, size_t first_raw);

/// GB/s, from the median of `seconds`.
double speed_of(size_t bytes, const std::vector<double>& seconds);

/// "512", "4K", "1M".
std::string block_text(size_t bytes);

/// The only row of a question that does not apply.
Row skipped_row(const std::string& why);
constexpr const char* kNoBatches = "this product has no batch copies (207000)";

}  // namespace ferry::bench
