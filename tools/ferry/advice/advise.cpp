// SPDX-License-Identifier: Apache-2.0
// Runs the rules, predicts what each candidate gains, and keeps what is worth saying.
#include "advice/advice.h"
#include "advice/apply.h"
#include "advice/candidate.h"
#include "replay/predict.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ferry::tools::advice {
namespace {

using replay::Plan;
using replay::Profile;

// Predictions are linear in the steps of the plan. Long traces get fewer: those of the call sites
// with most works.
constexpr size_t kMostPredictedSteps = 8'000'000;
constexpr size_t kFewestPredictions = 6;
constexpr size_t kMostPredictions = 64;

using Rule = std::vector<Candidate> (*)(const Survey&);

std::vector<Candidate> find_all(const trace::Trace& trace) {
  const Survey survey(trace);
  std::vector<Candidate> result;
  for (const Rule rule : {find_small_copies, find_neighbours, find_pageable, find_serial_streams,
                          find_waits_after_copies, find_repeated_bytes, find_memory_in_loops,
                          find_refused_batches, find_capturable}) {
    std::vector<Candidate> found = rule(survey);
    std::move(found.begin(), found.end(), std::back_inserter(result));
  }
  const auto weight = [](const Candidate& candidate) {
    return std::max({candidate.advice.evidence.work_count, candidate.advice.evidence.call_count,
                     uint64_t{candidate.change.captured.size()}});
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Candidate& a, const Candidate& b) { return weight(a) > weight(b); });
  return result;
}

enum class Pauses { kLeftOut, kKept };

double predicted(const Plan& plan, const Profile& profile, Pauses pauses) {
  return replay::predict(plan, profile, pauses == Pauses::kKept).total;
}

// A captured round costs the host one submission.
double gain_of_capture(const Plan& plan, const Profile& profile, const Change& change,
                       Pauses pauses) {
  Change rest;
  for (const replay::Step& step : plan.steps) {
    if (step.work != trace::kNone && !change.captured.contains(step.work))
      rest.dropped.insert(step.work);
  }
  Plan rounds = changed(plan, rest);
  const double before = predicted(rounds, profile, pauses);
  Profile captured = profile;
  captured.record_ns = captured.wait_ns = captured.fill_submit_ns = 0;
  double launch = 0;
  double launches = 0;
  for (replay::Lane& lane : captured.lanes) {
    launch = std::max(launch, lane.submit_ns);
    lane.submit_ns = lane.batch_submit_ns = lane.item_submit_ns = 0;
    // Their copies follow each other like items of a batch, without a call for each.
    for (replay::Curve& curve : lane.curves) {
      for (replay::CurvePoint& point : curve.points)
        point.copy_ns = std::min(point.copy_ns, point.item_ns);
    }
  }
  for (replay::Step& step : rounds.steps) {
    const auto work = change.captured.find(step.work);
    if (work == change.captured.end() || !work->second) continue;
    launches += 1;
    step.pause += std::llround(launch);
  }
  return before - predicted(rounds, captured, pauses) -
         (pauses == Pauses::kLeftOut ? launches * launch : 0);
}

// What one kind of prediction says about all changes.
struct Outlook {
  const Plan& plan;
  const Profile& profile;
  Pauses pauses;
  double now = predicted(plan, profile, pauses);

  double gain_of(const Change& change) const {
    if (!change.captured.empty()) return gain_of_capture(plan, profile, change, pauses);
    if (!change.batched.empty() && !profile.has_batch) return 0;
    return now - predicted(changed(plan, change), profile, pauses);
  }
  bool is_worth(double gain, const Threshold& threshold) const {
    return gain >= static_cast<double>(threshold.smallest_gain) &&
           gain >= threshold.smallest_share * now;
  }
};

// What these changes gain lies in the pauses: calls that are not repeated, or work that the host
// does while the device copies.
bool is_about_pauses(const Change& change) {
  return !change.pinned.empty() || (!change.saved_pauses.empty() && change.batched.empty());
}

// Sets the times of an advice that is worth saying. Without the pauses of the program, as `ferry
// replay` measures; tracing makes them longer. But what real pauses hide gains nothing.
bool set_times(Candidate& candidate, const Outlook& bare, const Outlook& paused,
               const Threshold& threshold) {
  const Outlook& shown = is_about_pauses(candidate.change) ? paused : bare;
  const double gain = shown.gain_of(candidate.change);
  if (!shown.is_worth(gain, threshold)) return false;
  if (&shown == &bare) {
    const Threshold half{threshold.smallest_gain / 2, threshold.smallest_share / 2};
    if (!paused.is_worth(paused.gain_of(candidate.change), half)) return false;
  }
  candidate.advice.now = std::llround(shown.now);
  candidate.advice.predicted = std::llround(shown.now - gain);
  return true;
}

}  // namespace

std::vector<Advice> advise(const trace::Trace& trace, const ProfileOf& profile_of,
                           const Threshold& threshold) {
  std::vector<Candidate> candidates = find_all(trace);
  if (candidates.empty()) return {};
  std::string wrong;
  const Plan plan = replay::make_plan(trace, wrong);
  if (!wrong.empty()) return {};
  const Profile* const profile = profile_of();
  if (profile == nullptr) return {};
  const size_t predictions =
      std::clamp(kMostPredictedSteps / std::max<size_t>(plan.steps.size(), 1), kFewestPredictions,
                 kMostPredictions);
  if (candidates.size() > predictions) candidates.resize(predictions);

  const Outlook bare{plan, *profile, Pauses::kLeftOut};
  const Outlook paused{plan, *profile, Pauses::kKept};
  std::vector<Advice> result;
  for (Candidate& candidate : candidates) {
    if (set_times(candidate, bare, paused, threshold)) {
      result.push_back(std::move(candidate.advice));
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Advice& a, const Advice& b) { return a.gain() > b.gain(); });
  return result;
}

}  // namespace ferry::tools::advice
