// SPDX-License-Identifier: Apache-2.0
// Counts and fails calls, for all functions of the list alike.
#include "layers/inject/inject.h"

#include "base/status.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace ferry::layers::inject {
namespace {

struct Rule {
  uint64_t countdown = 0;  // calls left until it fires; 0: it fires on every call
  aclError code = 0;
};

struct FunctionState {
  std::atomic<uint64_t> calls{0};
  std::atomic<bool> has_rules{false};
  std::vector<Rule> rules;  // protected by State::mutex
};

struct State {
  std::mutex mutex;  // protects the rules of all functions; calls without rules do not take it
  std::array<FunctionState, kFunctionCount> functions;
};

State& state() {
  static auto* instance = new State;
  return *instance;
}

const DispatchTable* next_table = nullptr;

std::optional<size_t> find_function(std::string_view name) {
  for (size_t i = 0; i < kFunctionCount; ++i) {
    if (name == kFunctionNames[i]) return i;
  }
  return {};
}

// The code this call must fail with, or success. Every rule of the function counts the call.
aclError strike(FunctionState& function) {
  const std::lock_guard lock(state().mutex);
  aclError code = ACL_SUCCESS;
  for (Rule& rule : function.rules) {
    const bool strikes = rule.countdown <= 1;
    if (strikes && code == ACL_SUCCESS) code = rule.code;
    // A rule that has fired is spent: it stays, with a countdown that never ends.
    if (rule.countdown == 1) rule.countdown = UINT64_MAX;
    if (rule.countdown != 0 && rule.countdown != UINT64_MAX) --rule.countdown;
  }
  return code;
}

// On success the call proceeds.
aclError before_call(Function function) {
  FunctionState& called = state().functions[static_cast<size_t>(function)];
  const uint64_t number = called.calls.fetch_add(1, std::memory_order_relaxed) + 1;
  if (!called.has_rules.load(std::memory_order_acquire)) return ACL_SUCCESS;
  const aclError code = strike(called);
  if (code == ACL_SUCCESS) return ACL_SUCCESS;
  return fail(code, kEE1001, "failed on purpose, as asked for (call %llu)",
              static_cast<unsigned long long>(number));
}

#define FERRY_API(ret, name, params, args, failure)                                 \
  ret name params {                                                                 \
    const aclError code = before_call(Function::name);                              \
    return code != ACL_SUCCESS ? static_cast<ret>(failure) : next_table->name args; \
  }
#include "dispatch/api_list.def"

}  // namespace

const DispatchTable& table_over(const DispatchTable& next) {
  next_table = &next;
  static constexpr DispatchTable kTable{
#define FERRY_API(ret, name, params, args, failure) .name = name,
#include "dispatch/api_list.def"
  };
  return kTable;
}

std::string add_failure(const FailureRule& rule) {
  const std::optional<size_t> index = find_function(rule.function);
  if (!index.has_value()) return "there is no such function in this library";
  const std::lock_guard lock(state().mutex);
  FunctionState& function = state().functions[*index];
  function.rules.push_back({.countdown = rule.nth, .code = rule.code});
  function.has_rules.store(true, std::memory_order_release);
  return {};
}

void clear_failures() {
  const std::lock_guard lock(state().mutex);
  for (FunctionState& function : state().functions) {
    function.rules.clear();
    function.has_rules.store(false, std::memory_order_release);
  }
}

void reset_counts() {
  for (FunctionState& function : state().functions) {
    function.calls.store(0, std::memory_order_relaxed);
  }
}

bool count_of(std::string_view name, uint64_t& count) {
  const std::optional<size_t> index = find_function(name);
  if (!index.has_value()) return false;
  count = state().functions[*index].calls.load(std::memory_order_relaxed);
  return true;
}

}  // namespace ferry::layers::inject
