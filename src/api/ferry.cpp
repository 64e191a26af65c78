// SPDX-License-Identifier: Apache-2.0
// The functions of ferry/ferry.h.
#include "ferry/ferry.h"

#include "api/arguments.h"
#include "api/exported.h"
#include "api/init.h"
#include "backends/null/backend.h"
#include "base/config.h"
#include "base/error_state.h"
#include "base/program_call.h"
#include "base/program_wait.h"
#include "base/script_place.h"
#include "base/soc.h"
#include "base/status.h"
#include "base/work.h"
#include "core/kernel/device_access.h"
#include "core/location.h"
#include "core/model/repeated_work.h"
#include "core/runtime.h"
#include "core/stream.h"
#include "core/stream_function.h"
#include "dispatch/functions.h"
#include "layers/check/report/report.h"
#include "layers/check/report/site.h"
#include "layers/check/rules/rule.h"
#include "layers/check/world/world.h"
#include "layers/fabric/report.h"
#include "layers/inject/inject.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::api {
namespace {

void run_device_function(void* argument, int run) {
  const std::unique_ptr<StreamFunction> call(static_cast<StreamFunction*>(argument));
  if (run == 0) return;
  may_access_device_memory = true;
  call_program(
      Called::kOtherwise, Thrown::kEndsHere, [&] { call->function(call->argument); },
      [&](const char* instead) {
        may_access_device_memory = false;
        call->end(ACL_ERROR_RT_AICORE_EXCEPTION, instead);
      });
}

Status launch(aclrtStream stream, ferryDeviceFunction function, void* argument) {
  if (function == nullptr) return fail_null("fn");
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR((*found)->check_open_for_work());
  auto call = std::make_unique<StreamFunction>(StreamFunction{.function = function,
                                                              .argument = argument,
                                                              .stream = (*found)->handle(),
                                                              .call = current_function()});
  if ((*found)->recorder() != nullptr) return record_function(**found, run_device_function, *call);
  ferryx_work work = make_work(FERRYX_FUNCTION, &ferryx_payload::function,
                               {.run = run_device_function, .argument = call.get()});
  const Status queued = (*found)->submit(work);
  if (queued.ok()) static_cast<void>(call.release());  // run_device_function owns it now
  return queued;
}

Status add_failure(const char* function, uint64_t nth, aclError code) {
  if (function == nullptr) return fail_null("function");
  if (code == ACL_SUCCESS) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "code", 0).because(", which is no failure");
  }
  const std::string wrong =
      layers::inject::add_failure({.function = function, .nth = nth, .code = code});
  if (!wrong.empty()) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "function", Value::quoted(function))
        .because(", but %s", wrong.c_str());
  }
  switch_injection_on();
  return {};
}

// The count of the rule so far; an unknown name is an error.
Result<uint64_t> count_of_rule(const char* name, uint64_t layers::check::RuleCount::*member) {
  const std::span<layers::check::Rule* const> rules = layers::check::all_rules();
  const bool is_known = std::any_of(rules.begin(), rules.end(), [&](layers::check::Rule* rule) {
    return std::string_view(name) == rule->info().name;
  });
  if (!is_known) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "rule", Value::alone(name))
        .because(" is no rule of the check");
  }
  for (const layers::check::RuleCount& count : layers::check::rule_counts()) {
    if (std::string_view(name) == count.rule->name) return count.*member;
  }
  return uint64_t{0};
}

Status tell(const Error& error, const char* argument, ferryErrorInfo* info) {
  if (info == nullptr) return fail_null(argument);
  if (info->structSize < sizeof *info) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "structSize", info->structSize)
        .allowed("%zu or more", sizeof *info);
  }
  *info = {.structSize = info->structSize,
           .code = error.code,
           .messageCode = name_of(error.message),
           .function = error.function,
           .argument = error.argument(),
           .value = error.value(),
           .allowed = error.allowed(),
           .text = error.text()};
  return {};
}

}  // namespace
}  // namespace ferry::api

using namespace ferry;       // NOLINT(google-build-using-namespace): C functions have no namespace
using namespace ferry::api;  // NOLINT(google-build-using-namespace)

const char* ferryVersion(void) {
  return FERRY_VERSION;
}

aclError ferryGetErrorInfo(ferryErrorInfo* info) {
  return exported("ferryGetErrorInfo", [&] { return tell(recent_error(), "info", info); });
}

aclError ferryGetProblem(size_t index, ferryErrorInfo* problem) {
  return exported("ferryGetProblem", [&] {
    const std::vector<Error>& wrong = config().problems;
    const Error* found = index < wrong.size() ? &wrong[index] : nullptr;
    if (index == wrong.size()) found = Runtime::problem();
    if (found != nullptr) return tell(*found, "problem", problem);
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "index", index)
        .expected()
        .because(", but there is no such problem");
  });
}

aclError ferryFailCall(const char* function, uint64_t nth, aclError code) {
  return exported("ferryFailCall", [&] { return add_failure(function, nth, code); });
}

aclError ferryClearFailures(void) {
  return exported("ferryClearFailures", [] {
    layers::inject::clear_failures();
    return Status();
  });
}

