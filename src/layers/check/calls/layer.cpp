// SPDX-License-Identifier: Apache-2.0
// Every exported function passes through here when the layer is on. World learns the call site, the
// arguments and the result.
#include "layers/check/calls/layer.h"

#include "base/program_call.h"
#include "layers/check/calls/call.h"
#include "layers/check/calls/objects_of_calls.h"
#include "layers/check/guard/guard.h"
#include "layers/check/report/exit.h"
#include "layers/check/report/report.h"
#include "layers/check/world/world.h"

#include <pthread.h>

#include <atomic>
#include <bit>
#include <new>
#include <type_traits>
#include <utility>

namespace ferry::layers::check {
namespace {

const DispatchTable* next_table = nullptr;
// False in the child of a fork: its locks may be held by threads that exist only in the parent.
std::atomic<bool> is_on{false};

template <class T>
uint64_t as_word(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<uint64_t>(value);
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return static_cast<uint64_t>(value);
  } else {
    return 0;  // other types, which no rule reads
  }
}

// Rules ask for the call site with World's lock held. Where that is likely, the stack is captured
// first. With an interpreter it always is: capturing needs the interpreter's lock, and the thread
// that holds that may be waiting for World's lock.
void before(const Call& call) {
  if (is_in_callback() || has_script_stack()) static_cast<void>(call.site());
  if (!is_in_callback()) return;
  World::instance().tell_before(call);
}

// These return the code of an earlier call.
bool tells_of_others(Function function) {
  return function == Function::aclrtPeekAtLastError || function == Function::aclrtGetLastError;
}

void after(const Call& call, aclError code) {
  if (tells_of_others(call.function())) code = ACL_SUCCESS;
  const bool is_end = call.function() == Function::aclFinalize ||
                      call.function() == Function::aclrtResetDevice ||
                      call.function() == Function::aclrtResetDeviceForce;
  if (code != ACL_SUCCESS || is_end) static_cast<void>(call.site());
  if (code == ACL_SUCCESS) {
    note_objects(call, *next_table);
  } else {
    World::instance().host_learns_of_stops();
  }
  World::instance().tell_after(call, code);
  await_told();
}

// What the checker does around a call must not change what the call returns.
template <class Telling, class... Arguments>
void tell(Telling telling, const Arguments&... arguments) noexcept {
  try {
    telling(arguments...);
  } catch (const std::bad_alloc&) {
    World::instance().forget_everything();
  }
}

// One function of the table, with the work before and after it.
template <class Next>
class Around;
template <class Return, class... Parameters>
class Around<Return (*)(Parameters...)> {
 public:
  Around(Function function, const char* names, Return (*next)(Parameters...))
      : function_(function), names_(names), next_(next) {}

  Return operator()(Parameters... parameters) const {
    if (!is_on.load(std::memory_order_relaxed)) return next_(parameters...);
    extent.calls.fetch_add(1, std::memory_order_relaxed);
    const uint64_t words[] = {as_word(parameters)..., 0};
    const Call call(function_, names_, {words, sizeof...(Parameters)});
    tell(before, call);
    if constexpr (std::is_same_v<Return, aclError>) {
      const aclError code = next_(parameters...);
      tell(after, call, code);
      return code;
    } else {
      return next_(parameters...);
    }
  }

 private:
  Function function_;
  const char* names_;
  Return (*next_)(Parameters...);
};

#define FERRY_API(ret, name, params, args, failure)                                             \
  ret name params {                                                                             \
    return Around<decltype(DispatchTable::name)>(Function::name, #args, next_table->name) args; \
  }
#include "dispatch/api_list.def"

void leave_child_alone() {
  is_on.store(false, std::memory_order_relaxed);
  disown_guards_in_child();
}

void on_touch(const Touch& touch) {
  World::instance().tell_touch(touch);
  await_told();
}

void at_end_of_program() {
  World::instance().tell_end();
}

std::string schedule_text(const Schedule& schedule) {
  switch (schedule.kind) {
    case Schedule::Kind::kEager:
      return "eager";
    case Schedule::Kind::kLazy:
      return "lazy";
    case Schedule::Kind::kShuffle:
      return "shuffle:" + std::to_string(schedule.seed);
  }
  return {};
}

}  // namespace

namespace {

ReportOptions options_of(const Config& config) {
  return {.rules = config.check.rules,
          .muted = config.check.muted,
          .file = config.check.report,
          .suppressions = config.check.suppressions,
          .schedule = schedule_text(config.schedule)};
}

Problem switch_reports_on(const Config& config) {
  std::vector<const RuleInfo*> infos;
  for (const Rule* rule : all_rules())
    infos.push_back(&rule->info());
  return open_reports(options_of(config), infos);
}

}  // namespace

Problem switch_on(const Config& config) {
  // If memory runs out on the way, the next call of the process comes here again.
  static bool has_reports = false;
  static bool has_guards = false;
  if (!has_reports) {
    if (Problem wrong = switch_reports_on(config)) return wrong;
    has_reports = true;
  }
  static_cast<void>(World::instance());  // made here, where a lack of memory fails the call
  // Without guards, contents of memory are still compared.
  if (!std::exchange(has_guards, true)) static_cast<void>(open_guards(on_touch));
  pthread_atfork(nullptr, nullptr, leave_child_alone);
  at_end(at_end_of_program);
  is_on.store(true, std::memory_order_relaxed);
  return {};
}

void report_no_calls(const Config& config, bool has_children) {
  report_silence(options_of(config), has_children);
}

const DispatchTable& table_over(const DispatchTable& next) {
  next_table = &next;
  static constexpr DispatchTable kTable{
#define FERRY_API(ret, name, params, args, failure) .name = name,
#include "dispatch/api_list.def"
  };
  return kTable;
}

}  // namespace ferry::layers::check
