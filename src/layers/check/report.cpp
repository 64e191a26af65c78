// SPDX-License-Identifier: Apache-2.0
// Which findings are told: wanted rules, each place once, and none that is suppressed. How they
// look is decided in report_text.cpp and report_json.cpp.
#include "layers/check/report.h"

#include "layers/check/described.h"
#include "layers/check/report_json.h"
#include "layers/check/report_text.h"
#include "layers/check/suppressions.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace ferry::layers::check {
namespace {

constexpr uint64_t kMostPlaces = 200;       // of a rule that are told and kept
constexpr size_t kWrittenOneByOne = 100;    // findings after each of which the file is written
constexpr size_t kShareBeforeWriting = 10;  // later: once a tenth more has come

// The rule, and the sites of all places.
using Key = std::pair<const RuleInfo*, std::vector<SiteId>>;

Key key_of(const Finding& finding) {
  Key key{finding.rule, {}};
  for (const Place& place : finding.places)
    key.second.push_back(place.site);
  return key;
}

// One write for a whole report, so that those of several processes do not mix.
void write_to_stderr(std::string_view text) {
  constexpr int kPatienceMs = 1000;
  while (!text.empty()) {
    const ssize_t count = write(STDERR_FILENO, text.data(), text.size());
    if (count > 0) {
      text.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      // The program has made it non-blocking, and whoever reads is slow.
      pollfd writable{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
      if (poll(&writable, 1, kPatienceMs) <= 0) return;
    } else if (errno != EINTR) {
      return;  // a standard error that is closed has nowhere to say so
    }
  }
}

// May be shared between threads.
class Reports {
 public:
  std::string open(const ReportOptions& options, std::span<const RuleInfo* const> rules);
  bool is_wanted(const RuleInfo& rule) const;
  void add(const Finding& finding);
  uint64_t error_count() const { return errors_.load(std::memory_order_relaxed); }
  uint64_t unexplained_error_count() const { return unexplained_.load(std::memory_order_relaxed); }
  std::vector<RuleCount> counts();
  std::string json();
  void close();
  // A fork leaves the child a copy whose lock may be held by a thread that is not there.
  bool is_ours() const { return getpid() == owner_; }

 private:
  RuleTally& tally_of(const RuleInfo& rule);
  void count(const Finding& finding, RuleTally& tally, bool is_suppressed);
  void add_new(const Finding& finding, RuleTally& tally);
  Overview overview() const;
  void write_file();

  // Constant once open.
  pid_t owner_ = getpid();
  std::vector<const RuleInfo*> wanted_;
  Suppressions suppressions_;
  std::string schedule_;
  std::string folder_;
  std::string file_;

  std::atomic<uint64_t> errors_{0};
  std::atomic<uint64_t> unexplained_{0};    // of errors_: those without a code
  std::mutex mutex_;                        // guards all below
  std::vector<RuleTally> tallies_;          // one for each rule, in order
  std::vector<DescribedFinding> findings_;  // the places that are kept
  std::map<Key, size_t> known_;             // indices of findings_
  size_t written_ = 0;                      // findings in the file
  bool is_closed_ = false;
};

// Null until reports are opened; leaked, because threads may report until the process ends.
std::atomic<Reports*> current{nullptr};

Reports* reports() {
  Reports* found = current.load(std::memory_order_acquire);
  return found != nullptr && found->is_ours() ? found : nullptr;
}

bool contains(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns "" or which of the names is no rule.
std::string check_names(const char* variable, const std::vector<std::string>& names,
                        std::span<const RuleInfo* const> rules) {
  for (const std::string& name : names) {
    if (std::any_of(rules.begin(), rules.end(),
                    [&](const RuleInfo* rule) { return name == rule->name; })) {
      continue;
    }
    std::string text =
        std::string(variable) + " names \"" + name + "\", which is no rule; rules are";
    for (const RuleInfo* rule : rules)
      text.append(" ").append(rule->name);
    return text;
  }
  return {};
}

// The path with the process id in it, independent of the folder the program will be in.
std::string full_path(std::string path) {
  for (size_t at = path.find("%p"); at != std::string::npos; at = path.find("%p", at)) {
    path.replace(at, 2, std::to_string(getpid()));
  }
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed);
  if (failed) return path;
  // A link is followed now, so that what it leads to is replaced and not the link.
  const std::filesystem::path target = std::filesystem::weakly_canonical(full, failed);
  return failed ? full.string() : target.string();
}

// Returns "" or why the report cannot be written there.
std::string check_file(const std::string& path) {
  const std::string start = "FERRY_REPORT names " + path + ", ";
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return start + "which is no ordinary file";
    if (access(path.c_str(), W_OK) != 0) return start + "which cannot be written";
  }
  // It is replaced as a whole, so what counts is its folder.
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return start + "in a folder that cannot be written to: " + std::strerror(errno);
}

std::string Reports::open(const ReportOptions& options, std::span<const RuleInfo* const> rules) {
  std::string wrong = check_names("FERRY_CHECK", options.rules, rules);
  if (wrong.empty()) wrong = check_names("FERRY_MUTE", options.muted, rules);
  if (!wrong.empty()) return wrong;
  for (const RuleInfo* rule : rules) {
    tallies_.push_back({.rule = rule});
    const bool is_asked_for =
        options.rules.empty() ? !rule->is_muted_by_default : contains(options.rules, rule->name);
    if (is_asked_for && !contains(options.muted, rule->name)) wanted_.push_back(rule);
  }
  if (!options.suppressions.empty()) {
    wrong = suppressions_.load(options.suppressions, rules);
    if (!wrong.empty()) return "FERRY_SUPPRESSIONS: " + wrong;
  }
  if (!options.file.empty()) {
    file_ = full_path(options.file);
    if (wrong = check_file(file_); !wrong.empty()) return wrong;
  }
  std::error_code ignored;
  folder_ = std::filesystem::current_path(ignored).string();
  schedule_ = options.schedule;
  return {};
}

bool Reports::is_wanted(const RuleInfo& rule) const {
  return std::find(wanted_.begin(), wanted_.end(), &rule) != wanted_.end();
}

RuleTally& Reports::tally_of(const RuleInfo& rule) {
  return *std::find_if(tallies_.begin(), tallies_.end(),
                       [&](const RuleTally& tally) { return tally.rule == &rule; });
}

void Reports::count(const Finding& finding, RuleTally& tally, bool is_suppressed) {
  if (is_suppressed) {
    ++tally.suppressed;
    return;
  }
  ++tally.findings;
  if (tally.rule->severity != Severity::kError) return;
  errors_.fetch_add(1, std::memory_order_relaxed);
  if (finding.code == ACL_SUCCESS) unexplained_.fetch_add(1, std::memory_order_relaxed);
}

void Reports::add(const Finding& finding) {
  if (!is_wanted(*finding.rule)) return;
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  RuleTally& tally = tally_of(*finding.rule);
  const auto known = known_.find(key_of(finding));
  if (known == known_.end()) {
    add_new(finding, tally);
    return;
  }
  DescribedFinding& earlier = findings_[known->second];
  ++earlier.count;
  count(finding, tally, earlier.is_suppressed);
}

void Reports::add_new(const Finding& finding, RuleTally& tally) {
  if (tally.is_full && suppressions_.is_empty()) {
    count(finding, tally, false);
    return;
  }
  DescribedFinding described = describe(finding);
  if (const std::string* reason = suppressions_.reason_for(described)) {
    described.is_suppressed = true;
    described.reason = *reason;
  }
  count(finding, tally, described.is_suppressed);
  if (tally.is_full) return;
  if (!described.is_suppressed) {
    ++tally.places;
    write_to_stderr(finding_text(described, folder_, style_of_stderr()));
  }
  known_.emplace(key_of(finding), findings_.size());
  findings_.push_back(std::move(described));
  const auto kept = static_cast<uint64_t>(
      std::count_if(findings_.begin(), findings_.end(),
                    [&](const DescribedFinding& other) { return other.rule == tally.rule; }));
  if (kept >= kMostPlaces) {
    tally.is_full = true;
    write_to_stderr(enough_text(*tally.rule, tally.places, style_of_stderr()));
  }
  if (findings_.size() <= kWrittenOneByOne ||
      findings_.size() >= written_ + written_ / kShareBeforeWriting) {
    write_file();
  }
}

Overview Reports::overview() const {
  return {.schedule = schedule_,
          .folder = folder_,
          .file = file_,
          .is_complete = is_closed_,
          .findings = findings_,
          .tallies = tallies_};
}

void Reports::write_file() {
  if (file_.empty()) return;
  written_ = findings_.size();
  if (replace_file(file_, report_json(overview()))) return;
  write_to_stderr("ferry: the report " + file_ + " cannot be written: " + std::strerror(errno) +
                  "\n");
}

std::vector<RuleCount> Reports::counts() {
  const std::lock_guard lock(mutex_);
  std::vector<RuleCount> counts;
  for (const RuleTally& tally : tallies_) {
    counts.push_back({.rule = tally.rule, .findings = tally.findings, .places = tally.places});
  }
  return counts;
}

std::string Reports::json() {
  const std::lock_guard lock(mutex_);
  return report_json(overview());
}

void Reports::close() {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  is_closed_ = true;
  write_file();
  std::string text = summary_text(overview(), style_of_stderr());
  const char* github = std::getenv("GITHUB_ACTIONS");
  if (github != nullptr && std::string_view(github) == "true") {
    text += github_annotations(overview());
  }
  write_to_stderr(text);
}

}  // namespace

