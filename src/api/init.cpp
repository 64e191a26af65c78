// SPDX-License-Identifier: Apache-2.0
// The composition root: names the backends, layers and fronts. The first call of any function puts
// them together; later calls bypass this file.
#include "api/init.h"

#include "api/adapters.h"
#include "api/trace.h"
#include "backends/cpu/backend.h"
#include "backends/null/backend.h"
#include "base/config.h"
#include "base/error_state.h"
#include "base/log.h"
#include "base/status.h"
#include "core/backend_registry.h"
#include "layers/check/calls/layer.h"
#include "layers/check/front/front.h"
#include "layers/fabric/front.h"
#include "layers/inject/front.h"
#include "layers/inject/inject.h"
#include "layers/snapshot/snapshot.h"
#include "layers/trace/calls.h"
#include "layers/trace/plugin_sink.h"
#include "layers/trace/session.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace ferry {
namespace {

// What the slot of an unsupported function does: 207000, or NULL or 0 if it returns no code.
template <class Slot>
struct Refusal;
template <class Return, class... Arguments>
struct Refusal<Return (*)(Arguments...)> {
  static Return call(Arguments... /*unused*/) {
    const Status refused =
        fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "the function is not supported");
    if constexpr (std::is_same_v<Return, aclError>) {
      return refused;
    } else {
      return Return();
    }
  }
};

// What the slot of a function does that only later releases of CANN have.
template <class Slot>
struct Absence;
template <class Return, class... Arguments>
struct Absence<Return (*)(Arguments...)> {
  static Return call(Arguments... /*unused*/) {
    const Status refused =
        fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
             "CANN %s does not have this function (FERRY_CANN)", config().release->name);
    if constexpr (std::is_same_v<Return, aclError>) {
      return refused;
    } else {
      return Return();
    }
  }
};

constexpr DispatchTable kBaseTable{
#define FERRY_API(ret, name, params, args, failure) .name = api::name,
#define FERRY_API_REFUSED(ret, name, params, args, failure) \
  .name = Refusal<decltype(DispatchTable::name)>::call,
#include "dispatch/api_list.def"
};

// The base table without the functions that the emulated release lacks.
// NOLINTNEXTLINE(readability-function-size): one line per function of the list
const DispatchTable& table_of_release() {
  static DispatchTable table = kBaseTable;
#define FERRY_SINCE(first, name)                               \
  if (config().release->number < ReleaseNumber::first) {       \
    table.name = Absence<decltype(DispatchTable::name)>::call; \
  }
#include "dispatch/releases.def"
  return table;
}

// The table below the layers that can be switched on at any time.
const DispatchTable* quiet_table = &kBaseTable;

// Whether such a layer is there. Each is pushed once, on top of what is there then.
struct LateLayer {
  const DispatchTable& (*table_over)(const DispatchTable& next);
  std::atomic<bool> is_on{false};
};
LateLayer injection{layers::inject::table_over};
LateLayer snapshots{layers::snapshot::table_over};
std::atomic<bool> has_trace_layer{false};

std::mutex& late_layers_mutex() {  // held while one is pushed
  static auto* instance = new std::mutex;
  return *instance;
}

void switch_check_on() {
  if (Problem wrong = layers::check::switch_on(config())) return refuse_config(std::move(wrong));
  // Fronts stand in the order of these calls: the first is next to the backend. A front that
  // records what the program submits comes behind the checker's, whose own steps it does not see
  // then.
  add_front(layers::check::put_check_in_front);
  quiet_table = &layers::check::table_over(*quiet_table);
}

// The trace of FERRY_TRACE. Its file is made when something is recorded: a process may only want to
// know whether the configuration is valid.
const DispatchTable& trace_over(const DispatchTable& table) {
  const TraceConfig& trace = config().trace;
  if (const std::string wrong = layers::trace::check_path(trace.path); !wrong.empty()) {
    refuse_config(std::make_unique<Error>("FERRY_TRACE", Value::quoted(trace.path.c_str()),
                                          ", which " + wrong));
    return table;
  }
  if (!config().problems.empty()) return table;
  connect_trace();
  const Status started =
      layers::trace::start(trace.path, trace.options, layers::trace::Creation::kAtFirstEvent);
  if (!started.ok()) {
    FERRY_LOG(kError, "there is no trace: %s", recent_error().text());
    return table;
  }
  has_trace_layer.store(true, std::memory_order_release);
  return layers::trace::table_over(table);
}

