// SPDX-License-Identifier: Apache-2.0
// 107003: the stream of a call belongs to a context other than the thread's current one.
#include "layers/check/rules/context_choice.h"
#include "layers/check/rules/refusal.h"
#include "layers/check/rules/rules.h"
#include "layers/check/world/world.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kWrongContextInfo{
    .name = "wrong-context",
    .severity = Severity::kError,
    .summary =
        "a call was refused (107003) because its stream belongs to another context than the "
        "current one",
    .advice =
        "Make the context of the stream current in this thread first (aclrtSetDevice or "
        "aclrtSetCurrentContext), or keep one stream for each device.",
    .codes = {ACL_ERROR_RT_STREAM_CONTEXT}};

class WrongContext : public RuleOf<kWrongContextInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    note_context_choice(call, code);
    if (code != ACL_ERROR_RT_STREAM_CONTEXT) return;
    const ContextChoice& choice = choice_of_this_thread();
    Finding found = finding(refusal_text(call), {{"the call", call.site()}}, code);
    if (const Object* stream = world.objects().find(call.pointer<void>("stream"))) {
      found.places.push_back(
          {"the stream was made on device " + std::to_string(stream->device), stream->made_at});
    }
    if (choice.function != nullptr) {
      found.sentence += std::string("; the thread got its context by ") + choice.function;
      found.places.push_back({"the thread chose its context", choice.site});
    }
    report(found);
  }
};

}  // namespace

Rule& wrong_context_rule() {
  return only<WrongContext>();
}

}  // namespace ferry::layers::check
