// SPDX-License-Identifier: Apache-2.0
// Reads the section headers and the symbol tables. Invariant: nothing outside `file` is read,
// whatever offsets and sizes the file claims.
#include "core/kernel/elf_functions.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace ferry {
namespace {

using Bytes = std::span<const std::byte>;

// The bytes may lie at any address, so that records are copied out.
template <class Record>
std::optional<Record> record_at(Bytes bytes, uint64_t offset) {
  if (bytes.size() < sizeof(Record) || offset > bytes.size() - sizeof(Record)) return {};
  Record record;
  std::memcpy(&record, bytes.data() + offset, sizeof record);
  return record;
}

Bytes part_of(Bytes bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return {};
  return bytes.subspan(offset, size);
}

// "" when the text does not end inside the table.
std::string_view text_at(Bytes table, uint64_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest(reinterpret_cast<const char*>(table.data()) + offset,
                              table.size() - offset);
  const size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

class Sections {
 public:
  explicit Sections(Bytes file) : file_(file) {
    const auto head = record_at<Elf64_Ehdr>(file, 0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return;
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB) return;
    if (head->e_shentsize != sizeof(Elf64_Shdr)) return;
    first_ = head->e_shoff;
    count_ = head->e_shnum;
  }

  size_t count() const { return count_; }
  std::optional<Elf64_Shdr> at(size_t index) const {
    const uint64_t distance = index * sizeof(Elf64_Shdr);
    if (index >= count_ || first_ > UINT64_MAX - distance) return {};
    return record_at<Elf64_Shdr>(file_, first_ + distance);
  }
  Bytes content(const Elf64_Shdr& section) const {
    return part_of(file_, section.sh_offset, section.sh_size);
  }

 private:
  const Bytes file_;
  uint64_t first_ = 0;
  size_t count_ = 0;
};

void add_functions(Bytes symbols, Bytes texts, std::vector<std::string>& names) {
  for (uint64_t offset = 0; names.size() < kMostElfFunctions; offset += sizeof(Elf64_Sym)) {
    const auto symbol = record_at<Elf64_Sym>(symbols, offset);
    if (!symbol) return;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
    const std::string_view name = text_at(texts, symbol->st_name);
    if (!name.empty()) names.emplace_back(name);
  }
}

}  // namespace

std::vector<std::string> functions_of_elf(std::span<const std::byte> file) {
  const Sections sections(file);
  std::vector<std::string> names;
  for (size_t i = 0; i < sections.count(); ++i) {
    const auto table = sections.at(i);
    if (!table || (table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM)) continue;
    const auto texts = sections.at(table->sh_link);
    if (texts) add_functions(sections.content(*table), sections.content(*texts), names);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace ferry
