// SPDX-License-Identifier: Apache-2.0
// Parsing the environment. Each variable has one parser that says what is wrong with the value; a
// name or value that is not understood is an error, never ignored.
#include "base/config.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace ferry {
namespace {

constexpr uint32_t kMaxDevices = 64;
constexpr uint32_t kMaxThreads = 256;
// All addresses that CPU devices have together.
constexpr uint64_t kAllCpuMemory = uint64_t{256} << 30;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

template <class Number>
bool parse_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// What is wrong with a value: the end of the text, and what of it says what is allowed.
struct Wrong {
  const char* detail = "";  // "" when nothing is wrong
  std::string allowed{};
};

Wrong allowed(const char* what) {
  return {", allowed is ", what};
}

Wrong parse_devices(std::string_view value, Config& config) {
  config.devices.clear();
  for (const std::string_view part : split(value, ',')) {
    const size_t colon = part.find(':');
    DeviceSpec spec{.backend = std::string(part.substr(0, colon)), .number = {}};
    if (spec.backend != "cpu" && spec.backend != "cuda" && spec.backend != "null") {
      return allowed("a comma list of cpu[:count], cuda[:index], null[:count]");
    }
    if (colon != std::string_view::npos) {
      uint32_t number = 0;
      const bool is_count = spec.backend != "cuda";
      if (!parse_number(part.substr(colon + 1), number) || number > kMaxDevices ||
          (is_count && number == 0)) {
        return is_count ? Wrong{", a count is ", "1 to 64"} : Wrong{", an index is ", "0 to 64"};
      }
      spec.number = number;
    }
    config.devices.push_back(std::move(spec));
  }
  return {};
}

Wrong parse_visible(std::string_view value, Config& config) {
  std::vector<uint32_t> visible;
  if (!value.empty()) {
    for (const std::string_view part : split(value, ',')) {
      uint32_t index = 0;
      if (!parse_number(part, index)) return allowed("a comma list of device numbers");
      if (std::find(visible.begin(), visible.end(), index) != visible.end()) {
        return {", a device is listed twice"};
      }
      visible.push_back(index);
    }
  }
  config.visible_devices = std::move(visible);
  return {};
}

Wrong parse_memory(std::string_view value, Config& config) {
  constexpr const char* kAllowed = "a size such as 8G, 512M, 64K or a number of bytes";
  uint64_t unit = 1;
  if (!value.empty()) {
    switch (value.back()) {
      case 'K':
        unit = uint64_t{1} << 10;
        break;
      case 'M':
        unit = uint64_t{1} << 20;
        break;
      case 'G':
        unit = uint64_t{1} << 30;
        break;
      case 'T':
        unit = uint64_t{1} << 40;
        break;
      default:
        break;
    }
  }
  if (unit != 1) value.remove_suffix(1);
  uint64_t count = 0;
  if (!parse_number(value, count) || count == 0) return allowed(kAllowed);
  if (count > std::numeric_limits<uint64_t>::max() / unit) return allowed(kAllowed);
  config.memory = count * unit;
  return {};
}

Wrong parse_threads(std::string_view value, Config& config) {
  if (!parse_number(value, config.threads) || config.threads == 0 || config.threads > kMaxThreads) {
    return allowed("1 to 256");
  }
  return {};
}

Wrong parse_soc(std::string_view value, Config& config) {
  if (const Soc* soc = find_soc(value)) {
    config.soc = soc;
    return {};
  }
  std::string known;
  for (const Soc& soc : known_socs())
    known.append(known.empty() ? "" : " ").append(soc.name);
  return {", known products are ", known};
}

Wrong parse_schedule(std::string_view value, Config& config) {
  constexpr std::string_view kShuffle = "shuffle:";
  if (value == "eager") {
    config.schedule.kind = Schedule::Kind::kEager;
  } else if (value == "lazy") {
    config.schedule.kind = Schedule::Kind::kLazy;
  } else if (value.starts_with(kShuffle) &&
             parse_number(value.substr(kShuffle.size()), config.schedule.seed)) {
    config.schedule.kind = Schedule::Kind::kShuffle;
  } else {
    return allowed("eager, lazy or shuffle:<seed>");
  }
  config.schedule.is_given = true;
  return {};
}

Wrong parse_fail(std::string_view value, Config& config) {
  constexpr const char* kAllowed =
      "a comma list of function:n=code or function:*=code, e.g. aclrtMemcpyBatchAsync:3=207000";
  for (const std::string_view part : split(value, ',')) {
    const size_t colon = part.find(':');
    const size_t equals = part.find('=');
    if (colon == std::string_view::npos || equals == std::string_view::npos || equals < colon) {
      return allowed(kAllowed);
    }
    FailureRule rule{.function = std::string(part.substr(0, colon))};
    const std::string_view nth = part.substr(colon + 1, equals - colon - 1);
    if (nth != "*" && (!parse_number(nth, rule.nth) || rule.nth == 0)) return allowed(kAllowed);
    if (!parse_number(part.substr(equals + 1), rule.code) || rule.code == ACL_SUCCESS) {
      return allowed(kAllowed);
    }
    config.failures.push_back(std::move(rule));
  }
  return {};
}

// A rule is written in lower case, with dashes between its words.
bool is_rule_name(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && is_letter(name.front()) && is_letter(name.back()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || c == '-'; });
}

