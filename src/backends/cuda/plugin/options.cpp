// SPDX-License-Identifier: Apache-2.0
// Parses entries and options. An unknown key or value is an error, never ignored.
#include "backends/cuda/plugin/options.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ferry::cuda {
namespace {

constexpr uint32_t kLargestIndex = 64;

bool parse_count(std::string_view text, uint32_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

std::string parse_batch(std::string_view value, Overrides& overrides) {
  if (value == "auto") {
    overrides.batch = BatchWay::kAuto;
  } else if (value == "engine") {
    overrides.batch = BatchWay::kEngine;
  } else if (value == "kernel") {
    overrides.batch = BatchWay::kKernel;
  } else {
    return "allowed is auto, engine or kernel";
  }
  return {};
}

std::string parse_sms(std::string_view value, Overrides& overrides) {
  uint32_t most = 0;
  if (!parse_count(value, most) || most == 0) {
    return "allowed is a number of multiprocessors, 1 or more";
  }
  overrides.most_multiprocessors = most;
  return {};
}

struct Option {
  std::string_view key;
  std::string_view variable;
  std::string (*parse)(std::string_view value, Overrides& overrides);
};

constexpr Option kOptions[] = {{"batch", "FERRY_CUDA_BATCH", parse_batch},
                               {"sms", "FERRY_CUDA_SMS", parse_sms}};

std::string unknown_option(std::string_view line) {
  std::string text =
      "\"" + std::string(line) + "\" is not an option of the CUDA backend; known are";
  for (const Option& option : kOptions)
    text.append(" ").append(option.variable);
  return text;
}

std::string parse_option(std::string_view line, Overrides& overrides) {
  const size_t equals = line.find('=');
  const auto* option =
      std::find_if(std::begin(kOptions), std::end(kOptions),
                   [&](const Option& each) { return each.key == line.substr(0, equals); });
  if (option == std::end(kOptions) || equals == std::string_view::npos) return unknown_option(line);
  const std::string_view value = line.substr(equals + 1);
  if (value.empty()) return {};
  const std::string wrong = option->parse(value, overrides);
  if (wrong.empty()) return {};
  return std::string(option->variable) + " is \"" + std::string(value) + "\", " + wrong;
}

}  // namespace

std::string parse_entry(const char* entry, std::optional<uint32_t>& gpu) {
  gpu.reset();
  if (entry == nullptr) return {};
  uint32_t index = 0;
  if (!parse_count(entry, index) || index > kLargestIndex) {
    return "FERRY_DEVICES names cuda:" + std::string(entry) + ", an index is 0 to " +
           std::to_string(kLargestIndex);
  }
  gpu = index;
  return {};
}

std::string parse_options(const char* options, Overrides& overrides) {
  std::string_view rest = options == nullptr ? "" : options;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    if (std::string wrong = parse_option(line, overrides); !wrong.empty()) return wrong;
  }
  return {};
}

std::string check_entries(const ferryx_settings& settings, uint32_t* counts) {
  for (uint32_t i = 0; i < settings.entry_count; ++i) {
    std::optional<uint32_t> gpu;
    if (std::string wrong = parse_entry(settings.entries[i], gpu); !wrong.empty()) return wrong;
    counts[i] = gpu.has_value() ? 1 : FERRYX_ALL;
  }
  return {};
}

std::string list_ordinals(const ferryx_settings& settings, uint32_t gpus, uint32_t* counts,
                          std::vector<int>& ordinals) {
  for (uint32_t i = 0; i < settings.entry_count; ++i) {
    std::optional<uint32_t> gpu;
    if (std::string wrong = parse_entry(settings.entries[i], gpu); !wrong.empty()) return wrong;
    if (gpu.has_value() && *gpu >= gpus) {
      return "FERRY_DEVICES names cuda:" + std::to_string(*gpu) + ", but there are " +
             std::to_string(gpus);
    }
    const uint32_t first = gpu.value_or(0);
    counts[i] = gpu.has_value() ? 1 : gpus;
    for (uint32_t index = first; index < first + counts[i]; ++index)
      ordinals.push_back(static_cast<int>(index));
  }
  return {};
}

}  // namespace ferry::cuda
