// SPDX-License-Identifier: Apache-2.0
// Gets the profile for predictions, and prints advice.
#include "report/advising.h"

#include "replay/measure_profile.h"
#include "text.h"

#include "acl/acl.h"

#include <fmt/format.h>

namespace ferry::tools::report {
namespace {

// A few rounds are enough for gains of some percent, and take a second or two.
constexpr uint32_t kRounds = 3;

std::string measure(replay::Profile& profile) {
  if (const aclError code = aclInit(nullptr); code != ACL_SUCCESS)
    return fmt::format("aclInit returned {}", code);
  replay::ProfileSettings settings;
  settings.rounds = kRounds;
  std::string wrong = replay::measure_profile(settings, profile);
  static_cast<void>(aclrtResetDevice(settings.device));
  static_cast<void>(aclFinalize());
  return wrong;
}

}  // namespace

Advised advise(const trace::Trace& trace, const Limits& limits, const std::string& profile) {
  Advised result;
  replay::Profile known;
  if (!profile.empty()) {
    result.wrong = replay::load_profile(profile, known);
    if (!result.wrong.empty()) return result;
  }
  const auto profile_of = [&]() -> const replay::Profile* {
    if (!profile.empty()) return &known;
    if (limits.ways.empty()) {
      result.reason = limits.reason.empty()
                          ? "nothing was measured on this machine; --profile FILE predicts gains"
                          : limits.reason + "; --profile FILE predicts gains";
      return nullptr;
    }
    result.reason = measure(known);
    return result.reason.empty() ? &known : nullptr;
  };
  result.list = advice::advise(trace, profile_of);
  return result;
}

advice::NameOfSite name_of_site(trace::Symbols& symbols) {
  return [&symbols](uint64_t site) { return symbols.of_call(site).text; };
}

void print_advice(const Advised& advised, trace::Symbols& symbols) {
  if (!advised.reason.empty()) {
    fmt::print("\n{}\n  {}\n", painted(Paint::kBold, "Advice"),
               wrapped("none: " + advised.reason, 2, text_width()));
    return;
  }
  if (advised.list.empty()) return;
  fmt::print("\n{}\n{}", painted(Paint::kBold, "Advice"),
             advice::advice_text(advised.list, name_of_site(symbols), text_width()));
}

}  // namespace ferry::tools::report