bool parse_rules(std::string_view value, std::vector<std::string>& rules) {
  rules.clear();
  for (const std::string_view name : split(value, ',')) {
    if (!is_rule_name(name)) return false;
    rules.emplace_back(name);
  }
  return true;
}

Wrong parse_check(std::string_view value, Config& config) {
  config.check.is_on = value != "0";
  if (value == "0" || value == "1") return {};
  if (parse_rules(value, config.check.rules)) return {};
  return allowed("0, 1 or a comma list of rules");
}

Wrong parse_mute(std::string_view value, Config& config) {
  return parse_rules(value, config.check.muted) ? Wrong() : allowed("a comma list of rules");
}

Wrong parse_report(std::string_view value, Config& config) {
  config.check.report = value;
  return {};
}

Wrong parse_suppressions(std::string_view value, Config& config) {
  config.check.suppressions = value;
  return {};
}

Wrong parse_trace(std::string_view /*value*/, Config& /*config*/) {
  return {", the trace layer is not part of this version: unset the variable"};
}

Wrong parse_log(std::string_view value, Config& config) {
  const size_t colon = value.find(':');
  const std::string_view level = value.substr(0, colon);
  if (level == "error") {
    config.log_level = LogLevel::kError;
  } else if (level == "warn") {
    config.log_level = LogLevel::kWarn;
  } else if (level == "info") {
    config.log_level = LogLevel::kInfo;
  } else if (level == "debug") {
    config.log_level = LogLevel::kDebug;
  } else {
    return allowed("error, warn, info or debug, optionally followed by :FILE");
  }
  if (colon != std::string_view::npos) config.log_file = value.substr(colon + 1);
  return {};
}

Wrong parse_cuda_batch(std::string_view value, Config& config) {
  if (value == "auto") {
    config.cuda_batch = CudaBatch::kAuto;
  } else if (value == "engine") {
    config.cuda_batch = CudaBatch::kEngine;
  } else if (value == "kernel") {
    config.cuda_batch = CudaBatch::kKernel;
  } else {
    return allowed("auto, engine or kernel");
  }
  return {};
}

Wrong parse_cuda_sms(std::string_view value, Config& config) {
  if (parse_number(value, config.cuda_multiprocessors) && config.cuda_multiprocessors > 0) {
    return {};
  }
  return allowed("a number of multiprocessors, 1 or more");
}

struct Parser {
  Variable variable;
  Wrong (*parse)(std::string_view value, Config& config);
};

constexpr Parser kParsers[] = {
    {{"FERRY_DEVICES", "cpu[:count], cuda[:index], null[:count]; a comma list",
      "the devices there are; default cpu"},
     parse_devices},
    {{"ASCEND_RT_VISIBLE_DEVICES", "a comma list of device numbers",
      "which of these devices the program sees, and in which order"},
     parse_visible},
    {{"FERRY_MEMORY", "8G, 512M, 64K or bytes",
      "capacity of one CPU device; default half of the memory of this machine or container, shared "
      "by the CPU devices"},
     parse_memory},
    {{"FERRY_THREADS", "1 to 256", "copy threads of one CPU device; default from the cores"},
     parse_threads},
    {{"FERRY_SOC", "a product name such as Ascend910B1",
      "what aclrtGetSocName answers and which calls exist; default Ascend910B1"},
     parse_soc},
    {{"FERRY_SCHEDULE", "eager, lazy, shuffle:<seed>",
      "when queued work runs on a CPU device; default eager"},
     parse_schedule},
    {{"FERRY_FAIL", "function:n=code, function:*=code; a comma list",
      "calls that fail on purpose: the n-th call of a function, or every call"},
     parse_fail},
    {{"FERRY_CHECK", "0, 1, or rules as a comma list",
      "report misuse at the call that caused it: 1 all rules, or only these; default 0; without "
      "FERRY_SCHEDULE the schedule is lazy then"},
     parse_check},
    {{"FERRY_MUTE", "rules; a comma list", "rules of the check that are not reported"}, parse_mute},
    {{"FERRY_REPORT", "a file; %p is the process id", "what the check reports, as JSON"},
     parse_report},
    {{"FERRY_SUPPRESSIONS", "a file", "findings of the check that are known, with reasons"},
     parse_suppressions},
    {{"FERRY_TRACE", "", "a file for a timeline (not part of this version)"}, parse_trace},
    {{"FERRY_LOG", "error, warn, info, debug; optionally :FILE",
      "a log of what the runtime does; default silent"},
     parse_log},
    {{"FERRY_CUDA_BATCH", "auto, engine, kernel",
      "how a CUDA device copies batches: the cheapest way, the copy engine alone, or the kernel; "
      "default auto"},
     parse_cuda_batch},
    {{"FERRY_CUDA_SMS", "1 or more",
      "a limit for the multiprocessors a copy kernel uses; without it at most 16, or 32 for blocks "
      "below 2 KiB"},
     parse_cuda_sms},
};

