// SPDX-License-Identifier: Apache-2.0
// What naming addresses needs of an ELF file: its build id, and where its parts are loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferry::tools::trace {

struct ElfSegment {
  uint64_t offset = 0;   // in the file
  uint64_t address = 0;  // before relocation
  uint64_t size = 0;     // in the file
};

struct ElfFile {
  std::string build_id;  // hexadecimal; "": it has none
  std::vector<ElfSegment> segments;
  int64_t modified = 0;  // seconds since 1970

  /// The address, before relocation, of an offset in the file.
  std::optional<uint64_t> address_of(uint64_t offset) const;
};

/// Nothing when it is no regular 64-bit ELF file of this machine's byte order.
std::optional<ElfFile> read_elf_file(const std::string& path);

}  // namespace ferry::tools::trace
