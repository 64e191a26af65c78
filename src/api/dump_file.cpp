// SPDX-License-Identifier: Apache-2.0
// The object "dump" of the file. Keys that are not known here are ignored, as newer versions of
// CANN add some.
#include "api/dump_file.h"

#include "base/user_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ferry::api {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostBytes = uint64_t{16} << 20;

// Entries that are one of up to three words.
struct WordEntry {
  const char* name;
  std::array<std::string_view, 3> words;
  const char* allowed;
};
constexpr WordEntry kWordEntries[] = {
    {"dump_mode", {"input", "output", "all"}, "\"input\", \"output\" or \"all\""},
    {"dump_op_switch", {"on", "off"}, "\"on\" or \"off\""},
    {"dump_debug", {"on", "off"}, "\"on\" or \"off\""},
    {"dump_data", {"tensor", "stats"}, "\"tensor\" or \"stats\""},
    {"dump_level", {"op", "kernel", "all"}, "\"op\", \"kernel\" or \"all\""},
};

// What the entry dump_scene dumps.
struct Scene {
  std::string_view name;
  acldumpType type;
};
constexpr Scene kScenes[] = {
    {"lite_exception", AIC_ERR_BRIEF_DUMP},
    {"aic_err_brief_dump", AIC_ERR_BRIEF_DUMP},
    {"aic_err_norm_dump", AIC_ERR_NORM_DUMP},
    {"aic_err_detail_dump", AIC_ERR_DETAIL_DUMP},
    {"watcher", DATA_DUMP},
};

Rejection reject_dump_entry(const char* name, const Json& value) {
  const std::string shown = value.is_structured()
                                ? std::string("an ") + value.type_name()
                                : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return reject(ACL_ERROR_INVALID_DUMP_CONFIG, kEH0007, {"dump", Argument::kNone, name},
                shown.c_str());
}

Status check_words(const Json& dump) {
  for (const WordEntry& entry : kWordEntries) {
    const auto found = dump.find(entry.name);
    if (found == dump.end()) continue;
    const std::string_view word =
        found->is_string() ? std::string_view(found->get_ref<const std::string&>()) : "";
    const bool is_known = !word.empty() && std::find(entry.words.begin(), entry.words.end(),
                                                     word) != entry.words.end();
    if (!is_known) return reject_dump_entry(entry.name, *found).allowed("%s", entry.allowed);
  }
  const auto list = dump.find("dump_list");
  if (list != dump.end() && !list->is_array()) {
    return reject_dump_entry("dump_list", *list).allowed("an array");
  }
  return {};
}

Status parse_scene(const Json& dump, DumpSettings& settings) {
  const auto debug = dump.find("dump_debug");
  if (debug != dump.end() && *debug == "on") settings.type = OVERFLOW_DUMP;
  const auto found = dump.find("dump_scene");
  if (found == dump.end()) return {};
  const auto* scene = std::find_if(std::begin(kScenes), std::end(kScenes), [&](const Scene& known) {
    return found->is_string() && found->get_ref<const std::string&>() == known.name;
  });
  if (scene == std::end(kScenes)) {
    return reject_dump_entry("dump_scene", *found)
        .allowed(
            "lite_exception, aic_err_brief_dump, aic_err_norm_dump, aic_err_detail_dump or "
            "watcher");
  }
  settings.type = scene->type;
  return {};
}

Status parse_path(const Json& dump, DumpSettings& settings) {
  const auto found = dump.find("dump_path");
  if (found == dump.end()) {
    if (dump.contains("dump_scene")) return {};
    return reject(ACL_ERROR_INVALID_DUMP_CONFIG, kEH0009, "dump")
        .because(" has no entry dump_path, which is needed without dump_scene");
  }
  if (!found->is_string() || found->get_ref<const std::string&>().empty()) {
    return reject_dump_entry("dump_path", *found).allowed("the path of a folder");
  }
  settings.path = found->get_ref<const std::string&>();
  return {};
}

}  // namespace

Result<DumpSettings> read_dump_file(const char* path) {
  std::string text;
  if (const std::string wrong = read_user_file(path, kMostBytes, text); !wrong.empty()) {
    return reject(ACL_ERROR_INVALID_FILE, kEH0009, "dumpCfgPath", Value::quoted(path))
        .because(", which %s", wrong.c_str());
  }
  // Nothing below the entries of "dump" is read: deeper values are dropped while they are parsed,
  // so that their depth does not matter.
  constexpr int kDepth = 3;
  const auto is_kept = [](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
    return depth <= kDepth;
  };
  const Json file = Json::parse(text, is_kept, /*allow_exceptions=*/false);
  const auto refuse = [&](const char* reason) {
    return reject(ACL_ERROR_INVALID_DUMP_CONFIG, kEH0009, "dumpCfgPath", Value::quoted(path))
        .because(", which %s", reason);
  };
  if (file.is_discarded() || !file.is_object()) return refuse("is not a JSON object");
  const auto dump = file.find("dump");
  if (dump == file.end() || !dump->is_object()) return refuse("has no object \"dump\"");
  DumpSettings settings;
  FERRY_RETURN_IF_ERROR(check_words(*dump));
  FERRY_RETURN_IF_ERROR(parse_scene(*dump, settings));
  FERRY_RETURN_IF_ERROR(parse_path(*dump, settings));
  return settings;
}

}  // namespace ferry::api
