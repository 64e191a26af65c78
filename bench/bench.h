// SPDX-License-Identifier: Apache-2.0
// The entry point of the benchmarks and its options. The command line is in tools/ferry/bench.cpp,
// the questions are in questions/.
#pragma once

#include <string>
#include <vector>

namespace ferry::bench {

/// All question names. Which of them apply depends on the kind of device.
constexpr const char* kQuestionNames[] = {"latency", "bandwidth",  "batch",   "pageable", "growth",
                                          "memory",  "streams",    "capture", "check",    "trace",
                                          "predict", "descriptor", "fabric"};
/// The question that needs a peer, and is asked only by name.
constexpr const char* kFabricQuestion = "fabric";

enum class Effort { kFull, kQuick };
enum class OnMiss { kReport, kFail };

struct Options {
  std::vector<std::string> questions;  // empty: all that apply to the device
  Effort effort = Effort::kFull;
  OnMiss on_miss = OnMiss::kReport;
  std::string json_path;  // "-": standard output, instead of the tables
  std::string plot_path;
  // Of the question `fabric`; at most one of the three is set, and exactly one when it is asked.
  std::string peer;       // where a peer listens
  std::string listen;     // be a peer, and measure nothing
  bool is_local = false;  // start a peer on this machine
  std::string command;    // as the user typed it; stored in the JSON
};

/// Measures and prints. Returns the exit code: 1 when a byte was wrong, a call failed, a file could
/// not be written, or a target was missed and `on_miss` says that this is a failure.
int run(const Options& options);

/// How `ferry bench` finds `run`: the benchmarks are a library of their own, which ./run does not
/// build.
constexpr const char* kLibraryName = "libferry_bench.so";
constexpr const char* kEntryName = "ferry_bench_run";
using Entry = int (*)(const Options* options);

}  // namespace ferry::bench
