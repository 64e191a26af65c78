// SPDX-License-Identifier: Apache-2.0
// Functions and lines of one file, from its debug information.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace ferry::tools::trace {

struct DebugPlace {
  std::string function;
  std::string file;
  uint32_t line = 0;
};

/// Not to be shared between threads.
class DebugFile {
 public:
  virtual ~DebugFile() = default;
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;
  /// `address` is one before relocation. Unknown parts are empty.
  virtual DebugPlace place_of(uint64_t address) = 0;

 protected:
  DebugFile() = default;
};

/// Null when libdw is not on this machine or cannot read the file.
std::unique_ptr<DebugFile> open_debug_file(const std::string& path);

}  // namespace ferry::tools::trace
