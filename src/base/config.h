// SPDX-License-Identifier: Apache-2.0
// The configuration: what the environment says, read and checked once. Every variable is declared
// here and nowhere else; docs/env.md is the page for users.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "base/soc.h"

#include "acl/acl_base_rt.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferry {

// One entry of FERRY_DEVICES.
struct DeviceSpec {
  std::string backend;             // "cpu", "cuda", "null"
  std::optional<uint32_t> number;  // a count for cpu and null, an index for cuda
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

// How a CUDA device copies batches.
enum class CudaBatch { kAuto, kEngine, kKernel };

struct Config {
  std::vector<DeviceSpec> devices{{.backend = "cpu", .number = {}}};
  std::optional<std::vector<uint32_t>> visible_devices;  // ASCEND_RT_VISIBLE_DEVICES
  uint64_t memory = 0;                                   // 0: from this machine
  uint32_t threads = 0;                                  // 0: from the cores
  const Soc* soc = nullptr;                              // never null once parsed
  Schedule schedule;
  std::vector<FailureRule> failures;
  CheckConfig check;
  LogLevel log_level = LogLevel::kOff;
  std::string log_file;
  CudaBatch cuda_batch = CudaBatch::kAuto;
  uint32_t cuda_multiprocessors = 0;  // most that a copy kernel takes; 0: no limit of the user's

  // What is wrong with the environment: `argument` is the variable. Empty when all is well, else
  // the values above are defaults, and calls fail because of the first one.
  std::vector<Error> problems;
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

// The process's configuration, parsed at the first use.
const Config& config();

// Makes the configuration wrong after it was parsed, for what only others can judge. To be called
// before the configuration is used.
void refuse_config(Problem problem);

// ASCEND_RT_VISIBLE_DEVICES names a device that is not among `count`.
Problem wrong_visible_device(uint32_t index, size_t count);

}  // namespace ferry
