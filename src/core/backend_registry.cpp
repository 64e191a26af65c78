// SPDX-License-Identifier: Apache-2.0
// Finds and opens backends, each once, with all entries of FERRY_DEVICES that name it.
#include "core/backend_registry.h"

#include "base/error_state.h"
#include "core/plugin_folders.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <set>

namespace ferry {
namespace {

std::vector<const ferryx_backend*>& builtin_backends() {
  static auto* list = new std::vector<const ferryx_backend*>;
  return *list;
}

std::vector<Front>& fronts() {
  static auto* list = new std::vector<Front>;
  return *list;
}

const ferryx_backend* find_builtin(const std::string& name) {
  const auto found =
      std::find_if(builtin_backends().begin(), builtin_backends().end(),
                   [&](const ferryx_backend* builtin) { return name == builtin->name; });
  return found == builtin_backends().end() ? nullptr : *found;
}

// The machine cannot provide a device that FERRY_DEVICES asks for.
Problem wrong_devices(const std::string& sentence, aclError code = ACL_ERROR_RT_DEV_SETUP_ERROR) {
  return std::make_unique<Error>("FERRY_DEVICES", Value::alone({}), sentence, "", code);
}

// The value of the variable is wrong; the sentence contains it.
Problem wrong_value(const char* variable, const std::string& sentence) {
  return std::make_unique<Error>(variable, Value::alone({}), sentence);
}

// How to get a plugin that is not there.
std::string way_to_get(const std::string& name) {
  const std::string file = "libferry_" + name + ".so";
  if (name == "cuda") {
    return "; " + file + " is built by cmake --preset cuda where nvcc 12.8 or later is installed";
  }
  return "; a backend " + name + " would be the plugin " + file +
         ", beside libascendcl.so or in a folder of FERRY_PLUGINS";
}

Problem unknown_backend(const std::string& name, const Config& config) {
  std::string text = "FERRY_DEVICES names " + name + ", which is no backend; found are";
  for (const ferryx_backend* builtin : builtin_backends())
    text.append(" ").append(builtin->name);
  for (const std::string& plugin : list_plugins(config))
    text.append(" ").append(plugin);
  return wrong_value("FERRY_DEVICES", text + "; searched were " + describe_folders(config) +
                                          " (FERRY_PLUGINS adds folders)" + way_to_get(name));
}

// The slots that every table has had since 2.0; later ones may be missing.
constexpr size_t kLeastTableSize = offsetof(ferryx_backend, flag_clear) + sizeof(void*);

// A table of an earlier minor version is shorter: the slots it lacks are absent.
const ferryx_backend* at_full_length(const ferryx_backend* table) {
  if (table->struct_size >= sizeof(ferryx_backend)) return table;
  static auto* const longer = new std::deque<ferryx_backend>;  // never freed, as backends are
  std::memcpy(&longer->emplace_back(), table, table->struct_size);
  return &longer->back();
}

// Finds the backend and wraps it in all fronts.
Problem find_backend(const std::string& name, const Config& config,
                     const ferryx_backend*& backend) {
  backend = find_builtin(name);
  if (backend == nullptr) {
    const std::string path = find_plugin(name, config);
    if (path.empty()) return unknown_backend(name, config);
    if (std::string wrong = load_plugin(path, backend); !wrong.empty()) {
      return wrong_devices("FERRY_DEVICES names " + name + ", but " + wrong);
    }
  }
  if (backend->abi_major != FERRYX_ABI_MAJOR || backend->struct_size < kLeastTableSize) {
    return wrong_devices("backend " + name + " has interface version " +
                         std::to_string(backend->abi_major) + "." +
                         std::to_string(backend->abi_minor) + ", needed is " +
                         std::to_string(FERRYX_ABI_MAJOR) + "." + std::to_string(FERRYX_ABI_MINOR));
  }
  backend = at_full_length(backend);
  for (const Front front : fronts())
    backend = front(backend);
  return {};
}

// The settings of one backend, and the entries they point to.
class Settings {
 public:
  Settings(const std::string& backend, const Config& config) {
    for (const DeviceSpec& spec : config.devices) {
      if (spec.backend == backend) {
        entries_.push_back(spec.text.has_value() ? spec.text->c_str() : nullptr);
      }
    }
    const auto options = config.options.find(backend);
    settings_ = {.struct_size = sizeof settings_,
                 .entry_count = static_cast<uint32_t>(entries_.size()),
                 .entries = entries_.data(),
                 .options = options == config.options.end() ? "" : options->second.c_str(),
                 .memory = config.memory,
                 .threads = config.threads,
                 .schedule = static_cast<uint32_t>(config.schedule.kind),
                 .seed = config.schedule.seed,
                 .memory_is_shared = config.memory_is_shared ? 1u : 0u};
  }
  const ferryx_settings& operator*() const { return settings_; }

