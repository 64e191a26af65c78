// SPDX-License-Identifier: Apache-2.0
// Loads the plugin from the folder of this library, and passes events on to it.
#include "layers/trace/plugin_sink.h"

#include "base/config.h"
#include "layers/trace/trace_plugin.h"

#include "ferry/ferry.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

namespace ferry::layers::trace {
namespace {

constexpr const char* kPlugin = "libferry_trace.so";

struct Plugin {
  const ferryx_trace_formats* formats = nullptr;
  std::string problem;
};

// The plugin lies beside this library. No other directory is searched, so that both come from the
// same installation.
Plugin load_plugin() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&check_path), &self) == 0) {
    return {nullptr, "cannot be written: the folder of the library is unknown"};
  }
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::absolute(self.dli_fname, ignored);
  const std::filesystem::path path = here.parent_path() / kPlugin;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return {
        nullptr,
        std::string("cannot be written: the plugin for traces cannot be loaded: ") + dlerror() +
            "; it belongs beside libascendcl.so: build the target ferry_trace, or install Ferry "
            "again"};
  }
  const auto entry = reinterpret_cast<ferryx_trace_entry>(dlsym(library, FERRYX_TRACE_ENTRY));
  if (entry == nullptr) {
    return {nullptr, "cannot be written: " + path.string() + " is of another version of Ferry"};
  }
  return {entry(), {}};
}

// Loaded once, and never again when that has failed.
const Plugin& plugin() {
  static const auto* const loaded = new Plugin(load_plugin());
  return *loaded;
}

std::string or_empty(const char* wrong) {
  return wrong == nullptr ? std::string() : std::string(wrong);
}

class PluginSink : public Sink {
 public:
  explicit PluginSink(ferryx_trace_writer* writer) : writer_(writer) {}

  std::string write(std::span<const ferryx_trace_event> events) override {
    return or_empty(plugin().formats->write(writer_, events.data(), events.size()));
  }
  std::string write_modules(std::span<const ferryx_trace_module> modules) override {
    return or_empty(plugin().formats->modules(writer_, modules.data(), modules.size()));
  }
  std::string flush() override { return or_empty(plugin().formats->flush(writer_)); }
  std::string write_unfinished(std::span<const ferryx_trace_event> events) override {
    return or_empty(plugin().formats->write_unfinished(writer_, events.data(), events.size()));
  }
  std::string close(uint64_t dropped, const char* reason) override {
    ferryx_trace_text room;
    return or_empty(plugin().formats->close(writer_, dropped, reason, &room));
  }

 private:
  ferryx_trace_writer* const writer_;  // freed by close()
};

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> arguments;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\0', begin), text.size());
    arguments.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return arguments;
}

std::string own_program() {
  std::error_code wrong;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", wrong);
  return wrong ? std::string() : path.string();
}

std::string schedule_text() {
  const Schedule& schedule = config().schedule;
  std::string text = schedule.name();
  if (schedule.kind == Schedule::Kind::kShuffle) text += ":" + std::to_string(schedule.seed);
  return text;
}

// Keeps what the header refers to.
struct Header {
  explicit Header(const Beginning& beginning) {
    for (const std::string& argument : arguments)
      argument_pointers.push_back(argument.c_str());
    argument_pointers.push_back(nullptr);
    for (const DeviceFacts& device : facts) {
      devices.push_back({.id = device.id,
                         .kind = device.kind.c_str(),
                         .name = device.name.c_str(),
                         .memory = device.memory});
    }
    value = {.struct_size = sizeof value,
             .ferry = FERRY_VERSION,
             .program = program.c_str(),
             .arguments = argument_pointers.data(),
             .pid = static_cast<uint64_t>(getpid()),
             .clock = static_cast<uint64_t>(beginning.clock),
             .started = beginning.started,
             .devices = devices.data(),
             .device_count = devices.size(),
             .soc = config().soc->name,
             .cann = config().release->name,
             .schedule = schedule.c_str(),
             .check = config().check.is_on ? 1U : 0U,
             .has_items = beginning.has_items ? 1U : 0U,
             .has_contents = beginning.has_contents ? 1U : 0U};
  }

  const std::vector<std::string> arguments = own_arguments();
  const std::string program = own_program();
  const std::string schedule = schedule_text();
  const std::vector<DeviceFacts> facts = services().devices();
  std::vector<const char*> argument_pointers;
  std::vector<ferryx_trace_device> devices;
  ferryx_trace_header value{};
};

}  // namespace

std::string check_path(const std::string& path) {
  const Plugin& found = plugin();
  if (found.formats == nullptr) return found.problem;
  ferryx_trace_text room;
  return or_empty(found.formats->check(expanded_path(path).c_str(), &room));
}

std::string expanded_path(const std::string& path) {
  std::string expanded;
  for (size_t i = 0; i < path.size(); ++i) {
    const bool is_pid = path[i] == '%' && i + 1 < path.size() && path[i + 1] == 'p';
    if (is_pid) {
      expanded += std::to_string(getpid());
      ++i;
    } else {
      expanded += path[i];
    }
  }
  return expanded;
}

std::unique_ptr<Sink> open_plugin_sink(const std::string& path, const Beginning& beginning,
                                       std::string& wrong) {
  wrong = check_path(path);
  if (!wrong.empty()) return nullptr;
  const std::string file = expanded_path(path);
  const Header header(beginning);
  ferryx_trace_writer* writer = nullptr;
  ferryx_trace_text room;
  wrong = or_empty(plugin().formats->open(file.c_str(), &header.value, &writer, &room));
  if (!wrong.empty()) return nullptr;
  return std::make_unique<PluginSink>(writer);
}

}  // namespace ferry::layers::trace
