// SPDX-License-Identifier: Apache-2.0
// Reads program headers and the note with the build id. All sizes in the file are bounded.
#include "trace/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace ferry::tools::trace {
namespace {

constexpr size_t kMostHeaders = 4096;
constexpr size_t kMostNotes = size_t{1} << 20;

class File {
 public:
  explicit File(const std::string& path)
      // O_NONBLOCK: the path may be a FIFO by now.
      : file_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_regular(int64_t& modified) const {
    struct stat status {};
    if (file_ < 0 || fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    modified = status.st_mtime;
    return true;
  }
  bool read(void* data, size_t size, uint64_t offset) const {
    return offset <= INT64_MAX &&
           pread(file_, data, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
  }

 private:
  int file_;
};

uint64_t aligned(uint64_t size) {
  return (size + 3) & ~uint64_t{3};
}

std::string build_id_in(const std::vector<unsigned char>& notes) {
  for (uint64_t place = 0; place + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data() + place, sizeof note);
    const uint64_t name = place + sizeof note;
    const uint64_t text = name + aligned(note.n_namesz);
    const uint64_t next = text + aligned(note.n_descsz);
    if (text + note.n_descsz > notes.size()) break;
    const bool is_gnu = note.n_namesz == 4 && std::memcmp(notes.data() + name, "GNU", 4) == 0;
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID) {
      std::string id;
      for (uint64_t i = 0; i < note.n_descsz; ++i)
        id += fmt::format("{:02x}", notes[text + i]);
      return id;
    }
    place = next;
  }
  return {};
}

bool is_readable(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_phentsize == sizeof(Elf64_Phdr) && header.e_phnum <= kMostHeaders;
}

}  // namespace

std::optional<uint64_t> ElfFile::address_of(uint64_t offset) const {
  for (const ElfSegment& segment : segments) {
    if (offset >= segment.offset && offset - segment.offset < segment.size) {
      return segment.address + (offset - segment.offset);
    }
  }
  return {};
}

std::optional<ElfFile> read_elf_file(const std::string& path) {
  const File file(path);
  ElfFile result;
  Elf64_Ehdr header;
  if (!file.is_regular(result.modified) || !file.read(&header, sizeof header, 0) ||
      !is_readable(header)) {
    return {};
  }
  std::vector<Elf64_Phdr> parts(header.e_phnum);
  if (!file.read(parts.data(), parts.size() * sizeof(Elf64_Phdr), header.e_phoff)) return {};
  for (const Elf64_Phdr& part : parts) {
    if (part.p_type == PT_LOAD) {
      result.segments.push_back({part.p_offset, part.p_vaddr, part.p_filesz});
    }
    if (part.p_type != PT_NOTE || part.p_filesz > kMostNotes || !result.build_id.empty()) continue;
    std::vector<unsigned char> notes(part.p_filesz);
    if (file.read(notes.data(), notes.size(), part.p_offset)) result.build_id = build_id_in(notes);
  }
  return result;
}

}  // namespace ferry::tools::trace