const Parser* find_parser(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kParsers), std::end(kParsers),
                   [&](const Parser& parser) { return parser.variable.name == name; });
  return found == std::end(kParsers) ? nullptr : found;
}

void refuse_unknown(const std::string& name, Config& config) {
  std::string known;
  for (const Parser& parser : kParsers)
    known.append(known.empty() ? "" : " ").append(parser.variable.name);
  config.problems.emplace_back(name.c_str(), Value(), " is not a variable of Ferry; known are ",
                               known);
}

// Adds to the problems when the entry is wrong.
void parse_entry(const std::string& entry, Config& config) {
  const size_t equals = entry.find('=');
  if (equals == std::string::npos) return;
  const std::string name = entry.substr(0, equals);
  const std::string value = entry.substr(equals + 1);
  const Parser* parser = find_parser(name);
  const bool is_ours = name.starts_with("FERRY_");
  if (parser == nullptr && is_ours) refuse_unknown(name, config);
  // An empty FERRY_* value is how shells write "not set"; for the device list of Ascend it means
  // that no device is visible.
  if (parser == nullptr || (value.empty() && is_ours)) return;
  const Wrong wrong = parser->parse(value, config);
  if (wrong.detail[0] == '\0') return;
  config.problems.emplace_back(name.c_str(), Value::quoted(value.c_str()), wrong.detail,
                               wrong.allowed);
}

void check_memory_of_devices(Config& config) {
  uint64_t cpu_devices = 0;
  for (const DeviceSpec& spec : config.devices) {
    if (spec.backend == "cpu") cpu_devices += spec.number.value_or(1);
  }
  if (cpu_devices == 0 || config.memory <= kAllCpuMemory / cpu_devices) return;
  const std::string value = std::to_string(config.memory) + " bytes";
  config.problems.emplace_back("FERRY_MEMORY", value.c_str(), ", allowed is ",
                               "up to " + std::to_string(kAllCpuMemory / cpu_devices) + " with " +
                                   std::to_string(cpu_devices) + " CPU device(s): 256 GiB in all");
}

// How many GPUs there are only their backend knows; it is asked later.
void check_visible_devices(Config& config) {
  uint64_t devices = 0;
  for (const DeviceSpec& spec : config.devices) {
    if (spec.backend == "cuda") return;
    devices += spec.number.value_or(1);
  }
  if (!config.visible_devices.has_value()) return;
  for (const uint32_t index : *config.visible_devices) {
    if (index >= devices) return config.problems.push_back(*wrong_visible_device(index, devices));
  }
}

}  // namespace

std::span<const Variable> variables() {
  static const auto rows = [] {
    std::vector<Variable> list;
    for (const Parser& parser : kParsers)
      list.push_back(parser.variable);
    return list;
  }();
  return rows;
}

Config parse_config(std::span<const char* const> environment) {
  Config defaults;
  defaults.soc = find_soc("Ascend910B1");
  Config parsed = defaults;
  for (const char* entry : environment)
    parse_entry(entry, parsed);
  // What no variable shows alone.
  if (parsed.problems.empty()) check_memory_of_devices(parsed);
  if (parsed.problems.empty()) check_visible_devices(parsed);
  if (!parsed.problems.empty()) {
    defaults.problems = std::move(parsed.problems);
    return defaults;
  }
  // What is late is found: a check that nobody gave a schedule runs everything as late as allowed.
  if (parsed.check.is_on && !parsed.schedule.is_given) parsed.schedule.kind = Schedule::Kind::kLazy;
  return parsed;
}

namespace {

Config& process_config() {
  // Leaked on purpose: other threads may read it until the process ends.
  static Config* const instance = [] {
    size_t count = 0;
    while (environ[count] != nullptr)
      ++count;
    auto* parsed = new Config(parse_config({environ, count}));
    if (parsed->problems.empty() && parsed->log_level != LogLevel::kOff &&
        !open_log(parsed->log_level, parsed->log_file.c_str())) {
      const Value file = Value::quoted(parsed->log_file.c_str()).after(" names the file ");
      parsed->problems.emplace_back("FERRY_LOG", file, ", which cannot be opened");
    }
    return parsed;
  }();
  return *instance;
}

}  // namespace

const Config& config() {
  return process_config();
}

void refuse_config(Problem problem) {
  process_config().problems.push_back(*problem);
}

Problem wrong_visible_device(uint32_t index, size_t count) {
  const std::string allowed = "0 to " + std::to_string(count - 1);
  return std::make_unique<Error>("ASCEND_RT_VISIBLE_DEVICES", Value(index).after(" names device "),
                                 ", allowed is ", allowed);
}

}  // namespace ferry
