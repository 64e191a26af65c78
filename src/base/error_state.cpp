// SPDX-License-Identifier: Apache-2.0
// Thread-local error state. Plain arrays, no destructors: texts may be asked for while the thread's
// other thread-local objects are being destroyed.
#include "base/error_state.h"

#include "base/status.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

namespace ferry {
namespace {

constexpr size_t kTextSize = 1024;

struct RecentText {
  bool present = false;
  char text[kTextSize] = {};

  void set(const char* value) {
    std::strncpy(text, value, kTextSize - 1);
    present = true;
  }
};

struct ThreadErrors {
  const char* function = "ferry";
  uint64_t correlation = 0;  // the next one
  aclError last = ACL_SUCCESS;
  RecentText recent;
  char handed_out[kTextSize] = {};
};

thread_local ThreadErrors errors;

std::atomic<TextScope> text_scope{TextScope::kThread};

struct SharedText {
  std::mutex mutex;  // guards recent: any thread may fail or ask
  RecentText recent;
};

SharedText& shared_text() {
  static auto* text = new SharedText;
  return *text;
}

const char* hand_out(RecentText& recent) {
  if (!recent.present) return nullptr;
  recent.present = false;
  std::memcpy(errors.handed_out, recent.text, kTextSize);
  return errors.handed_out;
}

}  // namespace

CallScope::CallScope(const char* function) : previous_(errors.function) {
  errors.function = function;
}

CallScope::~CallScope() {
  errors.function = previous_;
}

const char* current_function() {
  return errors.function;
}

CallOrigin next_origin() {
  // Threads draw blocks, so that they seldom meet at the counter.
  constexpr uint64_t kBlock = uint64_t{1} << 16;
  static std::atomic<uint64_t> next_block{1};
  ThreadErrors& own = errors;
  if (own.correlation % kBlock == 0) [[unlikely]] {
    own.correlation = next_block.fetch_add(1, std::memory_order_relaxed) * kBlock;
  }
  return {own.function, own.correlation++};
}

void set_text_scope(TextScope scope) {
  text_scope.store(scope, std::memory_order_relaxed);
}

void record_error(aclError code, const char* text, LastError last_error) {
  if (last_error == LastError::kSet) errors.last = code;
  errors.recent.set(text);
  if (text_scope.load(std::memory_order_relaxed) == TextScope::kProcess) {
    SharedText& shared = shared_text();
    const std::lock_guard lock(shared.mutex);
    shared.recent.set(text);
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
    return hand_out(errors.recent);
  }
  SharedText& shared = shared_text();
  const std::lock_guard lock(shared.mutex);
  return hand_out(shared.recent);
}

const char* peek_recent_text() {
  return errors.recent.present ? errors.recent.text : "";
}

}  // namespace ferry