std::string open_reports(const ReportOptions& options, std::span<const RuleInfo* const> rules) {
  auto opened = std::make_unique<Reports>();
  std::string wrong = opened->open(options, rules);
  if (!wrong.empty()) return wrong;
  // Kept for ever: other threads may be inside. Opening again, as tests do, keeps the one before.
  static auto* kept = new std::vector<std::unique_ptr<Reports>>;
  kept->push_back(std::move(opened));
  current.store(kept->back().get(), std::memory_order_release);
  return {};
}

bool is_wanted(const RuleInfo& rule) {
  const Reports* found = current.load(std::memory_order_acquire);
  return found != nullptr && found->is_wanted(rule);
}

void report(const Finding& finding) {
  if (Reports* found = reports()) found->add(finding);
}

uint64_t error_count() {
  const Reports* found = reports();
  return found != nullptr ? found->error_count() : 0;
}

uint64_t unexplained_error_count() {
  const Reports* found = reports();
  return found != nullptr ? found->unexplained_error_count() : 0;
}

std::vector<RuleCount> rule_counts() {
  Reports* found = reports();
  return found != nullptr ? found->counts() : std::vector<RuleCount>();
}

std::string current_report() {
  Reports* found = reports();
  return found != nullptr ? found->json() : std::string();
}

void close_reports() {
  if (Reports* found = reports()) found->close();
}

}  // namespace ferry::layers::check
