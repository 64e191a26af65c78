// SPDX-License-Identifier: Apache-2.0
// ferry bench: the command line. The benchmarks are a separate library (bench/), which ./run does
// not build.
#include "bench/bench.h"

#include "commands.h"
#include "environment.h"
#include "help.h"
#include "replay/measure_profile.h"
#include "text.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace ferry::tools {
namespace {

constexpr const char* kBenchName = "ferry bench";
constexpr const char* kBenchFooter =
    "Questions:\n"
    "  latency    what does one small copy cost, and what does it cost to queue it?\n"
    "  bandwidth  does a large copy reach what the memory allows?\n"
    "  batch      are thousands of scattered blocks as fast as raw copies of them?\n"
    "  pageable   and from memory that is not pinned?\n"
    "  growth     does a copy cost more when more allocations or streams are alive?\n"
    "  streams    what does it cost to order one stream after another?\n"
    "  check      what do copies cost under the checker?\n"
    "  trace      what does recording add to a copy?\n"
    "  predict    does ferry replay --on predict what ferry replay measures?\n"
    "  descriptor are copies inside a GPU as fast by descriptor, and row by row?\n"
    "  fabric     is memory of another host as fast as UCX itself? (only by name)\n"
    "CPU devices answer all but descriptor, GPUs all but growth, streams, check,\n"
    "trace, predict and fabric.\n"
    "\n"
    "How to read it: every line is measured against a baseline in the same run, in\n"
    "turns, round by round: memcpy and non-temporal stores on one and on all cores,\n"
    "or PoCL where OpenCL is installed; for a GPU one large copy, a loop of\n"
    "cudaMemcpyAsync, and cudaMemcpyBatchAsync; for memory of another host loops of\n"
    "UCX's own calls. The ratio is the median over the\n"
    "rounds, the spread half the interquartile distance. Run it on an idle machine; a\n"
    "spread of more than 5 % means that it is not idle. Every byte is compared.\n"
    "\n"
    "Examples:\n"
    "  ferry bench                              all questions, two minutes\n"
    "  ferry bench latency streams              two of them\n"
    "  ferry bench --check                      exit code 1 when a target is missed\n"
    "  ferry bench --json out.json              the same, machine-readable\n"
    "  ferry bench batch --plot batch.svg       speed over block size and count\n"
    "  ferry bench --quick                      only to see that it runs\n"
    "  ferry bench latency --threads 1          with one copy thread\n"
    "  ferry bench --profile cpu.json           what replays are predicted with\n"
    "  ferry bench --devices cuda --check       the first GPU, in less than a minute\n"
    "  ferry bench fabric --local               two processes of this machine\n"
    "  ferry bench fabric --listen 10.0.0.2     on one host, and on the other:\n"
    "  ferry bench fabric --peer 10.0.0.2       two hosts\n"
    "\n"
    "Exit code: 0; 1 when a byte was wrong, a call failed, or, with --check, a target\n"
    "was missed; 2 wrong usage.";

struct BenchOptions {
  Settings settings;
  bench::Options bench;
  std::string profile_path;
  bool is_quick = false;
  bool wants_check = false;
};

// Rebuilds the command line for the report; CLI11 keeps no copy.
std::string command_text(const CLI::App& command, const BenchOptions& options) {
  std::string text = kBenchName;
  for (const std::string& question : options.bench.questions)
    text += " " + question;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->count() == 0) continue;
    text += " " + option->get_name();
    if (option->get_items_expected_max() == 0) continue;
    for (const std::string& value : option->results())
      text += " " + value;
  }
  return text;
}

