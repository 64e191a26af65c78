// SPDX-License-Identifier: Apache-2.0
// The library's information about itself, fault injection for tests, and process exit. A thin
// wrapper of ferry.h.
#include "library.h"

#include "../acl/lock.h"
#include "counters.h"
#include "errors.h"
#include "memory.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <dlfcn.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

namespace nb = nanobind;

namespace ferry::python {
namespace {

void check(const char* function, aclError code) {
  const Outcome outcome = outcome_of(function, code);
  if (!outcome.is_success()) raise(outcome);
}

nb::tuple schedule() {
  uint64_t seed = 0;
  const char* name = ferryGetSchedule(&seed);
  if (name == nullptr) check("ferryGetSchedule", ACL_ERROR_RT_DEV_SETUP_ERROR);
  return nb::make_tuple(name, seed);
}

nb::tuple device(int32_t id) {
  ferryDevice answer{};
  aclError code = ACL_SUCCESS;
  Outcome outcome;
  {
    const Unlocked unlocked;
    code = ferryGetDevice(id, &answer);
    outcome = outcome_of("ferryGetDevice", code);
  }
  if (!outcome.is_success()) raise(outcome);
  return nb::make_tuple(answer.kind, answer.memory);
}

nb::tuple take_error(int32_t code, const std::string& function) {
  return as_tuple(outcome_of(function.c_str(), code));
}

nb::object call_count(const std::string& function) {
  const uint64_t count = ferryCallCount(function.c_str());
  if (count == FERRY_NOT_COUNTED) {
    static_cast<void>(aclGetRecentErrMsg());  // its text is not a failure of the program
    return nb::none();
  }
  return nb::int_(count);
}

nb::dict own_counts() {
  const Counters& now = counters();
  nb::dict counts;
  counts["copies"] = now.copies;
  counts["batches"] = now.batches;
  counts["batch_items"] = now.batch_items;
  counts["batch_fallbacks"] = now.batch_fallbacks;
  counts["bytes"] = now.bytes;
  counts["buffers"] = now.buffers;
  counts["device_bytes"] = now.device_bytes;
  counts["pinned_bytes"] = now.pinned_bytes;
  return counts;
}

// None without a fabric.
nb::object fabric_counts() {
  ferryFabricCounts now{};
  now.structSize = sizeof now;
  if (ferryGetFabricCounts(&now) != ACL_SUCCESS) {
    static_cast<void>(aclGetRecentErrMsg());  // its text is not a failure of the program
    return nb::none();
  }
  nb::dict counts;
  counts["peers"] = now.peers;
  counts["objects_in_use"] = now.objectsInUse;
  counts["objects_lent"] = now.objectsLent;
  counts["bytes_put"] = now.bytesPut;
  counts["bytes_got"] = now.bytesGot;
  counts["bytes_staged"] = now.bytesStaged;
  counts["bytes_relayed"] = now.bytesRelayed;
  counts["requests"] = now.requests;
  counts["packed_requests"] = now.packedRequests;
  counts["signals"] = now.signals;
  counts["retries"] = now.retries;
  counts["refused"] = now.refused;
  counts["lost"] = now.lost;
  return counts;
}

nb::list variables() {
  nb::list list;
  ferryVariable variable{};
  for (size_t i = 0; ferryGetVariable(i, &variable) == ACL_SUCCESS; ++i)
    list.append(nb::make_tuple(variable.name, variable.values, variable.meaning));
  static_cast<void>(aclGetRecentErrMsg());  // the end of the list is not a failure
  return list;
}

uint64_t check_count(const std::optional<std::string>& rule) {
  uint64_t count = 0;
  Outcome outcome;
  {
    const Unlocked unlocked;
    count = ferryCheckCount(rule ? rule->c_str() : nullptr);
    if (count == FERRY_NOT_COUNTED) {
      outcome = outcome_of("ferryCheckCount", ACL_ERROR_INVALID_PARAM);
    }
  }
  if (!outcome.is_success()) raise(outcome);
  return count;
}

std::string check_report() {
  const Unlocked unlocked;
  std::string text;
  for (size_t length = ferryCheckReport(nullptr, 0); length > text.size();) {
    text.resize(length);
    // The length grows when findings were added meanwhile.
    length = ferryCheckReport(text.data(), text.size() + 1);
    if (length < text.size()) text.resize(length);
  }
  return text;
}

std::string library_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&ferryVersion), &info) == 0) return {};
  return info.dli_fname;
}

}  // namespace

void add_library(nb::module_& module) {
  module.def("take_error", take_error, nb::arg("code"), nb::arg("function"));
  module.def("version", [] { return std::string(ferryVersion()); });
  module.def("library_path", library_path);
  module.def("schedule", schedule);
  module.def("device", device, nb::arg("id"));
  module.def("variables", variables);
  module.def("own_counts", own_counts);
  module.def("fabric_counts", fabric_counts);
  module.def("reset_call_counts", [] { check("ferryResetCallCounts", ferryResetCallCounts()); });
  module.def("call_count", call_count, nb::arg("function"));
  module.def(
      "fail_call",
      [](const std::string& function, uint64_t nth, int32_t code) {
        check("ferryFailCall", ferryFailCall(function.c_str(), nth, code));
      },
      nb::arg("function"), nb::arg("nth"), nb::arg("code"));
  module.def("clear_failures", [] { check("ferryClearFailures", ferryClearFailures()); });
  module.def("check_count", check_count, nb::arg("rule") = nb::none());
  module.def("check_report", check_report);
  module.def("stop_giving_back", stop_giving_back);
}

}  // namespace ferry::python
