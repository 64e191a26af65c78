// SPDX-License-Identifier: Apache-2.0
// Selects the findings to report: enabled rules, each place once, none that is suppressed. The
// output is defined in report_text.cpp and report_json.cpp, its thread in finding_queue.cpp.
#include "layers/check/report/report.h"

#include "layers/check/report/command_line.h"
#include "layers/check/report/described.h"
#include "layers/check/report/finding_queue.h"
#include "layers/check/report/report_json.h"
#include "layers/check/report/report_text.h"
#include "layers/check/report/suppressions.h"

#include <poll.h>
#include <pthread.h>
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
#include <new>
#include <utility>

namespace ferry::layers::check {
namespace {

constexpr uint64_t kMostPlaces = 200;       // per rule, reported and kept
constexpr size_t kWrittenOneByOne = 100;    // up to here the file is rewritten after each finding
constexpr size_t kShareBeforeWriting = 10;  // beyond: after each further tenth

// The rule, and the sites of all places.
using FindingKey = std::pair<const RuleInfo*, std::vector<SiteId>>;

FindingKey key_of(const Finding& finding) {
  FindingKey key{finding.rule, {}};
  for (const Place& place : finding.places)
    key.second.push_back(place.site);
  return key;
}

bool explains_its_code(const Finding& finding) {
  const auto& codes = finding.rule->codes;
  return finding.code != ACL_SUCCESS && std::ranges::find(codes, finding.code) != std::end(codes);
}

// How often something was found.
struct Times {
  uint64_t all = 0;
  uint64_t unexplained = 0;  // not explained by a code that a call returned
};

// One write per report, so that the reports of several processes do not mix.
void write_to_stderr(std::string_view text) {
  constexpr int kPatienceMs = 1000;
  while (!text.empty()) {
    const ssize_t count = write(STDERR_FILENO, text.data(), text.size());
    if (count > 0) {
      text.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      // The program has made standard error non-blocking, and its reader is slow.
      pollfd writable{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
      if (poll(&writable, 1, kPatienceMs) <= 0) return;
    } else if (errno != EINTR) {
      return;  // standard error is closed: there is nowhere to report that
    }
  }
}

constexpr char kLost[] = "ferry: a finding could not be reported: host memory is exhausted\n";

// May be shared between threads.
class Reports {
 public:
  Problem open(const ReportOptions& options, std::span<const RuleInfo* const> rules);
  bool is_wanted(const RuleInfo& rule) const;
  void add(const Finding& finding);
  void await_told(FindingQueue::Patience patience) { queue_.await_told(patience); }
  std::vector<RuleCount> counts();
  std::string json();
  void close();

 private:
  RuleTally& tally_of(const RuleInfo& rule);
  void count(const Times& times, RuleTally& tally, bool is_suppressed);
  void tell(const Finding& finding);
  void keep(DescribedFinding described, const FindingKey& key, RuleTally& tally);
  Overview overview() const;
  bool is_file_old();
  void write_file();

  // Constant after open.
  std::vector<const RuleInfo*> wanted_;
  Suppressions suppressions_;
  std::string schedule_;
  std::string folder_;
  std::string file_;

  FindingQueue queue_;
  std::mutex writing_;  // held while the file is written; taken before mutex_
  // Protects all below. Held only briefly: a thread that holds World's lock may wait for it, so
  // nothing is looked up or written meanwhile.
  std::mutex mutex_;
  std::vector<RuleTally> tallies_;          // one per rule, in order
  std::map<FindingKey, Times> untold_;      // findings in the queue
  std::vector<DescribedFinding> findings_;  // the places reported and kept
  std::map<FindingKey, size_t> known_;      // indices into findings_
  size_t written_ = 0;                      // number of findings in the file
  bool is_closed_ = false;
};

// The report of a program that made no call, unless another process of the run has written one:
// `ferry run` empties the file before the program starts.
void write_silent_file(const Overview& overview) {
  struct stat status {};
  if (overview.file.empty()) return;
  if (stat(overview.file.c_str(), &status) == 0 && status.st_size > 0) return;
  if (replace_file(overview.file, report_json(overview))) return;
  write_to_stderr("ferry: the report " + overview.file +
                  " cannot be written: " + std::strerror(errno) + "\n");
}

// Null until reports are opened; leaked, because threads may report until the process ends.
std::atomic<Reports*> current{nullptr};

Reports* reports() {
  return current.load(std::memory_order_acquire);
}

// The child of a fork gets a copy whose lock may be held by a thread that does not exist there.
void forget_in_child() {
  current.store(nullptr, std::memory_order_release);
}

// Waits until everything found so far has been reported.
Reports* settled_reports() {
  Reports* found = reports();
  if (found != nullptr) found->await_told(FindingQueue::Patience::kAgain);
  return found;
}

bool contains(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns the name that is not a rule.
Problem check_names(const char* variable, const std::vector<std::string>& names,
                    std::span<const RuleInfo* const> rules) {
  for (const std::string& name : names) {
    if (std::any_of(rules.begin(), rules.end(),
                    [&](const RuleInfo* rule) { return name == rule->name; })) {
      continue;
    }
    std::string known;
    for (const RuleInfo* rule : rules)
      known.append(known.empty() ? "" : " ").append(rule->name);
    return std::make_unique<Error>(variable, Value::quoted(name.c_str()).after(" names "),
                                   ", which is no rule; rules are ", known);
  }
  return {};
}

// The path with the process id in it, independent of the program's later working directory.
std::string full_path(std::string path) {
  for (size_t at = path.find("%p"); at != std::string::npos; at = path.find("%p", at)) {
    path.replace(at, 2, std::to_string(getpid()));
  }
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed);
  if (failed) return path;
  // Resolves links now, so that the target is replaced and not the link.
  const std::filesystem::path target = std::filesystem::weakly_canonical(full, failed);
  return failed ? full.string() : target.string();
}

// Why the report cannot be written there.
Problem check_file(const std::string& path) {
  const auto wrong = [&](const std::string& detail) {
    return std::make_unique<Error>("FERRY_REPORT", Value(path.c_str()).after(" names "), detail);
  };
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return wrong(", which is no ordinary file");
    if (access(path.c_str(), W_OK) != 0) return wrong(", which cannot be written");
  }
  // The file is replaced as a whole, so its directory must be writable.
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return wrong(std::string(", in a folder that cannot be written to: ") + std::strerror(errno));
}

Problem Reports::open(const ReportOptions& options, std::span<const RuleInfo* const> rules) {
  if (Problem wrong = check_names("FERRY_CHECK", options.rules, rules)) return wrong;
  if (Problem wrong = check_names("FERRY_MUTE", options.muted, rules)) return wrong;
  for (const RuleInfo* rule : rules) {
    tallies_.push_back({.rule = rule});
    const bool is_asked_for =
        options.rules.empty() ? !rule->is_muted_by_default : contains(options.rules, rule->name);
    if (is_asked_for && !contains(options.muted, rule->name)) wanted_.push_back(rule);
  }
  if (!options.suppressions.empty()) {
    const std::string line = suppressions_.load(options.suppressions, rules);
    if (!line.empty()) {
      return std::make_unique<Error>("FERRY_SUPPRESSIONS", Value(), ": " + line);
    }
  }
  if (!options.file.empty()) {
    file_ = full_path(options.file);
    if (Problem wrong = check_file(file_)) return wrong;
  }
  std::error_code ignored;
  folder_ = std::filesystem::current_path(ignored).string();
  schedule_ = options.schedule;
  write_file();  // there even if the program ends in a way that calls no handlers
  // Last: once its thread runs, this must not be destroyed, as an exception would do.
  const Status opened = queue_.open([this](const Finding& finding) {
    try {
      tell(finding);
    } catch (const std::bad_alloc&) {
      write_to_stderr(kLost);
    }
  });
  // A shortage like that of memory: the next call of the process tries again.
  if (!opened.ok()) throw std::bad_alloc();
  return {};
}

bool Reports::is_wanted(const RuleInfo& rule) const {
  return std::find(wanted_.begin(), wanted_.end(), &rule) != wanted_.end();
}

RuleTally& Reports::tally_of(const RuleInfo& rule) {
  return *std::find_if(tallies_.begin(), tallies_.end(),
                       [&](const RuleTally& tally) { return tally.rule == &rule; });
}

void Reports::count(const Times& times, RuleTally& tally, bool is_suppressed) {
  if (is_suppressed) {
    tally.suppressed += times.all;
    return;
  }
  tally.findings += times.all;
  tally.unexplained += times.unexplained;
}

void Reports::add(const Finding& finding) {
  if (!is_wanted(*finding.rule)) return;
  const Times once{.all = 1, .unexplained = explains_its_code(finding) ? 0u : 1u};
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  RuleTally& tally = tally_of(*finding.rule);
  FindingKey key = key_of(finding);
  if (const auto known = known_.find(key); known != known_.end()) {
    DescribedFinding& earlier = findings_[known->second];
    ++earlier.count;
    count(once, tally, earlier.is_suppressed);
    return;
  }
  if (tally.is_full && suppressions_.is_empty()) {
    count(once, tally, false);
    return;
  }
  const auto [untold, is_first] = untold_.try_emplace(std::move(key));
  untold->second.all += once.all;
  untold->second.unexplained += once.unexplained;
  if (is_first) queue_.push(finding);
}

// Runs on the thread of the queue.
void Reports::tell(const Finding& finding) {
  DescribedFinding described = describe(finding);
  if (const std::string* reason = suppressions_.reason_for(described)) {
    described.is_suppressed = true;
    described.reason = *reason;
  }
  const TextStyle style = style_of_stderr();
  std::string text = described.is_suppressed ? "" : finding_text(described, folder_, style);
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return;
    const auto untold = untold_.extract(key_of(finding));
    RuleTally& tally = tally_of(*finding.rule);
    count(untold.mapped(), tally, described.is_suppressed);
    if (tally.is_full) return;
    described.count = untold.mapped().all;
    keep(std::move(described), untold.key(), tally);
    if (tally.is_full) text += enough_text(*tally.rule, tally.places, style);
  }
  write_to_stderr(text);
  if (is_file_old()) write_file();
}

void Reports::keep(DescribedFinding described, const FindingKey& key, RuleTally& tally) {
  if (!described.is_suppressed) ++tally.places;
  known_.emplace(key, findings_.size());
  findings_.push_back(std::move(described));
  const auto kept = static_cast<uint64_t>(
      std::count_if(findings_.begin(), findings_.end(),
                    [&](const DescribedFinding& other) { return other.rule == tally.rule; }));
  tally.is_full = kept >= kMostPlaces;
}

Overview Reports::overview() const {
  return {.schedule = schedule_,
          .folder = folder_,
          .file = file_,
          .again = is_closed_ ? command_to_repeat(command_line(), schedule_, environ) : "",
          .is_complete = is_closed_,
          .calls = extent.calls.load(std::memory_order_relaxed),
          .streams = extent.streams.load(std::memory_order_relaxed),
          .findings = findings_,
          .tallies = tallies_};
}

bool Reports::is_file_old() {
  const std::lock_guard lock(mutex_);
  const size_t found = findings_.size();
  return found <= kWrittenOneByOne || found >= written_ + written_ / kShareBeforeWriting;
}

void Reports::write_file() {
  if (file_.empty()) return;
  const std::lock_guard turn(writing_);
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    written_ = findings_.size();
    text = report_json(overview());
  }
  if (replace_file(file_, text)) return;
  write_to_stderr("ferry: the report " + file_ + " cannot be written: " + std::strerror(errno) +
                  "\n");
}

