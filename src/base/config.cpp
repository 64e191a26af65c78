// SPDX-License-Identifier: Apache-2.0
// Parses the environment. Each variable has one parser, which says what is wrong with the value. An
// unknown name or value is an error, never ignored.
#include "base/config.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace ferry {
namespace {

constexpr uint32_t kMaxThreads = 256;
constexpr std::string_view kOurs = "FERRY_";
constexpr const char* kVisibleDevices = "ASCEND_RT_VISIBLE_DEVICES";

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

// The name of a backend is part of a file name and of variable names.
bool is_backend_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

Wrong parse_devices(std::string_view value, Config& config) {
  config.devices.clear();
  for (const std::string_view part : split(value, ',')) {
    const size_t colon = part.find(':');
    DeviceSpec spec{.backend = std::string(part.substr(0, colon)), .text = {}};
    if (!is_backend_name(spec.backend)) {
      return allowed(
          "a comma list of cpu[:count], cuda[:index], null[:count] or others with the names of "
          "their backends");
    }
    if (colon != std::string_view::npos) spec.text = part.substr(colon + 1);
    config.devices.push_back(std::move(spec));
  }
  return {};
}

Wrong parse_plugins(std::string_view value, Config& config) {
  for (const std::string_view folder : split(value, ':')) {
    if (!folder.starts_with('/')) return allowed("a list of absolute paths, with : between them");
    config.plugin_folders.emplace_back(folder);
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
  constexpr const char* kAllowed =
      "a size such as 8G, 512M, 64K or a number of bytes, with shared: before it if processes "
      "share it";
  constexpr std::string_view kUnits = "KMGT";
  constexpr std::string_view kShared = "shared:";
  const bool is_shared = value.starts_with(kShared);
  if (is_shared) value.remove_prefix(kShared.size());
  const size_t unit = value.empty() ? std::string_view::npos : kUnits.find(value.back());
  const bool has_unit = unit != std::string_view::npos;
  if (has_unit) value.remove_suffix(1);
  const uint64_t bytes = has_unit ? uint64_t{1} << (10 * (unit + 1)) : 1;
  uint64_t count = 0;
  if (!parse_number(value, count) || count == 0) return allowed(kAllowed);
  if (count > std::numeric_limits<uint64_t>::max() / bytes) return allowed(kAllowed);
  config.memory = count * bytes;
  config.memory_is_shared = is_shared;
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

Wrong parse_cann(std::string_view value, Config& config) {
  if (const Release* release = find_release(value)) {
    config.release = release;
    return {};
  }
  return allowed("8.5, 9.0 or 9.1");
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
  for (const std::string_view part : split(value, ',')) {
    std::optional<FailureRule> rule = parse_failure_rule(part);
    if (!rule.has_value()) {
      return allowed(
          "a comma list of function:when=what, e.g. aclrtMemcpyBatchAsync:3=207000; when: n, * or "
          "a "
          "percentage, then @run, @stream<id>, @seed<n>; what: a code, a time such as 20ms, or "
          "uce");
    }
    config.failures.push_back(std::move(*rule));
  }
  return {};
}

// Rules are named in lower case, with dashes between words.
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

Wrong parse_kernels(std::string_view value, Config& config) {
  config.kernels = {.skips_unknown = value == "skip", .file = {}};
  if (value == "refuse" || value == "skip") return {};
  if (value.find('/') == std::string_view::npos) {
    return allowed("refuse, skip, or the path of a shared object, with a / in it");
  }
  config.kernels.file = value;
  return {};
}

Wrong parse_trace(std::string_view value, Config& config) {
  config.trace.path = value;
  return {};
}

Wrong parse_trace_options(std::string_view value, Config& config) {
  if (parse_trace_options(value, config.trace.options)) return {};
  return allowed(kAllowedTraceOptions);
}

Wrong parse_fabric(std::string_view value, Config& config) {
  return parse_fabric_options(value, config.fabric) ? Wrong() : allowed(kAllowedFabricOptions);
}

Wrong parse_fabric_timeout(std::string_view value, Config& config) {
  uint64_t milliseconds = 0;
  if (!parse_number(value, milliseconds) || milliseconds < 100 || milliseconds > 600'000) {
    return allowed("100 to 600000, in milliseconds");
  }
  config.fabric.timeout = milliseconds * 1'000'000;
  return {};
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

// FERRY_CUDA_BATCH is the option "batch" of the backend "cuda".
void add_option(std::string_view name, std::string_view value, Config& config) {
  const auto lower = [](std::string_view text) {
    std::string out(text);
    for (char& c : out) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
  };
  name.remove_prefix(kOurs.size());
  const size_t end = name.find('_');
  config.options[lower(name.substr(0, end))] +=
      lower(name.substr(end + 1)) + "=" + std::string(value) + "\n";
}

// An option that only its backend knows.
Wrong parse_option(std::string_view name, std::string_view value, Config& config) {
  if (value.find('\n') != std::string_view::npos) return allowed("a text of one line");
  add_option(name, value, config);
  return {};
}

Wrong parse_cuda_batch(std::string_view value, Config& config) {
  if (value != "auto" && value != "engine" && value != "kernel") {
    return allowed("auto, engine or kernel");
  }
  add_option("FERRY_CUDA_BATCH", value, config);
  return {};
}

Wrong parse_cuda_sms(std::string_view value, Config& config) {
  uint32_t most = 0;
  if (!parse_number(value, most) || most == 0) {
    return allowed("a number of multiprocessors, 1 or more");
  }
  add_option("FERRY_CUDA_SMS", value, config);
  return {};
}

struct Parser {
  Variable variable;
  Wrong (*parse)(std::string_view value, Config& config);
};

constexpr Parser kParsers[] = {
    {{"FERRY_DEVICES", "cpu[:count], cuda[:index], null[:count], other backends; a comma list",
      "the devices of the process, numbered in this order; default cpu"},
     parse_devices},
    {{"FERRY_PLUGINS", "absolute paths, with : between them",
      "folders in which backends are searched for before the library's own folder"},
     parse_plugins},
    {{kVisibleDevices, "a comma list of device numbers",
      "which of these devices the program sees, and in which order"},
     parse_visible},
    {{"FERRY_MEMORY", "[shared:]8G, 512M, 64K or bytes",
      "capacity of one CPU device, with shared: common to all processes of the user with the same "
      "value; default half of the memory of this machine or container, shared by the CPU devices"},
     parse_memory},
    {{"FERRY_THREADS", "1 to 256",
      "copy threads of one CPU device; default one per core, at most 4"},
     parse_threads},
    {{"FERRY_SOC", "a product name such as Ascend910B1",
      "the product to emulate: what aclrtGetSocName returns and which calls exist; default "
      "Ascend910B1"},
     parse_soc},
    {{"FERRY_CANN", "8.5, 9.0, 9.1",
      "the release of CANN to emulate: which functions exist, and where codes differ; default 9.1 "
      "and the functions that came later"},
     parse_cann},
    {{"FERRY_SCHEDULE", "eager, lazy, shuffle:<seed>",
      "when queued work runs on a CPU device; default eager"},
     parse_schedule},
    {{"FERRY_FAIL", "function:when=what; a comma list",
      "calls or tasks that fail or are late on purpose, e.g. aclrtMemcpyAsync:3=207000: the third "
      "call"},
     parse_fail},
    {{"FERRY_CHECK", "0, 1, or rules as a comma list",
      "report misuse at the call that caused it: 1 for all rules, or only the listed ones; default "
      "0; makes the schedule lazy unless FERRY_SCHEDULE is set"},
     parse_check},
    {{"FERRY_MUTE", "rules; a comma list", "rules that the checker does not report"}, parse_mute},
    {{"FERRY_REPORT", "a file; %p is the process id",
      "a file for the findings of the checker, as JSON"},
     parse_report},
    {{"FERRY_SUPPRESSIONS", "a file", "intentional findings of the checker, with reasons"},
     parse_suppressions},
    {{"FERRY_KERNELS", "refuse, skip, or the path of a shared object",
      "kernels without a stand-in: refuse or skip their launches; or a file that registers "
      "stand-ins; default refuse"},
     parse_kernels},
    {{"FERRY_TRACE",
      "a file, such as out.json, out.json.gz or out.pftrace; a folder/; %p is the "
      "process id",
      "a trace of all calls and copies"},
     parse_trace},
    {{"FERRY_TRACE_OPTIONS", "items, contents, stacks, ring=N; a comma list",
      "also record the items of batches, hashes of what is copied from the host, or whole stacks "
      "of calls; or keep only the latest N works and write them at the end"},
     parse_trace_options},
    {{"FERRY_FABRIC", "[listen=ADDRESS[:PORT],]secret=FILE[,always]",
      "connects this process with processes of other hosts that have the same secret, for FABRIC "
      "handles and notifies; default off"},
     parse_fabric},
    {{"FERRY_FABRIC_TIMEOUT", "100 to 600000, in milliseconds",
      "how long a process of another host may not answer before its copies fail; default 5000"},
     parse_fabric_timeout},
    {{"FERRY_LOG", "error, warn, info, debug; optionally :FILE",
      "a log of what the runtime does; default silent"},
     parse_log},
    {{"FERRY_CUDA_BATCH", "auto, engine, kernel",
      "how a CUDA device copies batches: the cheapest way, the copy engine alone, or the kernel; "
      "default auto"},
     parse_cuda_batch},
    {{"FERRY_CUDA_SMS", "1 or more",
      "most multiprocessors that a copy kernel may use; default 16, or 32 for blocks below 2 KiB"},
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

// Whether it is an option of a listed backend. Only that backend knows which options it has.
bool is_option_of_backend(std::string_view name, const Config& config) {
  return std::any_of(config.devices.begin(), config.devices.end(), [&](const DeviceSpec& spec) {
    std::string start(kOurs);
    for (const char c : spec.backend)
      start += c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    start += '_';
    return name.starts_with(start) && name.size() > start.size() &&
           name.find('\n') == std::string_view::npos;
  });
}

// Adds to the problems when the entry is wrong. FERRY_DEVICES must be parsed first.
void parse_entry(const std::string& entry, Config& config) {
  const size_t equals = entry.find('=');
  if (equals == std::string::npos) return;
  const std::string name = entry.substr(0, equals);
  const std::string value = entry.substr(equals + 1);
  const Parser* parser = find_parser(name);
  const bool is_ours = name.starts_with(kOurs);
  if (parser == nullptr && !is_ours) return;
  if (parser == nullptr && !is_option_of_backend(name, config)) return refuse_unknown(name, config);
  // An empty FERRY_* variable counts as unset, as in shells. An empty ASCEND_RT_VISIBLE_DEVICES
  // means that no device is visible.
  if (value.empty() && is_ours) return;
  const Wrong wrong =
      parser == nullptr ? parse_option(name, value, config) : parser->parse(value, config);
  if (wrong.detail[0] == '\0') return;
  config.problems.emplace_back(name.c_str(), Value::quoted(value.c_str()), wrong.detail,
                               wrong.allowed);
}

}  // namespace

const char* Schedule::name() const {
  constexpr const char* kNames[] = {"eager", "lazy", "shuffle"};
  return kNames[static_cast<uint32_t>(kind)];
}

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
  defaults.release = &newest_release();
  Config parsed = defaults;
  const auto parse = [&](bool devices) {
    for (const char* entry : environment) {
      const bool is_devices = std::string_view(entry).starts_with("FERRY_DEVICES=");
      if (is_devices == devices) parse_entry(entry, parsed);
    }
  };
  parse(true);
  parse(false);
  if (!parsed.problems.empty()) {
    defaults.problems = std::move(parsed.problems);
    return defaults;
  }
  // Late execution reveals more bugs: without FERRY_SCHEDULE the checker uses the lazy schedule.
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
    auto parsed = std::make_unique<Config>(parse_config({environ, count}));
    if (!parsed->problems.empty() || parsed->log_level == LogLevel::kOff) return parsed.release();
    const std::string wrong = open_log(parsed->log_level, parsed->log_file);
    if (!wrong.empty()) {
      const Value file = Value::quoted(parsed->log_file.c_str()).after(" names the file ");
      parsed->problems.emplace_back("FERRY_LOG", file, ", which " + wrong);
    }
    return parsed.release();
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

Problem read_visible_devices(std::optional<std::vector<uint32_t>>& visible) {
  visible.reset();
  const char* const value = std::getenv(kVisibleDevices);
  if (value == nullptr) return {};
  Config parsed;
  const Wrong wrong = parse_visible(value, parsed);
  visible = std::move(parsed.visible_devices);
  if (wrong.detail[0] == '\0') return {};
  return std::make_unique<Error>(kVisibleDevices, Value::quoted(value), wrong.detail,
                                 wrong.allowed);
}

Problem wrong_visible_device(uint32_t index, size_t count) {
  const std::string allowed = "0 to " + std::to_string(count - 1);
  return std::make_unique<Error>(kVisibleDevices, Value(index).after(" names device "),
                                 ", allowed is ", allowed);
}

}  // namespace ferry
