// SPDX-License-Identifier: Apache-2.0
// Finds plugins without loading them: loading would run their constructors, and those of all their
// dependencies, just to learn a name.
#include "core/plugin_folders.h"

#include "base/log.h"
#include "base/user_file.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace ferry {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStart = "libferry_";
constexpr std::string_view kEnd = ".so";
// No plugin is as long. Others would be read as a whole, only to look for a name.
constexpr uint64_t kMostPluginBytes = uint64_t{256} << 20;

std::vector<fs::path> folders(const Config& config) {
  std::vector<fs::path> all(config.plugin_folders.begin(), config.plugin_folders.end());
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&find_plugin), &self) != 0) {
    all.push_back(fs::path(self.dli_fname).parent_path());
  }
  return all;
}

// Whether the file has a symbol with the name of the entry: its string table then contains the name
// between zero bytes.
bool has_entry(const fs::path& path) {
  static constexpr char kName[] = "\0" FERRYX_BACKEND_ENTRY;
  std::string bytes;
  return read_user_file(path, kMostPluginBytes, bytes).empty() &&
         bytes.find(std::string_view(kName, sizeof kName)) != std::string::npos;
}

}  // namespace

std::string find_plugin(const std::string& name, const Config& config) {
  for (const fs::path& folder : folders(config)) {
    const fs::path path = folder / (std::string(kStart) + name + std::string(kEnd));
    if (has_entry(path)) return path;
  }
  return {};
}

std::vector<std::string> list_plugins(const Config& config) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders(config)) {
    std::error_code unreadable;  // an unreadable folder counts as empty
    for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
      const std::string file = entry.path().filename();
      if (!file.starts_with(kStart) || !file.ends_with(kEnd) || !has_entry(entry.path())) continue;
      names.push_back(file.substr(kStart.size(), file.size() - kStart.size() - kEnd.size()));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string describe_folders(const Config& config) {
  std::string text;
  for (const fs::path& folder : folders(config))
    text.append(text.empty() ? "" : ", ").append(folder);
  return text;
}

std::string load_plugin(const std::string& path, const ferryx_backend*& backend) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    // What it needs is missing, or another version of the library is there.
    return std::string("its plugin cannot be loaded: ") + dlerror() +
           "; install what is missing, or a plugin of this version of Ferry";
  }
  FERRY_LOG(kInfo, "the plugin %s is loaded", path.c_str());
  void* entry = dlsym(library, FERRYX_BACKEND_ENTRY);
  if (entry == nullptr) return path + " does not export " FERRYX_BACKEND_ENTRY;
  backend = reinterpret_cast<ferryx_backend_entry>(entry)();
  return backend != nullptr ? std::string() : path + " offers no backend";
}

}  // namespace ferry
