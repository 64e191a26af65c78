// SPDX-License-Identifier: Apache-2.0
// The rule about rounds that submit the same works again and again: they could be captured once and
// then be submitted with one call per round.
#include "advice/groups.h"

#include <fmt/format.h>

#include <utility>

namespace ferry::tools::advice {
namespace {

constexpr size_t kFewestRounds = 8;
constexpr size_t kFewestSubmissions = 4;  // per round
constexpr size_t kLongestRound = 4096;    // submissions
constexpr uint64_t kFactor = 0x9E3779B97F4A7C15U;

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash ^= value + kFactor + (hash << 6) + (hash >> 2);
  return hash * 0xBF58476D1CE4E5B9U;
}

// One call as a captured model would repeat it.
struct Submission {
  uint32_t call = 0;
  uint64_t signature = 0;
  bool is_wait = false;  // of the host
};

// 0: cannot be captured.
uint64_t signature_of(const Survey& survey, uint32_t call) {
  const trace::Call& seen = survey.trace().calls[call];
  uint64_t signature = mixed(site_key(seen), static_cast<uint64_t>(seen.stream) + 1);
  if (survey.role_of(call) == Role::kSynchronize) return signature | 1;
  for (const uint32_t index : survey.works_of(call)) {
    const trace::Work& work = survey.trace().works[index];
    if (work.is_during_call() || work.model != trace::kNone || work.result != 0) return 0;
    signature = mixed(signature, static_cast<uint64_t>(work.kind));
    signature = mixed(signature, static_cast<uint64_t>(work.stream));
    signature = mixed(signature, work.bytes);
    signature = mixed(signature, work.items);
    signature = mixed(signature, work.dst);
    signature = mixed(signature, work.src);
  }
  return signature | 1;
}

// Finds stretches of submissions with a period. Windows are compared by a rolling hash, so that the
// search is linear.
class RoundFinder {
 public:
  RoundFinder(const Survey& survey, Groups& groups) : survey_(survey), groups_(groups) {}

  void look_at(const std::vector<uint32_t>& calls) {
    for (const uint32_t call : calls) {
      const bool is_wait = survey_.role_of(call) == Role::kSynchronize;
      if (!is_wait && survey_.works_of(call).empty()) continue;
      const uint64_t signature = signature_of(survey_, call);
      if (signature == 0) {
        restart();
      } else {
        add({call, signature, is_wait});
      }
    }
    restart();
  }

 private:
  void add(const Submission& submission) {
    const size_t index = submissions_.size();
    submissions_.push_back(submission);
    hashes_.push_back(hashes_.back() * kFactor + submission.signature);
    if (powers_.size() < hashes_.size()) powers_.push_back(powers_.back() * kFactor);
    const auto [last, is_new] = last_.try_emplace(submission.signature, index);
    const size_t distance = index - last->second;
    last->second = index;
    if (period_ != 0) {
      if (submissions_[index - period_].signature == submission.signature) return;
      end_stretch(index);
    }
    if (is_new || distance == 0 || distance > kLongestRound || index + 1 < 2 * distance) return;
    if (window(index + 1 - distance, index + 1) !=
        window(index + 1 - 2 * distance, index + 1 - distance))
      return;
    period_ = distance;
    begin_ = index + 1 - 2 * distance;
  }

  uint64_t window(size_t begin, size_t end) const {
    return hashes_[end] - hashes_[begin] * powers_[end - begin];
  }

  void restart() {
    end_stretch(submissions_.size());
    submissions_.clear();
    hashes_.assign(1, 0);
    last_.clear();
  }

  // [begin_, end) repeats with the period.
  void end_stretch(size_t end) {
    const size_t period = std::exchange(period_, 0);
    if (period == 0) return;
    const size_t rounds = (end - begin_) / period;
    size_t submits = 0;
    size_t waits = 0;  // groups of them: places where the host waits in a round
    for (size_t i = begin_; i < begin_ + period; ++i) {
      const bool was_wait = submissions_[i == begin_ ? begin_ + period - 1 : i - 1].is_wait;
      submits += submissions_[i].is_wait ? 0 : 1;
      waits += submissions_[i].is_wait && !was_wait ? 1 : 0;
    }
    if (rounds < kFewestRounds || submits < kFewestSubmissions || waits > 1) return;
    group_of(period, submits).parts += rounds;
    emit(period, rounds, waits > 0, group_of(period, submits));
  }

  Group& group_of(size_t period, size_t submits) {
    uint64_t key = 0;
    for (size_t i = begin_; i < begin_ + period; ++i)
      key += submissions_[i].signature;
    Group& group = groups_.of(key);
    group.matches = submits;
    return group;
  }

  void emit(size_t period, size_t rounds, bool has_waits, Group& group) {
    bool is_first = true;  // of its round, which begins behind a wait if there is one
    for (size_t i = begin_; i < begin_ + rounds * period; ++i) {
      const Submission& submission = submissions_[i];
      if (submission.is_wait) {
        is_first = true;
        continue;
      }
      if (!has_waits && (i - begin_) % period == 0) is_first = true;
      const trace::Call& call = survey_.trace().calls[submission.call];
      group.ns += call.end - call.begin;
      for (const uint32_t index : survey_.works_of(submission.call)) {
        const trace::Work& work = survey_.trace().works[index];
        if (i < begin_ + period) group.add(work);
        group.change.captured.emplace(work.number, is_first);
        is_first = false;
      }
    }
  }

  const Survey& survey_;
  Groups& groups_;
  std::vector<Submission> submissions_;
  std::vector<uint64_t> hashes_{0};  // of the submissions before
  std::vector<uint64_t> powers_{1};
  std::unordered_map<uint64_t, size_t> last_;  // place of a signature
  size_t period_ = 0;                          // 0: none
  size_t begin_ = 0;
};

Candidate capture_candidate(Group& group) {
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "capture";
  advice.title = "Capture the loop and submit it with one call per round";
  advice.text = fmt::format(
      "{} submitted the same {} each, with the same addresses, sizes and streams. The host spent "
      "{} "
      "in these calls.",
      count_text(group.parts, "round"), count_text(group.matches, "work"), time_text(group.ns));
  advice.to_do =
      "Capture one round into a model and execute the model in each round. What is captured reads "
      "and writes the same addresses each time.";
  advice.hint = {
      "aclmdlRICaptureBegin(stream, ...); one_round(stream); aclmdlRICaptureEnd(stream, "
      "&model);",
      "aclmdlRIExecuteAsync(model, stream);  // per round"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

}  // namespace

std::vector<Candidate> find_capturable(const Survey& survey) {
  Groups groups(survey);
  for (const auto& [thread, calls] : survey.threads())
    RoundFinder(survey, groups).look_at(calls);
  std::vector<Candidate> result;
  for (Group* group : groups.sorted())
    result.push_back(capture_candidate(*group));
  return result;
}

}  // namespace ferry::tools::advice
