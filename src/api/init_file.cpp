// SPDX-License-Identifier: Apache-2.0
// Only the entries that have an effect are kept while the text is parsed. So the depth and the size
// of the others do not matter.
#include "api/init_file.h"

#include "base/user_file.h"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace ferry::api {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostBytes = uint64_t{16} << 20;
// The depth of the deepest entries that are read: defaultDevice.default_device, profiler.switch.
constexpr int kDepth = 2;

// CANN's files write numbers as strings; both forms are accepted.
std::optional<uint64_t> number_in(const Json& value) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (!value.is_string()) return {};
  const auto& text = value.get_ref<const std::string&>();
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

Rejection reject_entry(const char* name, const Json& value) {
  const std::string shown = value.is_structured()
                                ? std::string("an ") + value.type_name()
                                : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, name, shown.c_str());
}

Status parse_text_scope(const Json& value, TextScope& scope) {
  const std::optional<uint64_t> mode = number_in(value);
  if (mode != 0 && mode != 1) {
    return reject_entry("err_msg_mode", value).allowed("\"0\" (per thread) or \"1\" (per process)");
  }
  scope = mode == 1 ? TextScope::kProcess : TextScope::kThread;
  return {};
}

Status parse_default_device(const Json& value, int32_t& device) {
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  const std::optional<uint64_t> number = number_in(value);
  if (!number.has_value() || *number > kMost) {
    return reject_entry("defaultDevice.default_device", value)
        .allowed("the number of a device, 0 or more");
  }
  device = static_cast<int32_t>(*number);
  return {};
}

// Other entries of the section choose what CANN's profiler measures; values that are not "on" count
// as off, as CANN takes them.
void parse_profiler(const Json& section, InitSettings& settings) {
  const auto is_on = [&](const char* name) {
    const auto found = section.find(name);
    return found != section.end() && *found == "on";
  };
  settings.profiles = is_on("switch");
  settings.profiles_marks = settings.profiles && is_on("msproftx");
}

}  // namespace

Status read_init_file(const char* path, std::string& text) {
  const std::string wrong = read_user_file(path, kMostBytes, text);
  if (wrong.empty()) return {};
  return reject(ACL_ERROR_INVALID_FILE, kEH0009, "configPath", Value::quoted(path))
      .because(", which %s", wrong.c_str());
}

Status parse_init_file(const char* path, const std::string& text, InitSettings& settings) {
  const auto is_kept = [](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
    return depth <= kDepth;
  };
  const Json file = Json::parse(text, is_kept, /*allow_exceptions=*/false);
  if (file.is_discarded() || !file.is_object()) {
    return reject(ACL_ERROR_PARSE_FILE, kEH0009, "configPath", Value::quoted(path))
        .because(", which is not a JSON object");
  }
  if (const auto mode = file.find("err_msg_mode"); mode != file.end()) {
    FERRY_RETURN_IF_ERROR(parse_text_scope(*mode, settings.text_scope));
  }
  if (const auto profiler = file.find("profiler"); profiler != file.end()) {
    if (profiler->is_object()) parse_profiler(*profiler, settings);
  }
  const auto section = file.find("defaultDevice");
  if (section == file.end()) return {};
  if (!section->is_object()) {
    return reject_entry("defaultDevice", *section).allowed("an object with default_device");
  }
  if (const auto device = section->find("default_device"); device != section->end()) {
    return parse_default_device(*device, settings.default_device);
  }
  return {};
}

}  // namespace ferry::api
