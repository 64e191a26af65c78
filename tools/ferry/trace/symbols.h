// SPDX-License-Identifier: Apache-2.0
// Names the places of calls from the modules that a trace lists and the files that are still there.
#pragma once

#include "trace/elf_file.h"
#include "trace/trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ferry::tools::trace {

struct Symbol {
  std::string function;  // "" unknown
  std::string file;      // with its folder; "" unknown
  uint32_t line = 0;     // 0 unknown
  std::string text;      // "load_page transfer.cpp:42", "libdemo.so+0x1234" or the address
};

// In debug_file.h.
class DebugFile;

/// Not to be shared between threads. The trace must stay where it is.
class Symbols {
 public:
  explicit Symbols(const Trace& trace);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// The call before a return address. Files that have changed since the trace was recorded give
  /// offsets, not wrong lines.
  Symbol of_call(uint64_t return_address);

 private:
  struct File {
    std::optional<ElfFile> elf;  // nothing: it is gone or has changed
    std::unique_ptr<DebugFile> debug;
  };
  File& file_of(const Module& module);

  const Trace& trace_;
  std::map<std::string, File> files_;  // by path
};

}  // namespace ferry::tools::trace
