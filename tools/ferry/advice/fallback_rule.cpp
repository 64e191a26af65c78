// SPDX-License-Identifier: Apache-2.0
// The rule about batches that an older product refuses, so that single copies do the work.
#include "advice/groups.h"

#include <fmt/format.h>

#include <utility>

namespace ferry::tools::advice {
namespace {

constexpr uint64_t kFewestReplacements = 4;  // that replace a batch

Candidate refused_candidate(const Survey& survey, Group& group) {
  const std::string& soc = survey.trace().soc;
  const std::string product = soc.empty() ? "this product" : soc;
  Candidate result;
  Advice& advice = result.advice;
  advice.rule = "refused-batches";
  advice.title = "Batches fall back to single copies on this product";
  advice.text = fmt::format(
      "{} returned 207000 (not supported on {}) {}. {} {}, {} each, did the work instead.",
      survey.function_of(group.first_call), product,
      group.matches == 1 ? "once" : fmt::format("{} times", group.matches),
      count_text(group.works, "single copy"), way_text(group), average_text(group));
  advice.to_do = fmt::format(
      "A2, A3 and 950 products have batches; on {} ask once and keep the answer. To see the "
      "program "
      "as it runs there, emulate one of them.",
      product);
  advice.hint = {"FERRY_SOC=Ascend910B1 ferry run --trace out.json -- program",
                 "if (code == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) has_batches = false;  // once"};
  group.witnesses.write_to(advice);
  result.change = std::move(group.change);
  return result;
}

// The refused call that the thread's next copies replace, and these copies.
class FallbackFinder {
 public:
  explicit FallbackFinder(const Survey& survey) : survey_(survey), groups_(survey) {}

  void look_at(const std::vector<uint32_t>& calls) {
    refused_ = kNoCall;
    for (const uint32_t call : calls) {
      if (survey_.role_of(call) == Role::kRefused) {
        end();
        refused_ = call;
      } else if (survey_.role_of(call) == Role::kSynchronize) {
        end();
      } else if (refused_ != kNoCall && !survey_.works_of(call).empty()) {
        const trace::Work* copy = survey_.single_work(call);
        if (copy == nullptr || copy->kind != trace::Kind::kCopy) {
          end();
        } else {
          copies_.push_back(copy);
        }
      }
    }
    end();
  }

  std::vector<Candidate> candidates() {
    std::vector<Candidate> result;
    for (Group* group : groups_.sorted())
      result.push_back(refused_candidate(survey_, *group));
    return result;
  }

 private:
  void end() {
    const uint32_t refused = std::exchange(refused_, kNoCall);
    const std::vector<const trace::Work*> copies = std::exchange(copies_, {});
    if (refused == kNoCall || copies.size() < kFewestReplacements) return;
    const trace::Call& call = survey_.trace().calls[refused];
    Group& group = groups_.of(site_key(call));
    if (group.matches++ == 0) group.first_call = refused;
    group.witnesses.add_call(refused);
    group.change.saved_pauses[copies.front()->number] += call.end - call.begin;
    for (const trace::Work* copy : copies) {
      group.add(*copy);
      group.change.batched.insert(copy->number);
    }
  }

  const Survey& survey_;
  Groups groups_;
  uint32_t refused_ = kNoCall;
  std::vector<const trace::Work*> copies_;  // since then
};

}  // namespace

std::vector<Candidate> find_refused_batches(const Survey& survey) {
  FallbackFinder finder(survey);
  for (const auto& [thread, calls] : survey.threads())
    finder.look_at(calls);
  return finder.candidates();
}

}  // namespace ferry::tools::advice