aclError ferryResetCallCounts(void) {
  return exported("ferryResetCallCounts", [] {
    layers::inject::reset_counts();
    switch_injection_on();
    return Status();
  });
}

uint64_t ferryCallCount(const char* function) {
  uint64_t count = FERRY_NOT_COUNTED;
  // The function returns no aclError: only the text reports a failure.
  static_cast<void>(exported("ferryCallCount", [&] {
    if (function == nullptr) return fail_null("function");
    uint64_t counted = 0;
    if (!layers::inject::count_of(function, counted)) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "function", Value::alone(function))
          .because(" is not a function of this library");
    }
    if (!is_injection_on()) {
      return fail(ACL_ERROR_INVALID_PARAM, kEH0009,
                  "calls are not counted yet: call ferryResetCallCounts first");
    }
    count = counted;
    return Status();
  }));
  return count;
}

uint64_t ferryCheckCount(const char* rule) {
  uint64_t count = FERRY_NOT_COUNTED;
  static_cast<void>(exported("ferryCheckCount", [&] {
    if (rule == nullptr) {
      count = layers::check::error_count();
      return Status();
    }
    FERRY_TRY(uint64_t, counted, count_of_rule(rule, &layers::check::RuleCount::findings));
    count = *counted;
    return Status();
  }));
  return count;
}

uint64_t ferryCheckUnexplained(const char* rule) {
  uint64_t count = FERRY_NOT_COUNTED;
  static_cast<void>(exported("ferryCheckUnexplained", [&] {
    if (rule == nullptr) return fail_null("rule", ACL_ERROR_INVALID_PARAM, kEH0007);
    FERRY_TRY(uint64_t, counted, count_of_rule(rule, &layers::check::RuleCount::unexplained));
    count = *counted;
    return Status();
  }));
  return count;
}

size_t ferryCheckReport(char* text, size_t size) {
  size_t length = 0;
  static_cast<void>(exported("ferryCheckReport", [&] {
    const std::string report = layers::check::current_report();
    length = report.size();
    if (text != nullptr && size > 0) text[report.copy(text, size - 1)] = '\0';
    return Status();
  }));
  return length;
}

aclError ferryGetFabricCounts(ferryFabricCounts* counts) {
  return exported("ferryGetFabricCounts", [&] {
    if (counts == nullptr) return fail_null("counts");
    if (counts->structSize < sizeof *counts) {
      return Status(reject(ACL_ERROR_INVALID_PARAM, kEH0007, "structSize", counts->structSize)
                        .allowed("%zu or more", sizeof *counts));
    }
    return layers::fabric::get_counts(*counts);
  });
}

size_t ferryFabricReport(int everyProcess, char* text, size_t size) {
  size_t length = 0;
  static_cast<void>(exported("ferryFabricReport", [&] {
    const std::string report =
        everyProcess != 0 ? layers::fabric::report_all() : layers::fabric::report_own();
    length = report.size();
    if (text != nullptr && size > 0) text[report.copy(text, size - 1)] = '\0';
    return Status();
  }));
  return length;
}

// Does not put the library together: an interpreter loads its modules before it calls the API.
void ferrySetScriptStack(ferryScriptStack provider) {
  layers::check::set_script_stack(provider);
}

const char* ferryNoteWork(const char* text) {
  return layers::check::note_work(text);
}

void ferryNoteBlockTaken(const void* devPtr) {
  static_cast<void>(exported("ferryNoteBlockTaken", [&] {
    if (config().check.is_on) layers::check::World::instance().block_taken(devPtr);
    return Status();
  }));
}

void ferryNoteBlockReleased(const void* devPtr) {
  static_cast<void>(exported("ferryNoteBlockReleased", [&] {
    if (config().check.is_on) layers::check::World::instance().block_released(devPtr);
    return Status();
  }));
}

int ferryWantsScriptPlaces(void) {
  return wants_script_places.load(std::memory_order_relaxed) ? 1 : 0;
}

const char* ferryNoteScriptPlace(const char* place) {
  return std::exchange(script_place, place);
}

aclError ferryLaunchDeviceFunction(aclrtStream stream, ferryDeviceFunction fn, void* arg) {
  return exported("ferryLaunchDeviceFunction", [&] { return launch(stream, fn, arg); });
}

void* ferryDeviceAddress(const void* devPtr) {
  void* address = nullptr;
  static_cast<void>(exported("ferryDeviceAddress", [&] {
    if (!may_access_device_memory) {
      return fail(ACL_ERROR_INVALID_PARAM, kEH0009,
                  "device memory can be touched only inside a function of "
                  "ferryLaunchDeviceFunction, or a stand-in of ferryRegisterKernel");
    }
    const Location location = locate(devPtr);
    if (location.is_host()) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "devPtr", devPtr)
          .because(", which is not in live device memory");
    }
    address = location.storage_of(1);
    if (config().check.is_on) layers::check::World::instance().function_uses(devPtr);
    return Status();
  }));
  return address;
}

