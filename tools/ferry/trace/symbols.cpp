// SPDX-License-Identifier: Apache-2.0
// Addresses to modules, modules to files, and whether a file is still the one that was traced.
#include "trace/symbols.h"

#include "trace/debug_file.h"

#include <fmt/format.h>

#include <ctime>

namespace ferry::tools::trace {
namespace {

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Seconds since 1970; 0 when the text is no time.
int64_t seconds_of(const std::string& started) {
  std::tm time{};
  return strptime(started.c_str(), "%Y-%m-%dT%H:%M:%S", &time) != nullptr ? timegm(&time) : 0;
}

// Files without a build id are judged by the time of their last change.
bool is_the_traced_one(const ElfFile& elf, const Module& module, const Trace& trace) {
  if (!module.build_id.empty() || !elf.build_id.empty()) return elf.build_id == module.build_id;
  return elf.modified <= seconds_of(trace.started);
}

}  // namespace

Symbols::Symbols(const Trace& trace) : trace_(trace) {}
Symbols::~Symbols() = default;

Symbols::File& Symbols::file_of(const Module& module) {
  const auto [known, is_new] = files_.try_emplace(module.path);
  File& file = known->second;
  if (!is_new || !module.path.starts_with('/')) return file;
  std::optional<ElfFile> elf = read_elf_file(module.path);
  if (!elf || !is_the_traced_one(*elf, module, trace_)) return file;
  file.elf = std::move(elf);
  file.debug = open_debug_file(module.path);
  return file;
}

Symbol Symbols::of_call(uint64_t return_address) {
  Symbol symbol;
  symbol.text = fmt::format("{:#x}", return_address);
  if (return_address == 0) return symbol;
  // The call is before the address that it returns to.
  const uint64_t address = return_address - 1;
  for (const Module& module : trace_.modules) {
    if (address < module.begin || address >= module.end) continue;
    const uint64_t offset = address - module.begin + module.offset;
    File& file = file_of(module);
    const std::optional<uint64_t> original = file.elf ? file.elf->address_of(offset) : std::nullopt;
    symbol.text = fmt::format("{}+{:#x}", last_part(module.path), original.value_or(offset) + 1);
    if (!original || file.debug == nullptr) return symbol;
    DebugPlace place = file.debug->place_of(*original);
    symbol.function = std::move(place.function);
    symbol.file = std::move(place.file);
    symbol.line = place.line;
    if (symbol.line != 0) {
      symbol.text = fmt::format("{} {}:{}", symbol.function, last_part(symbol.file), symbol.line);
    } else if (!symbol.function.empty()) {
      symbol.text = fmt::format("{} ({})", symbol.function, symbol.text);
    }
    return symbol;
  }
  return symbol;
}

}  // namespace ferry::tools::trace
