// SPDX-License-Identifier: Apache-2.0
// Which rule fires.
#include "layers/inject/rules.h"

namespace ferry::layers::inject {

void Rules::add(const FailureRule& rule) {
  rules_.push_back(
      {.countdown = rule.nth,
       .millionths = rule.millionths,
       .random = Random(rule.seed),
       .stream = rule.stream,
       .effect = {.code = rule.code, .delay = rule.delay, .damages_memory = rule.damages_memory}});
}

bool Rules::Rule::fires() {
  constexpr uint64_t kMillion = 1'000'000;
  if (millionths.has_value()) return random.below(kMillion) < *millionths;
  const bool now = countdown <= 1;
  // A rule that has fired is spent: it stays, with a countdown that never ends.
  if (countdown == 1) countdown = UINT64_MAX;
  if (countdown != 0 && countdown != UINT64_MAX) --countdown;
  return now;
}

Effect Rules::strike(const std::function<int32_t()>& stream) {
  Effect effect;
  std::optional<int32_t> id;
  for (Rule& rule : rules_) {
    if (rule.stream.has_value()) {
      if (!id.has_value()) id = stream();
      if (*id != *rule.stream) continue;
    }
    if (!rule.fires()) continue;
    if (effect.code == ACL_SUCCESS) effect.code = rule.effect.code;
    effect.delay += rule.effect.delay;
    effect.damages_memory |= rule.effect.damages_memory;
  }
  return effect;
}

}  // namespace ferry::layers::inject
