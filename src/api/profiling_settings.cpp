// SPDX-License-Identifier: Apache-2.0
// Settings tell CANN's profiler what else to measure. Ferry measures none of it, but a value that
// CANN could not use is refused here, too.
#include "api/profiling_settings.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace ferry::api {
namespace {

constexpr uint64_t kMostHertz = 10000;
constexpr uint64_t kLeastStorage = 200;  // megabytes

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Words with commas between them.
bool is_list_of(std::string_view text, std::initializer_list<std::string_view> words) {
  while (true) {
    const size_t comma = text.find(',');
    if (!is_one_of(text.substr(0, comma), words)) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

bool is_storage_limit(std::string_view text) {
  constexpr std::string_view kUnit = "MB";
  if (!text.ends_with(kUnit)) return false;
  text.remove_suffix(kUnit.size());
  const std::optional<uint64_t> megabytes = whole_number(text);
  return megabytes >= kLeastStorage && megabytes <= UINT32_MAX;
}

Rejection reject_setting(const char* value) {
  return reject(ACL_ERROR_INVALID_PROFILING_CONFIG, kEH0007, "config", Value::quoted(value));
}

Status check_hertz(const char* value) {
  const std::optional<uint64_t> hertz = whole_number(value);
  if (hertz >= 1 && hertz <= kMostHertz) return {};
  return reject_setting(value).allowed("1 to %llu (hertz)",
                                       static_cast<unsigned long long>(kMostHertz));
}

}  // namespace

Status check_length(const char* argument, size_t length, size_t least, size_t most) {
  if (length >= least && length <= most) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, argument, length)
      .allowed("%zu to %zu", least, most);
}

Status check_text(const char* argument, const char* text, const char* length_argument,
                  size_t length) {
  const size_t actual = strnlen(text, length + 1);
  if (actual == length) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, length_argument, length)
      .because(", but %s has %s%zu characters", argument, actual > length ? "more than " : "",
               actual > length ? length : actual);
}

Status check_profiling_setting(aclprofConfigType type, const char* value) {
  switch (type) {
    case ACL_PROF_STORAGE_LIMIT:
      if (is_storage_limit(value)) return {};
      return reject_setting(value).allowed("200MB to 4294967295MB");
    case ACL_PROF_LLC_MODE:
      if (is_one_of(value, {"read", "write", "capacity", "bandwidth"})) return {};
      return reject_setting(value).allowed("read, write, capacity or bandwidth");
    case ACL_PROF_HOST_SYS:
      if (is_list_of(value, {"cpu", "mem", "disk", "network", "osrt"})) return {};
      return reject_setting(value).allowed("a list of cpu, mem, disk, network and osrt");
    case ACL_PROF_HOST_SYS_USAGE:
      if (is_list_of(value, {"cpu", "mem"})) return {};
      return reject_setting(value).allowed("a list of cpu and mem");
    case ACL_PROF_SYS_HARDWARE_MEM_FREQ:
    case ACL_PROF_SYS_IO_FREQ:
    case ACL_PROF_SYS_INTERCONNECTION_FREQ:
    case ACL_PROF_DVPP_FREQ:
    case ACL_PROF_HOST_SYS_USAGE_FREQ:
    case ACL_PROF_LOW_POWER_FREQ:
    case ACL_PROF_SYS_CPU_FREQ:
      return check_hertz(value);
    default:  // texts in a form of their own
      if (value[0] != '\0') return {};
      return reject_setting(value).allowed("a text that is not empty");
  }
}

}  // namespace ferry::api
