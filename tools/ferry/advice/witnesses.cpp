// SPDX-License-Identifier: Apache-2.0
// Which calls and works an advice is about.
#include "advice/candidate.h"

#include <algorithm>

namespace ferry::tools::advice {
namespace {

constexpr size_t kPlacesShown = 4;

}  // namespace

uint64_t site_key(const trace::Call& call) {
  // Addresses of one program differ in the low 48 bits.
  uint64_t key = call.site * 0x9E3779B97F4A7C15U;
  key ^= (key >> 29) + call.script * 0xBF58476D1CE4E5B9U;
  return (key ^ (key >> 32)) + call.function;
}

void Witnesses::add_call(uint32_t call) {
  if (evidence_.call_count++ < kKept) evidence_.calls.push_back(call);
  const trace::Call& seen = survey_.trace().calls[call];
  const auto [known, is_new] = places_by_key_.try_emplace(site_key(seen), places_.size());
  if (is_new) {
    places_.push_back({.function = survey_.trace().texts.text_of(seen.function),
                       .site = seen.site,
                       .script = survey_.trace().texts.text_of(seen.script),
                       .calls = 0});
  }
  ++places_[known->second].calls;
}

void Witnesses::add_work(const trace::Work& work) {
  if (evidence_.work_count++ < kKept) evidence_.works.push_back(work.number);
}

void Witnesses::write_to(Advice& advice) const {
  advice.evidence = evidence_;
  advice.places = places_;
  std::stable_sort(advice.places.begin(), advice.places.end(),
                   [](const Place& a, const Place& b) { return a.calls > b.calls; });
  if (advice.places.size() > kPlacesShown) advice.places.resize(kPlacesShown);
}

}  // namespace ferry::tools::advice
