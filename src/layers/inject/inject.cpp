// SPDX-License-Identifier: Apache-2.0
// Counts, fails and delays calls, for all functions of the list alike.
#include "layers/inject/inject.h"

#include "base/memory_faults.h"
#include "base/status.h"
#include "dispatch/parameters.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>

namespace ferry::layers::inject {
namespace {

struct FunctionState {
  std::atomic<uint64_t> calls{0};
  std::atomic<bool> has_rules{false};
  Rules rules;  // of calls; protected by State::mutex
  Rules tasks;  // of tasks that it queues; likewise
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

constexpr Parameters kParameters[kFunctionCount] = {
#define FERRY_API(ret, name, params, args, failure) parameters_of(#params),
#include "dispatch/api_list.def"
};

// The id of the stream of a call; -1 when it has none, or one that is not valid.
int32_t stream_of(const Parameters& parameters, const Words& words) {
  int32_t id = -1;
  if (parameters.stream == Parameters::kNone) return id;
  const auto stream = reinterpret_cast<aclrtStream>(words[parameters.stream]);
  return next_table->aclrtStreamGetId(stream, &id) == ACL_SUCCESS ? id : -1;
}

// The memory that a call has allocated counts as damaged.
void damage(const Parameters& parameters, const Words& words) {
  int32_t device = -1;
  if (next_table->aclrtGetDevice(&device) != ACL_SUCCESS) return;
  MemoryFaults::instance().add({.device = device,
                                .address = *reinterpret_cast<void**>(words[0]),
                                .size = words[parameters.size]});
}

// The arguments of a call as words, computed when a rule needs them. Not a template: every function
// of the list would get its own copy of the code below.
class LazyWords {
 public:
  template <class Get>
  explicit LazyWords(const Get& get)
      : get_([](const void* of) { return (*static_cast<const Get*>(of))(); }), of_(&get) {}

  Words get() const { return get_(of_); }

 private:
  Words (*get_)(const void* of);
  const void* of_;
};

// Every rule of the function counts the call.
Effect before_call(Function function, const LazyWords& words) {
  FunctionState& called = state().functions[static_cast<size_t>(function)];
  const uint64_t number = called.calls.fetch_add(1, std::memory_order_relaxed) + 1;
  if (!called.has_rules.load(std::memory_order_acquire)) return {};
  const Parameters& parameters = kParameters[static_cast<size_t>(function)];
  Effect effect;
  {
    const std::lock_guard lock(state().mutex);
    effect = called.rules.strike([&] { return stream_of(parameters, words.get()); });
  }
  if (effect.delay.count() > 0) std::this_thread::sleep_for(effect.delay);
  if (effect.code != ACL_SUCCESS) {
    static_cast<void>(fail(effect.code, kEE1001, "failed on purpose, as asked for (call %llu)",
                           static_cast<unsigned long long>(number)));
  }
  return effect;
}

aclError damaged(Function function, const LazyWords& words, aclError code) {
  if (code == ACL_SUCCESS) damage(kParameters[static_cast<size_t>(function)], words.get());
  return code;
}

template <class GetWords, class Next, class Fail>
auto intercept(Function function, const GetWords& get_words, Next next, Fail fail_with) {
  const LazyWords words(get_words);
  const Effect effect = before_call(function, words);
  if (effect.code != ACL_SUCCESS) return fail_with(effect.code);
  if constexpr (std::is_same_v<decltype(next()), aclError>) {
    if (effect.damages_memory) [[unlikely]]
      return damaged(function, words, next());
  }
  return next();
}

#define FERRY_API(ret, name, params, args, failure)                                        \
  ret name params {                                                                        \
    return intercept(                                                                      \
        Function::name, [&] { return words_of args; },                                     \
        [&]() -> ret { return next_table->name args; },                                    \
        [&]([[maybe_unused]] aclError code) -> ret { return static_cast<ret>(failure); }); \
  }
#include "dispatch/api_list.def"

// "" or why the rule does not suit the function.
std::string check_rule(const FailureRule& rule, const Parameters& parameters) {
  if (rule.stream.has_value() && !rule.is_at_run && parameters.stream == Parameters::kNone) {
    return "it has no stream";
  }
  if (rule.damages_memory && !parameters.allocates()) return "it allocates no memory";
  return {};
}

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
  if (std::string wrong = check_rule(rule, kParameters[*index]); !wrong.empty()) return wrong;
  const std::lock_guard lock(state().mutex);
  FunctionState& function = state().functions[*index];
  if (rule.is_at_run) {
    function.tasks.add(rule);
    return {};
  }
  function.rules.add(rule);
  function.has_rules.store(true, std::memory_order_release);
  return {};
}

void clear_failures() {
  MemoryFaults::instance().clear();
  const std::lock_guard lock(state().mutex);
  for (FunctionState& function : state().functions) {
    function.rules.clear();
    function.tasks.clear();
    function.has_rules.store(false, std::memory_order_release);
  }
}

Effect strike_task(std::string_view name, int32_t stream) {
  const std::optional<size_t> index = find_function(name);
  if (!index.has_value()) return {};
  const std::lock_guard lock(state().mutex);
  return state().functions[*index].tasks.strike([&] { return stream; });
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
