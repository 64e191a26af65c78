// SPDX-License-Identifier: Apache-2.0
// Loads the plugin for debug information on first use; falls back to the dynamic loader's symbols.
#include "layers/check/report/symbols.h"

#include "base/log.h"
#include "layers/check/report/symbols_plugin.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace ferry::layers::check {
namespace {

constexpr size_t kMostRemembered = 20000;  // addresses

// The plugin lies beside this library. No other directory is searched, so that both come from the
// same installation.
ferryx_find_symbols load_plugin() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&describe_frames), &self) == 0) return nullptr;
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::absolute(self.dli_fname, ignored);
  const std::filesystem::path path = here.parent_path() / "libferry_symbols.so";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    FERRY_LOG(kInfo,
              "findings name no files and lines: %s; the plugin is built where libdw is installed "
              "(Debian: libdw-dev)",
              dlerror());
    return nullptr;
  }
  FERRY_LOG(kInfo, "the plugin %s is loaded", path.c_str());
  return reinterpret_cast<ferryx_find_symbols>(dlsym(library, FERRYX_SYMBOLS_ENTRY));
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

Frame frame_of(const ferryx_symbol& symbol) {
  Frame frame;
  if (symbol.function != nullptr) frame.function = demangled(symbol.function);
  if (symbol.file != nullptr) frame.file = symbol.file;
  frame.line = symbol.line;
  frame.is_inlined = symbol.is_inlined != 0;
  return frame;
}

// A frame that there is no memory for is left out.
void add_symbol(void* user, const ferryx_symbol* symbol) noexcept {
  try {
    static_cast<std::vector<Frame>*>(user)->push_back(frame_of(*symbol));
  } catch (const std::bad_alloc&) {
    return;
  }
}

std::vector<Frame> look_up(ferryx_find_symbols find, uintptr_t return_address) {
  // The call lies before its return address, which may already belong to another line.
  const uintptr_t address = return_address - 1;
  std::vector<Frame> frames;
  if (find != nullptr) find(address, add_symbol, &frames);
  if (frames.empty()) frames.emplace_back();
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(address), &info) == 0) return frames;
  Frame& outermost = frames.back();
  if (outermost.function.empty() && info.dli_sname != nullptr) {
    outermost.function = demangled(info.dli_sname);
  }
  for (Frame& frame : frames) {
    frame.module = info.dli_fname;
    frame.offset = address - reinterpret_cast<uintptr_t>(info.dli_fbase);
  }
  return frames;
}

struct Symbols {
  std::mutex mutex;  // protects all below, and the plugin
  ferryx_find_symbols find = load_plugin();
  std::unordered_map<uintptr_t, std::vector<Frame>> remembered;
};

Symbols& symbols() {
  static auto* instance = new Symbols;  // leaked: threads use it until the process ends
  return *instance;
}

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kCallOperator = "operator()";

// The number of characters of `rest` that look like brackets but are not.
size_t plain_prefix(std::string_view rest) {
  if (rest.starts_with(kAnonymous)) return kAnonymous.size();
  if (rest.starts_with(kCallOperator)) return kCallOperator.size();
  if (rest.starts_with("operator<") || rest.starts_with("operator>") ||
      rest.starts_with("operator-")) {
    return std::min(rest.find('('), rest.size());
  }
  return 0;
}

// Start of the parameters in a demangled name: its last bracket that is not nested.
size_t parameters_of(std::string_view name) {
  size_t depth = 0;
  size_t begin = name.size();
  for (size_t i = 0; i < name.size(); ++i) {
    if (const size_t plain = plain_prefix(name.substr(i)); plain > 0) {
      i += plain - 1;
    } else if (name[i] == '<' || name[i] == '{' || name[i] == '(') {
      if (name[i] == '(' && depth == 0) begin = i;
      ++depth;
    } else if ((name[i] == '>' || name[i] == '}' || name[i] == ')') && depth > 0) {
      --depth;
    }
  }
  return begin;
}

}  // namespace

std::vector<Frame> describe_frames(std::span<const uintptr_t> addresses) {
  Symbols& all = symbols();
  const std::lock_guard lock(all.mutex);
  std::vector<Frame> frames;
  for (const uintptr_t address : addresses) {
    if (all.remembered.size() >= kMostRemembered) all.remembered.clear();
    auto known = all.remembered.find(address);
    if (known == all.remembered.end()) {
      known = all.remembered.emplace(address, look_up(all.find, address)).first;
    }
    frames.insert(frames.end(), known->second.begin(), known->second.end());
  }
  return frames;
}

std::string short_function(const std::string& function) {
  constexpr std::string_view kNoise = "(anonymous namespace)::";
  std::string text = function.substr(0, parameters_of(function));
  for (size_t at = text.find(kNoise); at != std::string::npos; at = text.find(kNoise)) {
    text.erase(at, kNoise.size());
  }
  // The result type of a template function precedes its name.
  size_t depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 8, "operator") == 0) break;
    if (text[i] == '<' || text[i] == '{' || text[i] == '(') ++depth;
    if ((text[i] == '>' || text[i] == '}' || text[i] == ')') && depth > 0) --depth;
    if (text[i] == ' ' && depth == 0) start = i + 1;
  }
  return text.substr(start);
}

}  // namespace ferry::layers::check
