// SPDX-License-Identifier: Apache-2.0
// The configuration: what the environment says, read and checked once. Every variable is declared
// here and nowhere else; docs/env.md is the page for users.
#pragma once

#include "base/log.h"
#include "base/soc.h"

#include "acl/acl_base_rt.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferry {

// One entry of FERRY_DEVICES. Which backends there are, and what the text means to one, is not
// known here.
struct DeviceSpec {
  std::string backend;
  std::optional<std::string> text;  // behind the colon
};

struct Schedule {
  enum class Kind { kEager, kLazy, kShuffle };
  Kind kind = Kind::kEager;
  uint64_t seed = 0;  // of kShuffle
  bool is_given = false;
};

// One entry of FERRY_FAIL: the `nth` call of `function` (1 is the first; 0 means every call).
struct FailureRule {
  std::string function;
  uint64_t nth = 0;
  aclError code = 0;
};

// What FERRY_CHECK and its kin ask for. Whether there are such rules and files the check layer
// judges.
struct CheckConfig {
  bool is_on = false;
  std::vector<std::string> rules;  // only these; empty: all
  std::vector<std::string> muted;  // none of these
  std::string report;              // a file for JSON; "" for none
  std::string suppressions;        // a file; "" for none
};

struct Config {
  std::vector<DeviceSpec> devices{{.backend = "cpu", .text = {}}};
  std::optional<std::vector<uint32_t>> visible_devices;  // ASCEND_RT_VISIBLE_DEVICES
  uint64_t memory = 0;                                   // 0: from this machine
  uint32_t threads = 0;                                  // 0: from the cores
  const Soc* soc = nullptr;                              // never null once parsed
  Schedule schedule;
  std::vector<FailureRule> failures;
  CheckConfig check;
  LogLevel log_level = LogLevel::kOff;
  std::string log_file;
  std::vector<std::string> plugin_folders;  // FERRY_PLUGINS
  // By backend: lines "key=value", from variables FERRY_<BACKEND>_<KEY>.
  std::map<std::string, std::string, std::less<>> options;

  // Why the environment was refused; empty when all is well. Values above are defaults then.
  std::string error;
};

// One row of `ferry env` and docs/env.md.
struct Variable {
  const char* name;
  const char* values;
  const char* meaning;
};
std::span<const Variable> variables();

// Parses entries of the form NAME=value; foreign names are passed over. Pure, for tests.
Config parse_config(std::span<const char* const> environment);

// One FERRY_FAIL list. On failure returns a text that says what is wrong, else "".
std::string parse_failures(std::string_view text, std::vector<FailureRule>& out);

// The process's configuration, parsed at the first use.
const Config& config();

// Makes the configuration wrong after it was parsed, for what only others can judge. To be called
// before the configuration is used; the first refusal stands.
void refuse_config(const std::string& why);

}  // namespace ferry
