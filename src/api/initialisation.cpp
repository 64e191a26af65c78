// SPDX-License-Identifier: Apache-2.0
// aclInit, aclFinalize and their callbacks. They count and configure; the runtime itself starts
// with the first call that needs it.
#include "api/initialisation.h"

#include "api/adapters.h"
#include "api/init_file.h"
#include "base/config.h"
#include "base/program_call.h"
#include "base/status.h"
#include "core/context.h"
#include "core/profile/annotations.h"
#include "core/profile/dump.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::api {
namespace {

template <class Function>
struct Callback {
  aclRegisterCallbackType type;
  Function function;
  void* user_data;
};

// Stores each pair of type and function once, in the order of registration.
template <class Function>
class Callbacks {
 public:
  // False when the pair is registered already.
  bool add(const Callback<Function>& callback) {
    if (find(callback.type, callback.function) != list_.end()) return false;
    list_.push_back(callback);
    return true;
  }
  void remove(aclRegisterCallbackType type, Function function) {
    const auto found = find(type, function);
    if (found != list_.end()) list_.erase(found);
  }
  const std::vector<Callback<Function>>& list() const { return list_; }

 private:
  auto find(aclRegisterCallbackType type, Function function) {
    return std::find_if(list_.begin(), list_.end(), [&](const Callback<Function>& known) {
      return known.type == type && known.function == function;
    });
  }
  std::vector<Callback<Function>> list_;
};

struct InitState {
  // Guards the members below. Recursive: callbacks run with it held and may call these functions.
  std::recursive_mutex mutex;
  uint64_t count = 0;                        // calls of aclInit that are not finalised yet
  bool is_finalized = false;                 // and aclInit was not called since
  bool profiles = false;                     // the configuration switches profiling on
  std::optional<std::string> configuration;  // of the first aclInit
  Callbacks<aclInitCallbackFunc> init_callbacks;
  Callbacks<aclFinalizeCallbackFunc> finalize_callbacks;
};

InitState& state() {
  static auto* instance = new InitState;
  return *instance;
}

using StateLock = std::unique_lock<std::recursive_mutex>;

// Calls a callback with the lock held. If it does not return, `left` is called and the lock is
// released: a longjmp runs no destructors.
template <class Function, class Left>
aclError call_back(StateLock& lock, Function function, Left left) {
  aclError code = ACL_SUCCESS;
  call_program(
      Called::kOtherwise, Thrown::kGoesOn, [&] { code = function(); },
      [&](const char* instead) {
        if (instead == nullptr) return;
        left();
        lock.unlock();
      });
  return code;
}

// Calls all callbacks until one fails, and returns its code.
template <class Function, class... Arguments>
aclError call_all(StateLock& lock, const Callbacks<Function>& callbacks, Arguments... arguments) {
  std::vector<Callback<Function>> called = callbacks.list();  // a callback may register another
  for (size_t i = 0; i < called.size(); ++i) {
    const aclError code = call_back(
        lock, [&] { return called[i].function(arguments..., called[i].user_data); },
        [&] { std::vector<Callback<Function>>().swap(called); });  // releases the memory
    if (code != ACL_SUCCESS) return code;
  }
  return ACL_SUCCESS;
}

Status call_init_callbacks(const InitState& init, StateLock& lock) {
  const std::string& text = *init.configuration;
  const aclError code = call_all(lock, init.init_callbacks, text.c_str(), text.size());
  if (code != ACL_SUCCESS) return fail(code, kEH9999, "an init callback returned %d", code);
  return {};
}

Status finalize(InitState& init, StateLock& lock) {
  init.is_finalized = true;
  if (std::exchange(init.count, 0) == 0) return {};  // no aclInit to undo
  forget_dump();
  init.profiles = false;
  set_interest(InterestOf::kInitFile, 0);
  const aclError code = call_all(lock, init.finalize_callbacks);
  if (code != ACL_SUCCESS) return fail(code, kEH9999, "a finalize callback returned %d", code);
  return {};
}

Status fail_repeated() {
  return reject(ACL_ERROR_REPEAT_FINALIZE, kEH0009)
      .expected()
      .because("no call of aclInit is open: it was finalised already");
}

}  // namespace

bool is_initialised() {
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  return init.count > 0;
}

bool is_profiling_configured() {
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  return init.count > 0 && init.profiles;
}

aclError aclInit(const char* configPath) {
  InitState& init = state();
  StateLock lock(init.mutex);
  if (init.count > 0) {
    ++init.count;
    return reject(ACL_ERROR_REPEAT_INITIALIZE, kEH0009)
        .expected()
        .because("it was called before; the program can go on");
  }
  if (!config().problems.empty()) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009, config().problems.front());
  }
  std::string text;
  InitSettings settings;
  if (configPath != nullptr && configPath[0] != '\0') {
    FERRY_RETURN_IF_ERROR(read_init_file(configPath, text));
    FERRY_RETURN_IF_ERROR(parse_init_file(configPath, text, settings));
  }
  if (init.configuration.has_value() && *init.configuration != text) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009,
                "the configuration differs from that of the first aclInit of this process");
  }
  init.configuration = std::move(text);
  set_interest(InterestOf::kInitFile,
               (settings.profiles ? kInSteps : 0U) | (settings.profiles_marks ? kInMarks : 0U));
  init.profiles = settings.profiles;
  set_text_scope(settings.text_scope);
  set_default_device(settings.default_device);
  init.count = 1;
  init.is_finalized = false;
  return call_init_callbacks(init, lock);
}

aclError aclFinalize() {
  InitState& init = state();
  StateLock lock(init.mutex);
  if (init.is_finalized) return fail_repeated();
  return finalize(init, lock);
}

aclError aclFinalizeReference(uint64_t* refCount) {
  InitState& init = state();
  StateLock lock(init.mutex);
  if (init.count == 0) {
    if (refCount != nullptr) *refCount = 0;
    return fail_repeated();
  }
  if (refCount != nullptr) *refCount = init.count - 1;
  if (init.count == 1) return finalize(init, lock);
  --init.count;
  return ACL_SUCCESS;
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                 void* userData) {
  if (cbFunc == nullptr) return fail_null("cbFunc");
  InitState& init = state();
  StateLock lock(init.mutex);
  const bool is_new = init.init_callbacks.add({type, cbFunc, userData});
  if (!is_new || init.count == 0) return ACL_SUCCESS;
  // aclInit has called its callbacks already.
  const std::string& text = *init.configuration;
  return call_back(
      lock, [&] { return cbFunc(text.c_str(), text.size(), userData); }, [] {});
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  if (cbFunc == nullptr) return fail_null("cbFunc");
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  init.init_callbacks.remove(type, cbFunc);
  return ACL_SUCCESS;
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                     void* userData) {
  if (cbFunc == nullptr) return fail_null("cbFunc");
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  init.finalize_callbacks.add({type, cbFunc, userData});
  return ACL_SUCCESS;
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                       aclFinalizeCallbackFunc cbFunc) {
  if (cbFunc == nullptr) return fail_null("cbFunc");
  InitState& init = state();
  const std::lock_guard lock(init.mutex);
  init.finalize_callbacks.remove(type, cbFunc);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
