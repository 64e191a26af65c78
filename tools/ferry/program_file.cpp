// SPDX-License-Identifier: Apache-2.0
// Reads the head of the file: "#!" or the ELF tables. The file is never run: a static program
// ignores the variable that asks for a list of libraries, and would really start.
#include "program_file.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace ferry::tools {
namespace {

namespace fs = std::filesystem;

// More than any of these tables needs; a damaged file may claim any size.
constexpr uint64_t kMostBytes = uint64_t{1} << 24;

template <class Record>
bool read_at(std::ifstream& file, uint64_t offset, Record* records, size_t count) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(records), static_cast<std::streamsize>(count * sizeof(Record)));
  return file.good();
}

std::optional<fs::path> look_up(const std::string& name) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos) {
    if (fs::is_regular_file(name, ignored)) return fs::path(name);
    return {};
  }
  const char* list = std::getenv("PATH");
  std::string_view rest = list != nullptr ? list : "/usr/bin:/bin";
  while (!name.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    if (folder.size() == rest.size()) break;
    rest.remove_prefix(folder.size() + 1);
  }
  return {};
}

// Of the first line: the first word behind "#!", or the next without a dash when that is env.
std::string interpreter_of_script(std::ifstream& file) {
  constexpr size_t kMostLetters = 4096;  // more than any system reads of such a line
  std::string head(kMostLetters, '\0');
  file.clear();
  file.seekg(2);
  file.read(head.data(), kMostLetters);
  std::istringstream line(head.substr(0, head.find_first_of(std::string_view("\n\0", 2))));
  std::string first;
  line >> first;
  if (fs::path(first).filename() != "env") return first;
  std::string second;
  while (line >> second && second.starts_with('-')) {
  }
  return second;
}

// The loader that started this program can list the libraries of others too.
std::string own_loader() {
  const ProgramFile self = find_program("/proc/self/exe");
  return self.interpreter;
}

using Segments = std::vector<Elf64_Phdr>;
using DynamicTable = std::vector<Elf64_Dyn>;

DynamicTable read_dynamic_table(std::ifstream& file, const Segments& segments) {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    DynamicTable table(std::min<uint64_t>(segment.p_filesz, kMostBytes) / sizeof(Elf64_Dyn));
    if (read_at(file, segment.p_offset, table.data(), table.size())) return table;
  }
  return {};
}

uint64_t value_in(const DynamicTable& table, Elf64_Sxword tag) {
  for (const Elf64_Dyn& entry : table) {
    if (entry.d_tag == tag) return entry.d_un.d_val;
  }
  return 0;
}

// The names are offsets into a string table, which is given by its address in memory.
std::vector<std::string> needed_libraries(std::ifstream& file, const Segments& segments,
                                          const DynamicTable& table) {
  const uint64_t address = value_in(table, DT_STRTAB);
  std::string strings(std::min<uint64_t>(value_in(table, DT_STRSZ), kMostBytes), '\0');
  bool is_read = false;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      is_read = read_at(file, address - segment.p_vaddr + segment.p_offset, strings.data(),
                        strings.size());
    }
  }
  std::vector<std::string> names;
  for (const Elf64_Dyn& entry : table) {
    if (is_read && entry.d_tag == DT_NEEDED && entry.d_un.d_val < strings.size()) {
      names.emplace_back(strings.c_str() + entry.d_un.d_val);
    }
  }
  return names;
}

void classify_elf(std::ifstream& file, ProgramFile& program) {
  Elf64_Ehdr head{};
  program.kind = ProgramFile::Kind::kOther;
  if (!read_at(file, 0, &head, 1) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_phentsize != sizeof(Elf64_Phdr)) {
    return;
  }
  Segments segments(head.e_phnum);
  if (!read_at(file, head.e_phoff, segments.data(), segments.size())) return;
  const DynamicTable table = read_dynamic_table(file, segments);
  program.needed = needed_libraries(file, segments, table);
  program.kind = ProgramFile::Kind::kStatic;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_INTERP) continue;
    std::string loader(std::min<uint64_t>(segment.p_filesz, kMostBytes), '\0');
    if (!read_at(file, segment.p_offset, loader.data(), loader.size())) return;
    program.interpreter = loader.c_str();
    program.kind = ProgramFile::Kind::kDynamic;
    return;
  }
  // A static program may be position-independent like a library; a flag tells them apart.
  const bool is_program = (value_in(table, DT_FLAGS_1) & DF_1_PIE) != 0;
  if (head.e_type == ET_DYN && !table.empty() && !is_program) {
    program.kind = ProgramFile::Kind::kLibrary;
    program.interpreter = own_loader();
  }
}

}  // namespace

ProgramFile find_program(const std::string& name) {
  ProgramFile program;
  const std::optional<fs::path> path = look_up(name);
  if (!path) return program;
  program.path = *path;
  std::ifstream file(*path, std::ios::binary);
  char start[SELFMAG] = {};
  file.read(start, sizeof start);
  if (std::memcmp(start, ELFMAG, SELFMAG) == 0) {
    classify_elf(file, program);
  } else if (start[0] == '#' && start[1] == '!') {
    program.interpreter = interpreter_of_script(file);
    program.kind =
        program.interpreter.empty() ? ProgramFile::Kind::kOther : ProgramFile::Kind::kScript;
  } else {
    program.kind = ProgramFile::Kind::kOther;
  }
  return program;
}

}  // namespace ferry::tools
