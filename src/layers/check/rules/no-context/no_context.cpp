// SPDX-License-Identifier: Apache-2.0
// 107002: the calling thread has no context, because it never chose one, or the one it had is gone.
#include "layers/check/rules/context_choice.h"
#include "layers/check/rules/refusal.h"
#include "layers/check/rules/rules.h"
#include "layers/check/world/world.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kNoContextInfo{
    .name = "no-context",
    .severity = Severity::kError,
    .summary = "a call was refused (107002) because the calling thread has no context",
    .advice =
        "Every thread chooses its device or context itself: call aclrtSetDevice or "
        "aclrtSetCurrentContext in this thread before anything else.",
    .codes = {ACL_ERROR_RT_CONTEXT_NULL}};

// Calls for which 107002 is a regular answer, or has another meaning.
bool is_expected(const Call& call) {
  switch (call.function()) {
    case Function::aclrtGetDevice:
    case Function::aclrtGetCurrentContext:
    case Function::aclrtDestroyContext:
      return true;
    default:
      return false;
  }
}

class NoContext : public RuleOf<kNoContextInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    note_context_choice(call, code);
    if (code != ACL_ERROR_RT_CONTEXT_NULL || is_expected(call)) return;
    Finding found = finding(refusal_text(call), {{"the call", call.site()}}, code);
    explain(world, found);
    report(found);
  }

 private:
  static void explain(World& world, Finding& found) {
    const ContextChoice& choice = choice_of_this_thread();
    if (choice.function == nullptr) return explain_new_thread(found);
    if (choice.context == nullptr) return explain_reset(choice, found);
    const Object* destroyed = world.objects().find_destroyed(choice.context);
    if (destroyed == nullptr) return;
    const std::string by = " destroyed by thread " + std::to_string(destroyed->destroyed_by);
    found.sentence += "; its " + describe(*destroyed) + " was" + by;
    found.places.push_back({"the context was" + by, destroyed->destroyed_at});
    found.places.push_back({"the thread chose it", choice.site});
  }

  static void explain_new_thread(Finding& found) {
    found.sentence += "; this thread has never chosen one";
    const ContextChoice& other = latest_choice();
    if (other.function == nullptr) return;
    const std::string thread = "thread " + std::to_string(other.thread);
    found.sentence += ", and what " + thread + " chose counts only there";
    found.places.push_back({thread + " chose a context", other.site});
  }

  static void explain_reset(const ContextChoice& choice, Finding& found) {
    const ContextChoice* reset = latest_reset(choice.device);
    if (reset == nullptr) return;
    const std::string device = "device " + std::to_string(choice.device);
    found.sentence += "; it had chosen " + device + ", which thread " +
                      std::to_string(reset->thread) + " has reset";
    found.places.push_back({device + " was reset", reset->site});
    found.places.push_back({"the thread chose it", choice.site});
  }
};

}  // namespace

Rule& no_context_rule() {
  return only<NoContext>();
}

}  // namespace ferry::layers::check
