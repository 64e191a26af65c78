// SPDX-License-Identifier: Apache-2.0
// ferry report: what a trace says, on the terminal or for other programs.
#include "commands.h"
#include "help.h"
#include "page/extras.h"
#include "page/page.h"
#include "report/json.h"
#include "report/measure.h"
#include "report/print.h"
#include "report/summary.h"
#include "text.h"
#include "trace/reader.h"
#include "trace/trace.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace ferry::tools {
namespace {

constexpr const char* kReportName = "ferry report";
constexpr const char* kReportFooter =
    "Record a trace first: ferry run --trace out.json -- ./my_program\n"
    "\n"
    "Examples:\n"
    "  ferry report out.json                 what was copied, how fast, what waited\n"
    "  ferry report --top 50 out.json        more rows of streams, call sites and gaps\n"
    "  ferry report --json out.json          the same for other programs\n"
    "  ferry report --html out.html out.json   a page with a timeline, for a browser\n"
    "\n"
    "\"of limit\" compares with what large copies reach on this machine. They are measured while\n"
    "the report is made, which takes about a second; --no-limit does without.\n"
    "\n"
    "Exit code: 0 when the report was made, 1 when a file cannot be read or written.";

struct ReportOptions {
  std::string file;
  std::string page;  // "": none
  size_t top = 10;
  bool wants_json = false;
  bool wants_no_limit = false;
};

report::Place place_of(uint64_t address) {
  report::Place place;
  place.address = address;
  place.text = fmt::format("{:#x}", address);
  return place;
}

int report_trace(const ReportOptions& options) {
  trace::Trace trace;
  const std::string error = trace::read_trace(options.file, trace);
  if (!error.empty()) {
    complain(kReportName, error);
    return kExitFailure;
  }
  const report::Limits limits =
      options.wants_no_limit ? report::Limits() : report::measure_limits(trace);
  const report::Summary summary = report::summarize(trace, limits, place_of);
  if (!options.page.empty()) {
    const std::string wrong =
        page::write_page(trace, page::extras_of(trace, summary, {}), options.page);
    if (!wrong.empty()) {
      complain(kReportName, fmt::format("{} {}", options.page, wrong));
      return kExitFailure;
    }
    if (!options.wants_json) return kExitSuccess;
  }
  if (options.wants_json) {
    fmt::print("{}", report::dumped(report::json_of(options.file, trace, summary)));
  } else {
    report::print_report(trace, summary, options.top);
  }
  return kExitSuccess;
}

}  // namespace

Command add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Say what a trace shows: copies, rates, waits, idle times");
  command->formatter(help_with_usage("ferry report [options] FILE"));
  command->add_option("FILE", options->file, "A trace, plain or .gz, or a folder with one")
      ->required();
  command->add_option("--top", options->top, "Rows of long tables; 10 unless given")
      ->check(CLI::Range(size_t{1}, size_t{1000000}));
  command->add_flag("--json", options->wants_json, "Print JSON; docs/tracing.md has the members");
  command->add_option("--html", options->page, "Write a page with a timeline to this file instead")
      ->type_name("PAGE");
  command->add_flag("--no-limit", options->wants_no_limit, "Measure nothing on this machine");
  command->footer(kReportFooter);
  return {command, [options] { return report_trace(*options); }};
}

}  // namespace ferry::tools
