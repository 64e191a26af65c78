// SPDX-License-Identifier: Apache-2.0
// Findings, and where they go: once per place, counted after that, as text on standard error and,
// when asked for, into a file as JSON.
#pragma once

#include "base/error.h"
#include "layers/check/report/site.h"

#include "acl/acl_base_rt.h"

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

// What is the same for all findings of a rule.
struct RuleInfo {
  const char* name = "";
  Severity severity = Severity::kError;
  bool is_muted_by_default = false;
  const char* summary = "";  // one sentence: what it reports
  const char* advice = "";   // what to do about it
  aclError codes[3] = {};    // what a call may return because of it; 0 for none
};

// A place that has to do with a finding.
struct Place {
  std::string role;  // "the memory was freed by thread 4711", "the copy was queued"
  SiteId site = kNoSite;
};

struct Finding {
  const RuleInfo* rule = nullptr;
  std::string sentence;       // what happened, in the caller's terms
  std::vector<Place> places;  // where it happened first, then the other place
  std::string advice;         // instead of the rule's own, where more can be said
  aclError code = 0;          // what the call returned, when the finding explains a failing call
};

// What the environment asks for. Each member has a default, so that a few can be named.
struct ReportOptions {
  std::vector<std::string> rules{};  // only these; empty: all
  std::vector<std::string> muted{};  // none of these
  std::string file{};                // JSON report; "" for none; %p stands for the process id
  std::string suppressions{};        // path of a suppressions file; "" for none
  std::string schedule{};            // what reproduces the run: "lazy", "shuffle:7", "eager"
};

// How often a rule has fired.
struct RuleCount {
  const RuleInfo* rule = nullptr;
  uint64_t findings = 0;     // repeated ones included, suppressed ones excluded
  uint64_t unexplained = 0;  // of them: those that explain no code a call has returned
  uint64_t places = 0;       // distinct ones; counted up to a limit
};

// Returns what is wrong with the options (an unknown rule, an unreadable file).
Problem open_reports(const ReportOptions& options, std::span<const RuleInfo* const> rules);
// Whether anybody wants to hear of the rule. Cheap.
bool is_wanted(const RuleInfo& rule);
// May be called from any thread, with or without the lock of the world: it is told, and counted, by
// a thread of our own.
void report(const Finding& finding);
// Waits, not for ever, until all that was reported is told. Cheap when it is. To be called without
// locks, before the program goes on: it may crash.
void await_told();
// The following wait for that themselves.
// Findings of severity error so far, suppressed ones excluded.
uint64_t error_count();
std::vector<RuleCount> rule_counts();
// What the JSON file would say now, whether there is one or not; "" while the check is off.
std::string current_report();
// The summary at the end of the program, and the end of the JSON file. Idempotent.
void close_reports();

}  // namespace ferry::layers::check
