// SPDX-License-Identifier: Apache-2.0
// The calls that choose and end contexts.
#include "layers/check/rules/context_choice.h"

#include <unistd.h>

#include <map>

namespace ferry::layers::check {
namespace {

thread_local ContextChoice own_choice;
ContextChoice last_choice;  // of any thread

std::map<int32_t, ContextChoice>& resets() {
  static auto* by_device = new std::map<int32_t, ContextChoice>;
  return *by_device;
}

ContextChoice choice_of(const Call& call) {
  ContextChoice choice{.function = call.name(), .site = call.site(), .thread = gettid()};
  if (call.has("deviceId")) choice.device = static_cast<int32_t>(call.argument("deviceId"));
  return choice;
}

}  // namespace

void note_context_choice(const Call& call, aclError code) {
  if (code != ACL_SUCCESS) return;
  switch (call.function()) {
    case Function::aclrtSetDevice:
      own_choice = choice_of(call);
      break;
    case Function::aclrtSetCurrentContext:
      own_choice = choice_of(call);
      own_choice.context = call.pointer<void>("context");
      break;
    case Function::aclrtCreateContext:
      own_choice = choice_of(call);
      own_choice.context = *call.pointer<void*>("context");
      break;
    case Function::aclrtResetDevice:
    case Function::aclrtResetDeviceForce:
      resets()[static_cast<int32_t>(call.argument("deviceId"))] = choice_of(call);
      return;
    default:
      return;
  }
  last_choice = own_choice;
}

const ContextChoice& choice_of_this_thread() {
  return own_choice;
}

const ContextChoice& latest_choice() {
  return last_choice;
}

const ContextChoice* latest_reset(int32_t device) {
  const auto found = resets().find(device);
  return found == resets().end() ? nullptr : &found->second;
}

}  // namespace ferry::layers::check
