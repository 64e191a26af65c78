// SPDX-License-Identifier: Apache-2.0
// ferry replay: the command line.
#include "commands.h"
#include "environment.h"
#include "help.h"
#include "replay/as_batch.h"
#include "replay/measure.h"
#include "replay/plan.h"
#include "replay/predict.h"
#include "replay/profile.h"
#include "replay/replay_text.h"
#include "text.h"
#include "trace/reader.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry::tools {
namespace {

using replay::Measurement;
using replay::Plan;
using replay::ReplayReport;
using trace::Direction;

constexpr const char* kReplayName = "ferry replay";
constexpr const char* kReplayFooter =
    "What it does: it executes the copies, fills, events and synchronisations of a\n"
    "trace again, with the recorded sizes, streams, threads and order, on the devices\n"
    "of FERRY_DEVICES. The contents of the copies are not those of the program.\n"
    "Kernels, host functions, notifies and copies with addresses in device memory are\n"
    "left out and counted. Directions are also run alone, for their GB/s.\n"
    "\n"
    "Recorded time: as long as a call or its work was being executed; with --pace\n"
    "recorded, from the first call to the end of the last work.\n"
    "\n"
    "Examples:\n"
    "  ferry replay out.json                       recorded and replayed time\n"
    "  ferry replay out.json --as batch            what would batches gain?\n"
    "  ferry replay out.json --devices cuda        the same copies on a GPU\n"
    "  ferry replay out.json --on npu.json         how long would it take there?\n"
    "  ferry replay out.json --pace recorded       also the time between the calls\n"
    "\n"
    "Exit code: 0; 1 when the file cannot be replayed, a call failed, or, with\n"
    "--verify, a byte was wrong; 2 wrong usage.";

struct ReplayOptions {
  Settings settings;
  std::string file;
  std::string as;
  std::string on;
  std::string pace = "none";
  uint32_t rounds = 9;
  bool wants_json = false;
  bool verifies = false;
};

std::string devices_text() {
  const char* devices = std::getenv("FERRY_DEVICES");
  return devices == nullptr || *devices == '\0' ? "cpu" : devices;
}

std::vector<Direction> directions_of(const Plan& plan) {
  std::vector<Direction> directions;
  for (const Direction direction : {Direction::kHostToDevice, Direction::kDeviceToHost,
                                    Direction::kDeviceToDevice, Direction::kHostToHost}) {
    if (replay::bytes_in(plan, direction) > 0) directions.push_back(direction);
  }
  return directions;
}

// Runs directions alone when there are several; with one, the whole plan is that.
std::string run_directions(const Plan& plan, const replay::MeasureSettings& settings,
                           ReplayReport& report) {
  const std::vector<Direction> directions = directions_of(plan);
  if (directions.size() == 1) {
    report.as_recorded.alone_ns.emplace_back(directions.front(),
                                             report.as_recorded.total.median_ns);
    return {};
  }
  for (const Direction direction : directions) {
    const Plan part = replay::only(plan, direction);
    std::vector<Measurement> results;
    if (std::string wrong = replay::measure({&part}, settings, results); !wrong.empty())
      return wrong;
    report.as_recorded.alone_ns.emplace_back(direction, results.front().median_ns);
  }
  return {};
}

std::string run_plans(const ReplayOptions& options, const Plan& plan, const Plan* batch_plan,
                      ReplayReport& report) {
  replay::MeasureSettings settings;
  settings.rounds = options.rounds;
  settings.keeps_pauses = report.keeps_pauses;
  settings.verifies = options.verifies;
  std::vector<const Plan*> plans{&plan};
  if (batch_plan != nullptr) plans.push_back(batch_plan);
  std::vector<Measurement> results;
  if (std::string wrong = replay::measure(plans, settings, results); !wrong.empty()) return wrong;
  report.as_recorded.total = std::move(results.front());
  if (batch_plan != nullptr) report.as_batch = std::move(results.back());
  settings.verifies = false;
  settings.keeps_pauses = false;
  return run_directions(plan, settings, report);
}

void predict_plans(const replay::Profile& profile, ReplayReport& report) {
  const Plan& plan = *report.plan;
  report.as_recorded.total.median_ns = replay::predict(plan, profile, report.keeps_pauses).total;
  if (report.batch_plan != nullptr) {
    report.as_batch.median_ns =
        replay::predict(*report.batch_plan, profile, report.keeps_pauses).total;
  }
  for (const Direction direction : directions_of(plan)) {
    const double ns = replay::predict(replay::only(plan, direction), profile).total;
    report.as_recorded.alone_ns.emplace_back(direction, ns);
  }
}

int fail_with(const std::string& text) {
  complain(kReplayName, text);
  return kExitFailure;
}

int run_replay(const ReplayOptions& options) {
  // First, because it is the smaller file.
  replay::Profile profile;
  if (!options.on.empty()) {
    if (const std::string wrong = replay::load_profile(options.on, profile); !wrong.empty())
      return fail_with(wrong);
  }
  trace::Trace trace;
  if (const std::string wrong = trace::read_trace(options.file, trace); !wrong.empty())
    return fail_with(wrong);
  std::string wrong;
  const Plan plan = replay::make_plan(trace, wrong);
  if (!wrong.empty()) return fail_with(fmt::format("{}: {}", options.file, wrong));
  trace = {};
  Plan batch_plan;
  if (options.as == "batch") batch_plan = replay::as_batch(plan);
  const Plan* const batch = options.as == "batch" ? &batch_plan : nullptr;

  ReplayReport report;
  report.file = options.file;
  report.where = devices_text();
  report.keeps_pauses = options.pace == "recorded";
  report.plan = &plan;
  report.batch_plan = batch;
  if (options.on.empty()) {
    wrong = run_plans(options, plan, batch, report);
    if (!wrong.empty()) return fail_with(wrong);
  } else {
    report.where = fmt::format("{} of {}", profile.device, options.on);
    report.is_predicted = true;
    predict_plans(profile, report);
  }
  fmt::print("{}", options.wants_json ? replay::json_of(report) : replay::text_of(report));
  return kExitSuccess;
}

}  // namespace

Command add_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command =
      app.add_subcommand("replay", "Execute the copies of a trace again, and compare the times");
  command->formatter(help_with_usage("ferry replay FILE [options]"));
  command->add_option("file", options->file, "The trace")->required();
  command
      ->add_option("--as", options->as,
                   "batch: also with small copies in batches, and what that gains")
      ->type_name("WAY")
      ->check(CLI::IsMember({"batch"}).description(""));
  command
      ->add_option("--on", options->on,
                   "Predict the times with a profile of ferry bench --profile instead of running")
      ->type_name("PROFILE");
  command
      ->add_option("--pace", options->pace,
                   "none: call after call; recorded: with the program's time between them (none)")
      ->type_name("PACE")
      ->check(CLI::IsMember({"none", "recorded"}).description(""));
  command->add_option("--rounds", options->rounds, "Runs, of which the median counts (9)")
      ->type_name("N")
      ->check(CLI::Range(1U, 100000U).description(""));
  command->add_flag("--verify", options->verifies,
                    "Compare every byte with a run in which each copy waits for the one before");
  command->add_flag("--json", options->wants_json, "Print JSON");
  options->settings.add_to(*command);
  command->footer(kReplayFooter);
  return {command, [options] {
            const int refused = options->settings.apply_and_check(kReplayName);
            return refused != kExitSuccess ? refused : run_replay(*options);
          }};
}

}  // namespace ferry::tools
