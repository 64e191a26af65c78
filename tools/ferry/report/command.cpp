// SPDX-License-Identifier: Apache-2.0
// ferry report: what a trace says, on the terminal, as a page or for other programs.
#include "advice/advice_json.h"
#include "commands.h"
#include "help.h"
#include "page/extras.h"
#include "page/page.h"
#include "report/advising.h"
#include "report/diff.h"
#include "report/findings.h"
#include "report/json.h"
#include "report/measure.h"
#include "report/print.h"
#include "report/summary.h"
#include "text.h"
#include "trace/reader.h"
#include "trace/symbols.h"
#include "trace/trace.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ferry::tools {
namespace {

constexpr const char* kReportName = "ferry report";
constexpr const char* kReportFooter =
    "Record a trace first: ferry run --trace out.json -- ./my_program\n"
    "\n"
    "Examples:\n"
    "  ferry report out.json                what was copied, how fast, what waited\n"
    "  ferry report --html out.html out.json   a page with a timeline, for a browser\n"
    "  ferry report --top 50 out.json       more streams, call sites and gaps\n"
    "  ferry report --json out.json         for other programs\n"
    "  ferry report --diff old.json new.json   what has changed\n"
    "  ferry report findings.json           what ferry run --check wrote there\n"
    "\n"
    "\"of limit\" compares with what large copies reach on this machine. They are\n"
    "measured while the report is made, about a second. --no-limit does without;\n"
    "--profile takes them from a file that ferry bench --profile has written.\n"
    "Call sites have lines when the program was built with -g and is still there.\n"
    "\n"
    "Exit code: 0; 1 when a file cannot be read or written; 2 wrong usage.";

struct ReportOptions {
  std::vector<std::string> files;
  std::string html;
  std::string profile;
  size_t top = 10;
  bool wants_json = false;
  bool wants_diff = false;
  bool wants_no_limit = false;
};

int fail_report(const std::string& text, int code = kExitFailure) {
  complain(kReportName, text);
  return code;
}

report::Summary summary_of(const trace::Trace& trace, const report::Limits& limits) {
  trace::Symbols symbols(trace);
  const report::PlaceOf place_of = [&symbols](uint64_t address) {
    trace::Symbol symbol = symbols.of_call(address);
    report::Place place;
    place.address = address;
    place.function = std::move(symbol.function);
    place.file = std::move(symbol.file);
    place.line = symbol.line;
    place.text = std::move(symbol.text);
    return place;
  };
  return report::summarize(trace, limits, place_of);
}

std::string find_limits(const ReportOptions& options, const trace::Trace& trace,
                        report::Limits& limits) {
  if (!options.profile.empty()) return report::read_limits(options.profile, limits);
  if (!options.wants_no_limit) limits = report::measure_limits(trace);
  return {};
}

int report_findings(const ReportOptions& options) {
  nlohmann::ordered_json findings;
  const std::string wrong = report::read_findings(options.files.front(), findings);
  if (!wrong.empty()) return fail_report(wrong);
  if (!options.html.empty()) return fail_report("--html needs a trace", kExitUsage);
  if (options.wants_json) {
    fmt::print("{}", report::dumped(findings));
  } else {
    report::print_findings(findings);
  }
  return kExitSuccess;
}

int report_trace(const ReportOptions& options) {
  const std::string& file = options.files.front();
  if (report::may_be_findings(file)) return report_findings(options);
  trace::Trace trace;
  if (const std::string wrong = trace::read_trace(file, trace); !wrong.empty()) {
    return fail_report(wrong);
  }
  report::Limits limits;
  if (const std::string wrong = find_limits(options, trace, limits); !wrong.empty()) {
    return fail_report(wrong);
  }
  const report::Summary summary = summary_of(trace, limits);
  const report::Advised advised = report::advise(trace, limits, options.profile);
  if (!advised.wrong.empty()) return fail_report(advised.wrong);
  if (!options.html.empty()) {
    const std::string wrong =
        page::write_page(trace, page::extras_of(trace, summary, advised.list), options.html);
    if (!wrong.empty()) return fail_report(fmt::format("{} {}", options.html, wrong));
    if (!options.wants_json) return kExitSuccess;
  }
  trace::Symbols symbols(trace);
  if (options.wants_json) {
    nlohmann::ordered_json json = report::json_of(file, trace, summary);
    json["advice"] = advice::advice_json(advised.list, report::name_of_site(symbols));
    fmt::print("{}", report::dumped(json));
  } else {
    report::print_report(trace, summary, options.top);
    report::print_advice(advised, symbols);
  }
  return kExitSuccess;
}

int report_differences(const ReportOptions& options) {
  trace::Trace traces[2];
  report::Summary summaries[2];
  for (size_t i = 0; i < 2; ++i) {
    const std::string wrong = trace::read_trace(options.files[i], traces[i]);
    if (!wrong.empty()) return fail_report(wrong);
    summaries[i] = summary_of(traces[i], {});
  }
  const report::Side before{options.files[0], traces[0], summaries[0]};
  const report::Side after{options.files[1], traces[1], summaries[1]};
  const std::vector<report::Difference> differences = report::differences_of(before, after);
  if (options.wants_json) {
    fmt::print("{}", report::dumped(report::json_of(before, after, differences)));
    return kExitSuccess;
  }
  fmt::print("before: {}\nafter:  {}\n", report::printable(before.file),
             report::printable(after.file));
  for (const report::Section& section : report::sections_of(differences, options.top))
    report::print_section(section);
  return kExitSuccess;
}

int run_report(const ReportOptions& options) {
  if (!options.wants_diff) {
    if (options.files.size() == 1) return report_trace(options);
    return fail_report("one FILE is expected; --diff compares two; see ferry report --help",
                       kExitUsage);
  }
  if (options.files.size() != 2) {
    return fail_report("--diff needs two files: ferry report --diff BEFORE AFTER", kExitUsage);
  }
  if (!options.html.empty()) return fail_report("--html shows one trace, not two", kExitUsage);
  return report_differences(options);
}

}  // namespace

Command add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Say what a trace shows: copies, rates, waits, idle times");
  command->formatter(help_with_usage("ferry report [options] FILE"));
  command
      ->add_option("FILE", options->files,
                   "A trace, also .gz or a folder with one, or a report of the checker")
      ->required();
  command->add_option("--html", options->html, "Write a page with a timeline to this file instead")
      ->type_name("PAGE");
  command->add_option("--top", options->top, "Rows of long tables; 10 unless given")
      ->type_name("N")
      ->check(CLI::Range(size_t{1}, size_t{1000000}).description(""));
  command->add_flag("--diff", options->wants_diff, "Compare two traces: before, after");
  command->add_flag("--json", options->wants_json, "Print JSON; docs/tracing.md has the members");
  CLI::Option* profile =
      command->add_option("--profile", options->profile,
                          "Take limits and gains of advice from a file of ferry bench --profile");
  command->add_flag("--no-limit", options->wants_no_limit, "Measure nothing on this machine")
      ->excludes(profile);
  command->footer(kReportFooter);
  return {command, [options] { return run_report(*options); }};
}

}  // namespace ferry::tools