// If memory runs out on the way, the next call of the process begins anew: every step can be
// repeated.
void put_together() {
  add_builtin_backend(cpu::backend());
  add_builtin_backend(null::backend());
  if (config().problems.empty()) {
    if (Problem wrong = check_devices(config())) refuse_config(std::move(wrong));
  }
  if (config().release->number != ReleaseNumber::kNewest) quiet_table = &table_of_release();
  // Next to the backend: the checker sees work with memory of other hosts as the program made it.
  if (config().fabric.is_on()) add_front(layers::fabric::put_fabric_in_front);
  if (config().check.is_on) switch_check_on();
  const DispatchTable* table = quiet_table;
  if (!config().failures.empty()) {
    layers::inject::clear_failures();  // of a first call that ran out of memory here
    for (const FailureRule& rule : config().failures) {
      if (const std::string wrong = layers::inject::add_failure(rule); !wrong.empty()) {
        refuse_config(std::make_unique<Error>(
            "FERRY_FAIL", Value(rule.function.c_str()).after(" names "), ", but " + wrong));
      }
    }
    // Outside of the checker's front, which then does not see work that fails.
    const bool fails_tasks = std::any_of(config().failures.begin(), config().failures.end(),
                                         [](const FailureRule& rule) { return rule.is_at_run; });
    if (fails_tasks) add_front(layers::inject::put_inject_in_front);
    table = &layers::inject::table_over(*table);
    injection.is_on.store(true, std::memory_order_release);
  }
  if (!config().trace.path.empty()) table = &trace_over(*table);
  active_table.store(table, std::memory_order_release);
}

// The table before the first call of the process.
#define FERRY_API(ret, name, params, args, failure) \
  ret first_##name params {                         \
    ensure_put_together();                          \
    return dispatch().name args;                    \
  }
#include "dispatch/api_list.def"

constexpr DispatchTable kFirstTable{
#define FERRY_API(ret, name, params, args, failure) .name = first_##name,
#include "dispatch/api_list.def"
};

}  // namespace

std::atomic<const DispatchTable*> active_table{&kFirstTable};

namespace {

pid_t watched = 0;  // the process that ends with a line even if it makes no call

// Page faults of the processes that this one has started and waited for; more than before means
// that there were some.
long faults_of_children() {
  rusage usage{};
  return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? usage.ru_minflt : 0;
}
long faults_before = 0;

void end_without_call(int /*status*/, void* /*unused*/) {
  if (getpid() != watched || active_table.load() != &kFirstTable) return;
  try {
    if (config().check.is_on && config().problems.empty()) {
      layers::check::report_no_calls(config(), faults_of_children() > faults_before);
    }
  } catch (const std::bad_alloc&) {
    std::fputs("ferry: the summary is lost: host memory is exhausted\n", stderr);
  }
}

// `ferry run --check` passes the number of the process that it becomes. That process must not end
// in silence if none of its calls reaches the library. Others may: shells, and what they start.
__attribute__((constructor)) void watch_for_silence() {
  const char* number = std::getenv("_FERRY_RUN");
  if (number == nullptr || number != std::to_string(getpid())) return;
  watched = getpid();
  faults_before = faults_of_children();
  on_exit(end_without_call, nullptr);
}

}  // namespace

void ensure_put_together() {
  static std::once_flag once;
  std::call_once(once, put_together);
}

namespace {

void switch_on(LateLayer& layer) {
  ensure_put_together();
  if (layer.is_on.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(late_layers_mutex());
  if (layer.is_on.load(std::memory_order_relaxed)) return;
  if (has_trace_layer.load(std::memory_order_relaxed)) {
    layers::trace::set_next(layer.table_over(layers::trace::next()));
  } else {
    const DispatchTable& below = *active_table.load(std::memory_order_acquire);
    active_table.store(&layer.table_over(below), std::memory_order_release);
  }
  layer.is_on.store(true, std::memory_order_release);
}

}  // namespace

void switch_injection_on() {
  switch_on(injection);
}

bool is_injection_on() {
  return injection.is_on.load(std::memory_order_acquire);
}

void switch_snapshots_on() {
  switch_on(snapshots);
}

void switch_trace_layer_on() {
  ensure_put_together();
  const std::lock_guard lock(late_layers_mutex());
  if (has_trace_layer.load(std::memory_order_relaxed)) return;
  const DispatchTable& below = *active_table.load(std::memory_order_acquire);
  active_table.store(&layers::trace::table_over(below), std::memory_order_release);
  has_trace_layer.store(true, std::memory_order_release);
}

}  // namespace ferry