aclError ferrySetWaitFunctions(ferryWaitBegin begin, ferryWaitEnd end) {
  return exported("ferrySetWaitFunctions", [&] {
    if (begin == nullptr && end != nullptr) return fail_null("begin");
    if (end == nullptr && begin != nullptr) return fail_null("end");
    set_wait_functions(begin, end);
    return Status();
  });
}

aclError ferryNullFail(const char* slot, uint64_t nth, aclError code) {
  return exported("ferryNullFail", [&] {
    if (slot == nullptr) return fail_null("slot");
    if (null::fail_on_demand(slot, nth, code)) return Status();
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "slot", Value::quoted(slot))
        .because(", which is not a function of the null backend that can fail");
  });
}

aclError ferryNullClear(void) {
  return exported("ferryNullClear", [] {
    null::clear_failures();
    return Status();
  });
}

aclError ferryGetVariable(size_t index, ferryVariable* variable) {
  return exported("ferryGetVariable", [&] {
    if (variable == nullptr) return fail_null("variable");
    if (index >= variables().size()) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "index", index)
          .expected()
          .allowed("0 to %zu", variables().size() - 1);
    }
    const Variable& row = variables()[index];
    *variable = {.name = row.name, .values = row.values, .meaning = row.meaning};
    return Status();
  });
}

aclError ferryGetRule(size_t index, ferryRule* rule) {
  return exported("ferryGetRule", [&] {
    if (rule == nullptr) return fail_null("rule");
    const std::span<layers::check::Rule* const> rules = layers::check::all_rules();
    if (index >= rules.size()) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "index", index)
          .expected()
          .allowed("0 to %zu", rules.size() - 1);
    }
    const layers::check::RuleInfo& info = rules[index]->info();
    *rule = {.name = info.name,
             .severity = info.severity == layers::check::Severity::kError ? "error" : "note",
             .mutedByDefault = info.is_muted_by_default ? 1 : 0,
             .summary = info.summary,
             .advice = info.advice};
    return Status();
  });
}

aclError ferryGetDevice(int32_t deviceId, ferryDevice* device) {
  return exported("ferryGetDevice", [&] {
    if (device == nullptr) return fail_null("device");
    FERRY_TRY(Device*, found, find_device(deviceId));
    FERRY_TRY(ferryx_device*, open, (*found)->open());
    const ferryx_backend& backend = (*found)->backend();
    uint64_t free_bytes = 0;
    *device = {.kind = backend.name,
               .memory = 0,
               .name = backend.device_name != nullptr ? backend.device_name(*open) : ""};
    return Status(backend.device_memory(*open, &free_bytes, &device->memory));
  });
}

aclError ferryGetCopyWay(int32_t deviceId, size_t index, ferryCopyWay* way) {
  return exported("ferryGetCopyWay", [&] {
    if (way == nullptr) return fail_null("way");
    FERRY_TRY(Device*, found, find_device(deviceId));
    FERRY_TRY(ferryx_device*, open, (*found)->open());
    const ferryx_backend& backend = (*found)->backend();
    ferryx_copy_way taken{};
    if (backend.copy_way == nullptr || backend.copy_way(*open, index, &taken) != ACL_RT_SUCCESS) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "index", index)
          .expected()
          .because(", but device %d lists no such way to copy", deviceId);
    }
    *way = {.name = taken.name,
            .reason = taken.reason,
            .tasks = taken.tasks,
            .bytes = taken.bytes,
            .multiprocessors = taken.multiprocessors};
    return Status();
  });
}

const char* ferryGetSchedule(uint64_t* seed) {
  const char* name = nullptr;
  static_cast<void>(exported("ferryGetSchedule", [&] {
    if (!config().problems.empty()) {
      return fail(ACL_ERROR_INVALID_PARAM, kEH0009, config().problems.front());
    }
    name = config().schedule.name();
    if (seed != nullptr) *seed = config().schedule.seed;
    return Status();
  }));
  return name;
}

aclError ferryGetProduct(size_t index, ferryProduct* product) {
  return exported("ferryGetProduct", [&] {
    if (product == nullptr) return fail_null("product");
    if (index >= known_socs().size()) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "index", index)
          .expected()
          .allowed("0 to %zu", known_socs().size() - 1);
    }
    const Soc& row = known_socs()[index];
    *product = {.name = row.name,
                .family = row.traits->family,
                .batchCopy = row.traits->batch_copy ? 1 : 0,
                .descriptorCopy = row.traits->descriptor_copy ? 1 : 0,
                .memsetD32 = row.traits->fill_d32 ? 1 : 0,
                .copy2dInsideDevice = row.traits->copy_2d_inside_device ? 1 : 0,
                .peerAccessNeeded = row.traits->peer_access_needed ? 1 : 0};
    return Status();
  });
}

aclError ferryGetFunction(size_t index, ferryFunction* function) {
  return exported("ferryGetFunction", [&] {
    if (function == nullptr) return fail_null("function");
    if (index >= kFunctions.size()) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "index", index)
          .expected()
          .allowed("0 to %zu", kFunctions.size() - 1);
    }
    *function = kFunctions[index];
    return Status();
  });
}
