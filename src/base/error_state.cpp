// SPDX-License-Identifier: Apache-2.0
// Thread-local error state. Plain arrays, no destructors: texts may be asked for while the thread's
// other thread-local objects are being destroyed.
#include "base/error_state.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

namespace ferry {
namespace {

constexpr const char* kNoFunction = "ferry";

struct ThreadErrors {
  CallRecord call{.function = kNoFunction};
  aclError last = ACL_SUCCESS;
  bool has_text = false;  // of `recent`, which nobody has taken
  Error recent;
  char handed_out[Error::kTextSize] = {};
};

// Every call comes here: no guard in front of it.
constinit thread_local ThreadErrors errors;

std::atomic<TextScope> text_scope{TextScope::kThread};

struct SharedText {
  std::mutex mutex;  // guards the rest: any thread may fail or ask
  bool has_text = false;
  char text[Error::kTextSize] = {};
};

SharedText& shared_text() {
  static auto* text = new SharedText;
  return *text;
}

const char* hand_out(bool& has_text, const char* text) {
  if (!std::exchange(has_text, false)) return nullptr;
  std::memcpy(errors.handed_out, text, Error::kTextSize);
  return errors.handed_out;
}

}  // namespace

CallRecord& call_record() {
  return errors.call;
}

const char* current_function() {
  return errors.call.function;
}

void leave_function() {
  errors.call.function = kNoFunction;
}

void set_text_scope(TextScope scope) {
  text_scope.store(scope, std::memory_order_relaxed);
}

Error& error_of_thread() {
  return errors.recent;
}

void keep_error(LastError last_error) {
  if (last_error == LastError::kSet) errors.last = errors.recent.code;
  errors.has_text = true;
  if (text_scope.load(std::memory_order_relaxed) == TextScope::kProcess) {
    SharedText& shared = shared_text();
    const std::lock_guard lock(shared.mutex);
    std::memcpy(shared.text, errors.recent.text(), Error::kTextSize);
    shared.has_text = true;
  }
}

aclError peek_last_error() {
  return errors.last;
}

aclError take_last_error() {
  return std::exchange(errors.last, ACL_SUCCESS);
}

const char* take_recent_text() {
  if (text_scope.load(std::memory_order_relaxed) == TextScope::kThread) {
    return hand_out(errors.has_text, errors.recent.text());
  }
  SharedText& shared = shared_text();
  const std::lock_guard lock(shared.mutex);
  return hand_out(shared.has_text, shared.text);
}

const Error& recent_error() {
  return errors.recent;
}

}  // namespace ferry