 private:
  std::vector<const char*> entries_;
  ferryx_settings settings_{};
};

// An open backend, with the number of devices per entry that names it.
struct OpenBackend {
  const ferryx_backend* backend = nullptr;
  ferryx_instance* instance = nullptr;
  bool is_open = false;
  std::vector<uint32_t> counts;
  size_t entries_used = 0;
  uint32_t devices_used = 0;
};

std::map<std::string, OpenBackend>& open_list() {
  static auto* list = new std::map<std::string, OpenBackend>;
  return *list;
}

Problem open_backend(const std::string& name, const Config& config, const ferryx_runtime& runtime,
                     OpenBackend& opened) {
  if (opened.backend == nullptr) {
    const ferryx_backend* found = nullptr;
    if (Problem wrong = find_backend(name, config, found)) return wrong;
    opened.backend = found;
  }
  const Settings settings(name, config);
  opened.counts.resize((*settings).entry_count);
  const ferryx_backend& backend = *opened.backend;
  int code = backend.check_settings == nullptr
                 ? ACL_SUCCESS
                 : backend.check_settings(&backend, &runtime, &*settings, opened.counts.data());
  const bool is_good = code == ACL_SUCCESS;
  if (is_good) {
    code = backend.open(&backend, &runtime, &*settings, opened.counts.data(), &opened.instance);
  }
  opened.is_open = code == ACL_SUCCESS;
  if (opened.is_open) return {};
  const bool is_short_of_memory = is_good && code == ACL_ERROR_RT_MEMORY_ALLOCATION;
  return wrong_devices("backend " + name + " cannot be opened: " + recent_error().sentence(),
                       is_short_of_memory ? code : ACL_ERROR_RT_DEV_SETUP_ERROR);
}

// Receives the text of a refusal by check_settings: it must not become the calling thread's error.
thread_local std::string* refusal = nullptr;

int keep_refusal(int code, const char* text) {
  *refusal = text;
  return code;
}

// Adds the backend's number of devices to `devices`; FERRYX_ALL when it is not known yet.
Problem check_builtin(const ferryx_backend& backend, const Config& config, uint32_t& devices) {
  std::string wrong;
  refusal = &wrong;
  ferryx_runtime asking{};
  asking.struct_size = sizeof asking;
  asking.fail = keep_refusal;
  const Settings settings(backend.name, config);
  std::vector<uint32_t> counts((*settings).entry_count, FERRYX_ALL);
  const int code = backend.check_settings == nullptr
                       ? ACL_SUCCESS
                       : backend.check_settings(&backend, &asking, &*settings, counts.data());
  if (code != ACL_SUCCESS) {
    const bool is_memory = code == ACL_ERROR_RT_MEMORY_ALLOCATION;
    return wrong_value(is_memory ? "FERRY_MEMORY" : "FERRY_DEVICES", wrong);
  }
  for (const uint32_t count : counts)
    devices = count == FERRYX_ALL || devices == FERRYX_ALL ? FERRYX_ALL : devices + count;
  return {};
}

Problem check_visible_devices(const Config& config, uint32_t devices) {
  if (!config.visible_devices.has_value()) return {};
  for (const uint32_t index : *config.visible_devices) {
    if (index >= devices) return wrong_visible_device(index, devices);
  }
  return {};
}

}  // namespace

// Both are called again if the first call of the process ran out of memory on the way.
void add_builtin_backend(const ferryx_backend* backend) {
  if (find_builtin(backend->name) == nullptr) builtin_backends().push_back(backend);
}

void add_front(Front front) {
  if (std::find(fronts().begin(), fronts().end(), front) == fronts().end()) {
    fronts().push_back(front);
  }
}

Problem check_devices(const Config& config) {
  std::set<std::string> seen;
  uint32_t devices = 0;
  for (const DeviceSpec& spec : config.devices) {
    if (!seen.insert(spec.backend).second) continue;
    if (const ferryx_backend* builtin = find_builtin(spec.backend)) {
      if (Problem wrong = check_builtin(*builtin, config, devices)) return wrong;
      continue;
    }
    devices = FERRYX_ALL;  // a plugin is asked when it is loaded
    if (find_plugin(spec.backend, config).empty()) return unknown_backend(spec.backend, config);
  }
  return devices == FERRYX_ALL ? Problem() : check_visible_devices(config, devices);
}

Problem open_backends(const Config& config, const ferryx_runtime& runtime,
                      std::vector<DeviceSource>& devices) {
  for (auto& [name, open] : open_list())
    open.entries_used = open.devices_used = 0;  // of an attempt that failed
  for (const DeviceSpec& spec : config.devices) {
    OpenBackend& open = open_list()[spec.backend];
    if (!open.is_open) {
      if (Problem wrong = open_backend(spec.backend, config, runtime, open)) return wrong;
    }
    for (uint32_t i = open.counts[open.entries_used++]; i > 0; --i)
      devices.push_back({open.backend, open.instance, open.devices_used++});
  }
  return {};
}

void close_backends() {
  for (const auto& [name, open] : open_list()) {
    if (open.instance != nullptr && open.backend->close != nullptr) {
      open.backend->close(open.instance);
    }
  }
}

}  // namespace ferry
