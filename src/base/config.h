// SPDX-License-Identifier: Apache-2.0
// The configuration: the environment variables, read and checked once. Every variable is declared
// here and nowhere else; docs/env.md documents them for users.
#pragma once

#include "base/error.h"
#include "base/fabric_options.h"
#include "base/failure_rule.h"
#include "base/log.h"
#include "base/release.h"
#include "base/soc.h"
#include "base/trace_options.h"

#include "acl/acl_base_rt.h"
#include "ferry/backend.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferry {

// One entry of FERRY_DEVICES. Whether the backend exists and what the text means is checked later.
struct DeviceSpec {
  std::string backend;
  std::optional<std::string> text;  // after the colon
};

struct Schedule {
  enum class Kind : uint32_t {
    kEager = FERRYX_EAGER,
    kLazy = FERRYX_LAZY,
    kShuffle = FERRYX_SHUFFLE
  };
  const char* name() const;

  Kind kind = Kind::kEager;
  uint64_t seed = 0;  // of kShuffle
  bool is_given = false;
};

// FERRY_CHECK and its companions. The check layer validates the names of rules and files.
struct CheckConfig {
  bool is_on = false;
  std::vector<std::string> rules;  // only these; empty: all
  std::vector<std::string> muted;  // none of these
  std::string report;              // a file for JSON; "" for none
  std::string suppressions;        // a file; "" for none
};

// FERRY_TRACE and FERRY_TRACE_OPTIONS. The trace layer validates the path.
struct TraceConfig {
  std::string path;  // "": no trace
  TraceOptions options;
};

// FERRY_KERNELS: what becomes of kernels without a stand-in, or a file that registers stand-ins.
struct KernelConfig {
  bool skips_unknown = false;
  std::string file;  // a shared object; "" for none
};

struct Config {
  std::vector<DeviceSpec> devices{{.backend = "cpu", .text = {}}};
  std::optional<std::vector<uint32_t>> visible_devices;  // ASCEND_RT_VISIBLE_DEVICES
  uint64_t memory = 0;                                   // 0: from this machine
  bool memory_is_shared = false;                         // common to the processes of the user
  uint32_t threads = 0;                                  // 0: from the cores
  const Soc* soc = nullptr;                              // never null once parsed
  const Release* release = nullptr;                      // the same
  Schedule schedule;
  std::vector<FailureRule> failures;
  CheckConfig check;
  TraceConfig trace;
  KernelConfig kernels;
  FabricOptions fabric;
  LogLevel log_level = LogLevel::kOff;
  std::string log_file;
  std::vector<std::string> plugin_folders;  // FERRY_PLUGINS
  // By backend: lines "key=value", from variables FERRY_<BACKEND>_<KEY>.
  std::map<std::string, std::string, std::less<>> options;

  // What is wrong with the environment; `argument` is the variable. Empty if it is valid. Otherwise
  // the values above are defaults, and calls fail because of the first problem.
  std::vector<Error> problems;
};

// One row of `ferry env` and docs/env.md.
struct Variable {
  const char* name;
  const char* values;
  const char* meaning;
};
std::span<const Variable> variables();

// Parses entries of the form NAME=value; names of others are ignored. Pure, for tests.
Config parse_config(std::span<const char* const> environment);

// The configuration of the process, parsed on first use.
const Config& config();

// Refuses the configuration after it was parsed, for checks that only other components can make.
// Call before the configuration is used.
void refuse_config(Problem problem);

// ASCEND_RT_VISIBLE_DEVICES as it is now. Programs set it until the first call that needs a device,
// after calls that need none; the other variables are read once, by the first call.
Problem read_visible_devices(std::optional<std::vector<uint32_t>>& visible);

// ASCEND_RT_VISIBLE_DEVICES names a device that is not among `count`.
Problem wrong_visible_device(uint32_t index, size_t count);

}  // namespace ferry
