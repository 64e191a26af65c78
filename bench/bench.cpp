// SPDX-License-Identifier: Apache-2.0
// One run: questions, results, files, exit code.
#include "bench/bench.h"

#include "bench/client.h"
#include "bench/cuda/suite.h"
#include "bench/fabric/link.h"
#include "bench/fabric/local_secret.h"
#include "bench/fabric/peer.h"
#include "bench/plot.h"
#include "bench/question.h"
#include "bench/report.h"
#include "bench/transfer.h"
#include "text.h"

#include "ferry/ferry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace ferry::bench {
namespace {

constexpr const char* kName = "ferry bench";

// A GPU is disturbed less than cores are, and is measured with many more shapes.
Pace pace_of(Effort effort, bool is_gpu) {
  if (effort == Effort::kQuick) return {3, 0.0005};
  return is_gpu ? Pace{9, 0.005} : Pace{25, 0.03};
}

bool is_on_gpu() {
  ferryDevice device{};
  check(ferryGetDevice(0, &device));
  return std::string_view(device.kind) == "cuda";
}

// Opened before anything is measured: minutes of work must not be lost to a mistyped path.
std::ofstream open_file(const std::string& path) {
  std::ofstream file;
  if (path.empty() || path == "-") return file;
  file.open(path);
  if (!file) throw std::runtime_error(path + ": cannot be written");
  return file;
}

void write_file(std::ofstream& file, const std::string& path, const std::string& text) {
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + ": could not be written");
}

bool is_wanted(const Options& options, const std::string& question) {
  const std::vector<std::string>& names = options.questions;
  return (names.empty() && question != kFabricQuestion) ||
         std::find(names.begin(), names.end(), question) != names.end();
}

// Throws when a requested question does not apply to this kind of device.
void require_answers(const Options& options, const Suite& suite) {
  std::vector<std::string> names;
  for (const Question& question : suite.questions)
    names.push_back(question.name);
  for (const std::string& name : options.questions) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw std::runtime_error(fmt::format("{} is not a question for {} devices; they answer {}",
                                         name, suite.kind, fmt::join(names, ", ")));
  }
}

// Asks one question and prints its rows as a table.
std::vector<Row> ask(const Question& question, const Options& options, Setup setup) {
  std::vector<Row> rows;
  setup.add = [&](const Row& row) {
    rows.push_back(row);
    rows.back().question = question.name;
    // Targets are for full sizes and enough rounds.
    if (setup.effort == Effort::kQuick) rows.back().target.reset();
  };
  setup.show_progress = [&](const std::string& text) {
    show_progress(question.name + ": " + text);
  };
  question.ask(setup);
  show_progress("");
  if (options.json_path != "-") print_rows(question, rows);
  return rows;
}

std::vector<Row> ask_all(const Suite& suite, const Options& options, const Setup& setup) {
  std::vector<Row> rows;
  for (const Question& question : suite.questions) {
    if (!is_wanted(options, question.name)) continue;
    const std::vector<Row> more = ask(question, options, setup);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

// The peer is a child that must be started before this process uses the library, or a process
// elsewhere.
std::unique_ptr<fabric::Link> find_peer(const Options& options) {
  if (!is_wanted(options, kFabricQuestion)) return nullptr;
  return options.is_local ? std::make_unique<fabric::Link>()
                          : std::make_unique<fabric::Link>(options.peer);
}

std::string subtitle_of(const Machine& machine) {
  return machine.device.empty() ? fmt::format("Ferry {} on {} cores of {}", ferryVersion(),
                                              machine.cores, machine.processor)
                                : fmt::format("Ferry {} on {}", ferryVersion(), machine.device);
}

int run_or_throw(const Options& options) {
  const bool is_quiet = options.json_path == "-";
  std::ofstream json = open_file(options.json_path);
  std::ofstream plot = open_file(options.plot_path);
  const double idle = is_wanted(options, "growth") ? measure_idle_mebibytes() : -1;
  const CheckChildren children =
      is_wanted(options, "check") ? start_check_children() : CheckChildren();
  const std::unique_ptr<PingPong> ping_pong =
      is_wanted(options, "memory") ? std::make_unique<PingPong>() : nullptr;
  std::optional<fabric::LocalSecret> secret;
  if (options.is_local) secret.emplace();
  const std::unique_ptr<fabric::Link> link = find_peer(options);
  const Session session;
  if (!options.plot_path.empty() && !has_batch_copies()) {
    throw std::runtime_error("--plot: this product has no batch copies (207000)");
  }
  ThreadTeam team;
  const bool is_gpu = is_on_gpu();
  const Suite suite = is_gpu ? cuda::suite(team, options.effort) : cpu_suite();
  require_answers(options, suite);
  const Setup setup{pace_of(options.effort, is_gpu),
                    options.effort,
                    team,
                    idle,
                    children,
                    ping_pong.get(),
                    link.get(),
                    {},
                    show_progress};
  const Machine machine = describe_machine(suite.device);

  if (!is_quiet) print_introduction(machine, setup.pace);
  const std::vector<Row> rows = ask_all(suite, options, setup);
  Sweep sweep;
  if (!options.plot_path.empty()) {
    sweep = suite.sweep(setup);
    show_progress("");
    write_file(plot, options.plot_path, plot_svg(sweep, subtitle_of(machine)));
  }
  const std::string text = json_text(options, machine, setup.pace, rows, sweep);
  if (is_quiet) {
    fmt::print("{}", text);
  } else {
    print_verdict(rows);
    if (!options.json_path.empty()) write_file(json, options.json_path, text);
  }
  const int code = exit_code(rows, options.on_miss);
  if (code != 0) {
    tools::complain(kName, fmt::format("missed {}", fmt::join(missed_of(rows), "; missed ")));
  }
  return code;
}

}  // namespace

int run(const Options& options) {
  try {
    if (!options.listen.empty()) fabric::listen_for_benchmarks(options.listen);
    return run_or_throw(options);
  } catch (const std::exception& error) {
    show_progress("");
    tools::complain(kName, error.what());
    return 1;
  }
}

}  // namespace ferry::bench

extern "C" __attribute__((visibility("default"))) int ferry_bench_run(
    const ferry::bench::Options* options) {
  return ferry::bench::run(*options);
}