std::vector<RuleCount> Reports::counts() {
  const std::lock_guard lock(mutex_);
  std::vector<RuleCount> counts;
  for (const RuleTally& tally : tallies_) {
    counts.push_back({.rule = tally.rule,
                      .findings = tally.findings,
                      .unexplained = tally.unexplained,
                      .places = tally.places});
  }
  return counts;
}

std::string Reports::json() {
  const std::lock_guard lock(mutex_);
  return report_json(overview());
}

void Reports::close() {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return;
    is_closed_ = true;
    text = summary_text(overview(), style_of_stderr());
    const char* github = std::getenv("GITHUB_ACTIONS");
    if (github != nullptr && std::string_view(github) == "true") {
      text += github_annotations(overview());
    }
  }
  write_file();
  write_to_stderr(text);
}

}  // namespace

Extent extent;

Problem open_reports(const ReportOptions& options, std::span<const RuleInfo* const> rules) {
  // Never destroyed: other threads may be inside. Opening again, as tests do, keeps the old one.
  static auto* kept = [] {
    pthread_atfork(nullptr, nullptr, forget_in_child);
    return new std::vector<std::unique_ptr<Reports>>;
  }();
  kept->reserve(kept->size() + 1);
  auto made = std::make_unique<Reports>();
  if (Problem wrong = made->open(options, rules)) return wrong;
  kept->push_back(std::move(made));
  current.store(kept->back().get(), std::memory_order_release);
  return {};
}

