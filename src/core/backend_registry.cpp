// SPDX-License-Identifier: Apache-2.0
// Backends are opened once each, with the number of devices that all their entries ask for
// together.
#include "core/backend_registry.h"

#include "base/error_state.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>

namespace ferry {
namespace {

std::vector<const ferryx_backend*>& builtin_backends() {
  static auto* list = new std::vector<const ferryx_backend*>;
  return *list;
}

BackendFront backend_front = nullptr;

// Plugins lie beside this library: the search goes nowhere else, so that what is loaded is what was
// installed together.
std::filesystem::path plugin_path(const std::string& name) {
  Dl_info self{};
  dladdr(reinterpret_cast<const void*>(&add_builtin_backend), &self);
  return std::filesystem::path(self.dli_fname).parent_path() / ("libferry_" + name + ".so");
}

std::string load_plugin(const std::string& name, const ferryx_backend*& backend) {
  const std::filesystem::path path = plugin_path(name);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return "FERRY_DEVICES names " + name + ", but its plugin cannot be loaded: " + dlerror();
  }
  void* entry = dlsym(library, FERRYX_BACKEND_ENTRY);
  if (entry == nullptr) return path.string() + " has no symbol " FERRYX_BACKEND_ENTRY;
  backend = reinterpret_cast<ferryx_backend_entry>(entry)();
  return backend != nullptr ? std::string() : path.string() + " offers no backend";
}

// What every table has had since 1.0; slots behind it may be missing.
constexpr size_t kLeastTableSize = offsetof(ferryx_backend, device_name);

// A table of an earlier minor version is shorter: the slots it lacks are absent.
const ferryx_backend* at_full_length(const ferryx_backend* table) {
  if (table->struct_size >= sizeof(ferryx_backend)) return table;
  static auto* const longer = new std::deque<ferryx_backend>;  // backends stay for ever
  std::memcpy(&longer->emplace_back(), table, table->struct_size);
  return &longer->back();
}

std::string find_backend(const std::string& name, const ferryx_backend*& backend) {
  for (const ferryx_backend* builtin : builtin_backends()) {
    if (name == builtin->name) backend = builtin;
  }
  if (backend == nullptr) {
    std::string wrong = load_plugin(name, backend);
    if (backend == nullptr) return wrong;
  }
  if (backend->abi_major != FERRYX_ABI_MAJOR || backend->struct_size < kLeastTableSize) {
    return "backend " + name + " has interface version " + std::to_string(backend->abi_major) +
           "." + std::to_string(backend->abi_minor) + ", needed is " +
           std::to_string(FERRYX_ABI_MAJOR) + "." + std::to_string(FERRYX_ABI_MINOR);
  }
  backend = at_full_length(backend);
  if (backend_front != nullptr) backend = backend_front(backend);
  return backend != nullptr ? std::string() : "there are too many backends to listen to";
}

uint32_t schedule_of(const Config& config) {
  switch (config.schedule.kind) {
    case Schedule::Kind::kEager:
      return FERRYX_EAGER;
    case Schedule::Kind::kLazy:
      return FERRYX_LAZY;
    case Schedule::Kind::kShuffle:
      return FERRYX_SHUFFLE;
  }
  return FERRYX_EAGER;
}

uint32_t batch_way_of(const Config& config) {
  switch (config.cuda_batch) {
    case CudaBatch::kAuto:
      return FERRYX_BATCH_AUTO;
    case CudaBatch::kEngine:
      return FERRYX_BATCH_ENGINE;
    case CudaBatch::kKernel:
      return FERRYX_BATCH_KERNEL;
  }
  return FERRYX_BATCH_AUTO;
}

bool numbers_are_counts(const std::string& backend) {
  return backend != "cuda";
}

struct OpenBackend {
  const ferryx_backend* backend = nullptr;
  uint32_t device_count = 0;
  uint32_t handed_out = 0;
};

std::string open_backend(const std::string& name, const Config& config, const ferryx_host& host,
                         OpenBackend& opened) {
  if (std::string wrong = find_backend(name, opened.backend); !wrong.empty()) return wrong;
  ferryx_settings settings{.struct_size = sizeof settings,
                           .number = UINT32_MAX,
                           .memory = config.memory,
                           .threads = config.threads,
                           .schedule = schedule_of(config),
                           .seed = config.schedule.seed,
                           .batch_way = batch_way_of(config),
                           .multiprocessors = config.cuda_multiprocessors};
  if (numbers_are_counts(name)) {
    settings.number = 0;
    for (const DeviceSpec& spec : config.devices) {
      if (spec.backend == name) settings.number += spec.number.value_or(1);
    }
  }
  if (opened.backend->open(&host, &settings, &opened.device_count) != ACL_SUCCESS) {
    return "backend " + name + " cannot be opened: " + recent_error().sentence();
  }
  return {};
}

// The devices one entry of the list stands for.
std::string add_devices(const DeviceSpec& spec, OpenBackend& from,
                        std::vector<DeviceSource>& devices) {
  if (numbers_are_counts(spec.backend)) {
    for (uint32_t i = spec.number.value_or(1); i > 0; --i) {
      devices.push_back({from.backend, from.handed_out++});
    }
    return {};
  }
  if (spec.number.has_value() && *spec.number >= from.device_count) {
    return "FERRY_DEVICES names " + spec.backend + ":" + std::to_string(*spec.number) +
           ", but there are " + std::to_string(from.device_count);
  }
  const uint32_t first = spec.number.value_or(0);
  const uint32_t end = spec.number.has_value() ? first + 1 : from.device_count;
  for (uint32_t index = first; index < end; ++index)
    devices.push_back({from.backend, index});
  return {};
}

}  // namespace

void add_builtin_backend(const ferryx_backend* backend) {
  builtin_backends().push_back(backend);
}

void set_backend_front(BackendFront front) {
  backend_front = front;
}

std::string open_backends(const Config& config, const ferryx_host& host,
                          std::vector<DeviceSource>& devices) {
  std::map<std::string, OpenBackend> open;
  for (const DeviceSpec& spec : config.devices) {
    const auto [entry, is_new] = open.try_emplace(spec.backend);
    if (is_new) {
      if (std::string wrong = open_backend(spec.backend, config, host, entry->second);
          !wrong.empty()) {
        return wrong;
      }
    }
    if (std::string wrong = add_devices(spec, entry->second, devices); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace ferry