int run_bench(const bench::Options& options) {
  // Stays loaded: the runtime's threads may still execute its code when the program ends.
  void* const library = dlopen(bench::kLibraryName, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    complain(kBenchName,
             fmt::format("the benchmarks cannot be loaded: {}. In a build folder, build the target "
                         "ferry_bench first, with the preset release",
                         reason != nullptr ? reason : "no reason given"));
    return kExitFailure;
  }
  const auto entry = reinterpret_cast<bench::Entry>(dlsym(library, bench::kEntryName));
  if (entry == nullptr) {
    complain(kBenchName, fmt::format("{} is not Ferry's", bench::kLibraryName));
    return kExitFailure;
  }
  return entry(&options);
}

int write_profile(const std::string& path) {
  replay::Profile profile;
  const std::string wrong = replay::measure_profile_to(path, {}, profile);
  if (!wrong.empty()) {
    complain(kBenchName, wrong);
    return kExitFailure;
  }
  fmt::print("{}: a profile of {}; use it with ferry replay TRACE --on {}\n", path, profile.device,
             path);
  return kExitSuccess;
}

void add_fabric_options(CLI::App& command, bench::Options& options) {
  CLI::Option* local =
      command.add_flag("--local", options.is_local, "fabric: start the peer on this machine");
  CLI::Option* peer =
      command
          .add_option("--peer", options.peer, "fabric: measure with the peer that listens there")
          ->type_name("HOST[:PORT]")
          ->excludes(local);
  command
      .add_option("--listen", options.listen,
                  "fabric: be that peer, until interrupted; answers whoever connects")
      ->type_name("HOST[:PORT]")
      ->excludes(local)
      ->excludes(peer);
}

// "" when the options of the question fabric fit the questions.
std::string wrong_fabric_options(const bench::Options& options) {
  const std::vector<std::string>& names = options.questions;
  const bool is_asked =
      std::find(names.begin(), names.end(), bench::kFabricQuestion) != names.end();
  const bool has_option = options.is_local || !options.peer.empty() || !options.listen.empty();
  if (is_asked && !has_option) return "fabric needs a peer: --local, --peer HOST or --listen HOST";
  if (has_option && !is_asked) return "--local, --peer and --listen belong to the question fabric";
  return {};
}

}  // namespace

Command add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure how fast copies are, against raw copies and PoCL");
  command->formatter(help_with_usage("ferry bench [QUESTION...] [options]"));
  command->add_option("question", options->bench.questions, "What to measure (all questions)")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(bench::kQuestionNames),
                                                     std::end(bench::kQuestionNames)))
                  .description(""));
  CLI::Option* check =
      command->add_flag("--check", options->wants_check, "Exit with 1 when a target is missed");
  command
      ->add_option("--json", options->bench.json_path,
                   "Write the results as JSON; - writes them to standard output and nothing else")
      ->type_name("FILE");
  command
      ->add_option("--plot", options->bench.plot_path,
                   "Draw speed over block size and count as SVG; measures that too")
      ->type_name("FILE");
  command
      ->add_flag("--quick", options->is_quick,
                 "Small sizes and few rounds, to try it out; without targets")
      ->excludes(check);
  command
      ->add_option("--profile", options->profile_path,
                   "Instead of all this, write what device 0 can do, for ferry replay --on")
      ->type_name("FILE");
  add_fabric_options(*command, options->bench);
  options->settings.add_to(*command);
  command->footer(kBenchFooter);
  return {command, [command, options] {
            const int refused = options->settings.apply_and_check(kBenchName);
            if (refused != kExitSuccess) return refused;
            if (!options->profile_path.empty()) return write_profile(options->profile_path);
            bench::Options& bench = options->bench;
            const std::string wrong = wrong_fabric_options(bench);
            if (!wrong.empty()) {
              complain(kBenchName, wrong);
              return kExitUsage;
            }
            bench.effort = options->is_quick ? bench::Effort::kQuick : bench::Effort::kFull;
            bench.on_miss = options->wants_check ? bench::OnMiss::kFail : bench::OnMiss::kReport;
            bench.command = command_text(*command, *options);
            return run_bench(bench);
          }};
}

}  // namespace ferry::tools
