// SPDX-License-Identifier: Apache-2.0
// A call was refused because a handle does not refer to a live object of the right kind: 107017 for
// streams, events and notifies; contexts have their own codes.
#include "layers/check/rules/refusal.h"
#include "layers/check/rules/rules.h"
#include "layers/check/rules/words.h"
#include "layers/check/world/world.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kStaleHandleInfo{
    .name = "stale-handle",
    .severity = Severity::kError,
    .summary = "a handle was destroyed, is of another kind, or never was one",
    .advice =
        "Destroy an object after its last use and forget every copy of its handle. Handles "
        "are all void*, so look at the order of the arguments, too.",
    .codes = {ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_PARAM_INVALID}};

bool is_about_handle(World& world, const Call& call, aclError code) {
  // Handles of other processes become unknown when their process ends: that is no error of this
  // one.
  if (code == ACL_ERROR_RT_INVALID_HANDLE) return refusal_of(call).handle != nullptr;
  const bool is_context_code =
      (call.function() == Function::aclrtDestroyContext && code == ACL_ERROR_RT_CONTEXT_NULL) ||
      (call.function() == Function::aclrtSetCurrentContext && code == ACL_ERROR_RT_PARAM_INVALID);
  if (!is_context_code) return false;
  // Destroying a default context is refused too, but that is another error.
  return refusal_of(call).handle != nullptr &&
         world.objects().find(call.pointer<void>("context")) == nullptr;
}

// "a stream of device 0"
std::string kind_text(const Object& object) {
  return std::string(object.kind == ObjectKind::kEvent ? "an " : "a ") +
         describe_kind(object.kind) + " of device " + std::to_string(object.device);
}

class StaleHandle : public RuleOf<kStaleHandleInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    if (code == ACL_SUCCESS || !is_about_handle(world, call, code)) return;
    const Error& error = refusal_of(call);
    Finding found = finding(std::string(call.name()) + ": " + error.argument() + " is " +
                                address_text(reinterpret_cast<uintptr_t>(error.handle)),
                            {{"the call", call.site()}}, code);
    explain(world.objects(), error.handle, found);
    report(found);
  }

 private:
  static void explain(const ObjectBook& objects, const void* handle, Finding& found) {
    if (const Object* live = objects.find(handle)) {
      found.sentence += ", which is of another kind: " + kind_text(*live);
      found.places.push_back({"it was made", live->made_at});
      return;
    }
    const Object* destroyed = objects.find_destroyed(handle);
    if (destroyed == nullptr) {
      found.sentence += ", which no function of the runtime has given out, or not lately";
      return;
    }
    const std::string by = "destroyed by thread " + std::to_string(destroyed->destroyed_by);
    found.sentence += ", which was " + kind_text(*destroyed) + ", " + by;
    found.places.push_back({"it was " + by, destroyed->destroyed_at});
    found.places.push_back({"it was made", destroyed->made_at});
  }
};

}  // namespace

Rule& stale_handle_rule() {
  return only<StaleHandle>();
}

}  // namespace ferry::layers::check
