// SPDX-License-Identifier: Apache-2.0
// Findings and their output: reported once per place, then only counted; as text on standard error
// and, on request, as JSON in a file.
#pragma once

#include "base/error.h"
#include "layers/check/report/site.h"

#include "acl/acl_base_rt.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::layers::check {

enum class Severity : uint8_t { kError, kNote };

constexpr const char* name_of(Severity severity) {
  return severity == Severity::kError ? "error" : "note";
}

// The properties shared by all findings of a rule.
struct RuleInfo {
  const char* name = "";
  Severity severity = Severity::kError;
  bool is_muted_by_default = false;
  const char* summary = "";         // one sentence: what it reports
  const char* advice = "";          // what to do about it
  const char* pytorch_advice = "";  // the same in terms of PyTorch, where they differ
  aclError codes[3] = {};           // that a call may return because of it; 0 for none
};

// A place involved in a finding.
struct Place {
  std::string role;  // "the memory was freed by thread 4711", "the copy was queued"
  SiteId site = kNoSite;
};

struct Finding {
  const RuleInfo* rule = nullptr;
  std::string sentence;       // what happened, in the caller's terms
  std::vector<Place> places;  // where it happened, then the other places
  std::string advice;         // replaces the rule's own where more can be said
  aclError code = 0;          // returned by the call, if the finding explains a failing call
};

// The requested options. Every member has a default, so that designated initialisers can omit some.
struct ReportOptions {
  std::vector<std::string> rules{};  // only these; empty: all
  std::vector<std::string> muted{};  // excluded
  std::string file{};                // JSON report; "" for none; %p is replaced by the process id
  std::string suppressions{};        // path of a suppressions file; "" for none
  std::string schedule{};  // the schedule that reproduces the run: "lazy", "shuffle:7", "eager"
};

// How much was checked. Counted by the layer and by World; relaxed, because the numbers are only
// shown.
struct Extent {
  std::atomic<uint64_t> calls{0};
  std::atomic<uint64_t> streams{0};
};
extern Extent extent;

// How often a rule has fired.
struct RuleCount {
  const RuleInfo* rule = nullptr;
  uint64_t findings = 0;     // including repeated, excluding suppressed ones
  uint64_t unexplained = 0;  // of them: those that explain no code a call has returned
  uint64_t places = 0;       // distinct ones; counted up to a limit
};

// Returns what is wrong with the options (an unknown rule, an unreadable file).
Problem open_reports(const ReportOptions& options, std::span<const RuleInfo* const> rules);
// Whether the rule is enabled. Cheap.
bool is_wanted(const RuleInfo& rule);
// May be called from any thread, with or without World's lock: a thread of our own reports and
// counts it.
void report(const Finding& finding);
// Gets every finding too, on the thread that reports it; nullptr: nobody. World's lock may be held:
// it must not call the API or wait for a thread that does.
using FindingSink = void (*)(const RuleInfo& rule, const char* sentence);
void set_finding_sink(FindingSink sink);
// Waits, for a limited time, until everything reported so far has been written. Cheap when it has.
// Call without locks, before the program continues: it may crash.
void await_told();
// The following functions wait for that themselves.
// Findings of severity error so far, excluding suppressed ones.
uint64_t error_count();
std::vector<RuleCount> rule_counts();
// The JSON report as of now, whether a file was requested or not; "" while the check is off.
std::string current_report();
// Writes the summary at the end of the program, and completes the JSON file. Idempotent.
void close_reports();
// The end of a program that made no call, so that nothing was opened: says so, and writes the JSON
// file if no other process has. `has_children`: it started processes, which report for themselves.
void report_silence(const ReportOptions& options, bool has_children);

}  // namespace ferry::layers::check