bool is_wanted(const RuleInfo& rule) {
  const Reports* found = reports();
  return found != nullptr && found->is_wanted(rule);
}

namespace {

std::atomic<FindingSink> finding_sink{nullptr};

}  // namespace

void set_finding_sink(FindingSink sink) {
  finding_sink.store(sink, std::memory_order_release);
}

void report(const Finding& finding) {
  Reports* found = reports();
  if (found == nullptr) return;
  if (const FindingSink sink = finding_sink.load(std::memory_order_acquire)) {
    sink(*finding.rule, finding.sentence.c_str());
  }
  try {
    found->add(finding);
  } catch (const std::bad_alloc&) {
    write_to_stderr(kLost);
  }
}

void await_told() {
  if (Reports* found = reports()) found->await_told(FindingQueue::Patience::kOnce);
}

uint64_t error_count() {
  uint64_t sum = 0;
  for (const RuleCount& count : rule_counts()) {
    if (count.rule->severity == Severity::kError) sum += count.findings;
  }
  return sum;
}

std::vector<RuleCount> rule_counts() {
  Reports* found = settled_reports();
  return found != nullptr ? found->counts() : std::vector<RuleCount>();
}

std::string current_report() {
  Reports* found = settled_reports();
  return found != nullptr ? found->json() : std::string();
}

void close_reports() {
  if (Reports* found = settled_reports()) found->close();
}

void report_silence(const ReportOptions& options, bool has_children) {
  const Overview overview{.schedule = options.schedule,
                          .file = options.file.empty() ? "" : full_path(options.file),
                          .is_complete = true};
  write_silent_file(overview);
  const std::vector<std::string> command = command_line();
  write_to_stderr(silence_text(overview, command, has_children, style_of_stderr()));
}

}  // namespace ferry::layers::check
