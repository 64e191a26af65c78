// SPDX-License-Identifier: Apache-2.0
// The environment: one variable per line. A carriage return stands for a line feed in a value.
#include "base/config.h"
#include "base/entries.h"
#include "fuzz.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ferry;

namespace {

std::vector<std::string> entries_of(std::string_view text) {
  std::vector<std::string> entries(1);
  for (const char c : text) {
    if (c == '\n') {
      entries.emplace_back();
    } else if (c != '\0') {
      entries.back() += c == '\r' ? '\n' : c;
    }
  }
  return entries;
}

void check_devices(const Config& config) {
  ferryx_backend backend{};
  backend.name = "cpu";
  ferryx_runtime runtime{};
  runtime.fail = [](int code, const char* /*text*/) { return code; };
  for (const DeviceSpec& spec : config.devices) {
    fuzz::require(!spec.backend.empty(), "a backend has a name");
    const char* text = spec.text.has_value() ? spec.text->c_str() : nullptr;
    ferryx_settings settings{};
    settings.entries = &text;
    settings.entry_count = 1;
    uint32_t count = 0, total = 0;
    const int code = count_entries(backend, runtime, settings, &count, total);
    fuzz::require(code != ACL_SUCCESS || (count == total && count >= 1 && count <= kMostDevices),
                  "1 to 64 devices");
  }
}

// A backend gets one line per variable, whatever is in the value.
void check_options(const Config& config, const std::vector<std::string>& entries) {
  ptrdiff_t lines = 0;
  for (const auto& [backend, options] : config.options)
    lines += std::count(options.begin(), options.end(), '\n');
  const auto variables =
      std::count_if(entries.begin(), entries.end(), [](const std::string& entry) {
        return entry.starts_with("FERRY_") && !entry.starts_with("FERRY_DEVICES=");
      });
  fuzz::require(lines <= variables, "one line per option");
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<std::string> entries = entries_of(fuzz::text_of(data, size));
  std::vector<const char*> environment;
  for (const std::string& entry : entries)
    environment.push_back(entry.c_str());
  const Config config = parse_config(environment);
  for (const Error& problem : config.problems)
    fuzz::require(!problem.sentence().empty(), "a problem has a text");
  fuzz::require(config.soc != nullptr, "a product is emulated");
  fuzz::require(config.threads <= 256, "0 to 256 threads");
  fuzz::require(!config.devices.empty(), "devices are listed");
  check_devices(config);
  check_options(config, entries);
  return 0;
}
