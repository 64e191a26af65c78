// SPDX-License-Identifier: Apache-2.0
// Asks the dynamic loader.
#include "layers/trace/modules.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

namespace ferry::layers::trace {
namespace {

struct Module {
  std::string path;
  std::string build_id;
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t offset = 0;
};

struct Listing {
  uint64_t loads = 0;
  uint64_t known_loads = 0;
  std::vector<Module> modules;
};

std::string hex_of(const unsigned char* bytes, size_t size) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// The build id among the notes of a segment; "" when there is none.
std::string find_build_id(const char* notes, size_t size) {
  constexpr size_t kAligned = 4;
  const auto padded = [](size_t length) { return (length + kAligned - 1) & ~(kAligned - 1); };
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const size_t name = at + sizeof note;
    const size_t text = name + padded(note.n_namesz);
    if (text + note.n_descsz > size) return {};
    const bool is_id = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                       std::memcmp(notes + name, "GNU", 4) == 0;
    if (is_id) return hex_of(reinterpret_cast<const unsigned char*>(notes + text), note.n_descsz);
    at = text + padded(note.n_descsz);
  }
  return {};
}

std::string build_id_of(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* const notes = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    if (std::string id = find_build_id(notes, segment.p_memsz); !id.empty()) return id;
  }
  return {};
}

std::string path_of(const dl_phdr_info& object) {
  std::error_code wrong;
  if (object.dlpi_name == nullptr || object.dlpi_name[0] == '\0') {
    return std::filesystem::read_symlink("/proc/self/exe", wrong).string();
  }
  const std::filesystem::path path = std::filesystem::absolute(object.dlpi_name, wrong);
  return wrong ? std::string(object.dlpi_name) : path.string();
}

int add_module(dl_phdr_info* object, size_t /*size*/, void* argument) {
  Listing& listing = *static_cast<Listing*>(argument);
  listing.loads = object->dlpi_adds;
  if (listing.loads == listing.known_loads) return 1;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const uint64_t begin = object->dlpi_addr + segment.p_vaddr;
    listing.modules.push_back({.path = path_of(*object),
                               .build_id = build_id_of(*object),
                               .begin = begin,
                               .end = begin + segment.p_memsz,
                               .offset = segment.p_offset});
  }
  return 0;
}

}  // namespace

std::string Modules::write_new(Sink& sink) {
  Listing listing;
  listing.known_loads = loads_;
  dl_iterate_phdr(add_module, &listing);
  if (listing.loads == loads_) return {};
  loads_ = listing.loads;
  std::vector<ferryx_trace_module> fresh;
  for (const Module& module : listing.modules) {
    if (!written_.insert(module.begin).second) continue;
    fresh.push_back({.path = module.path.c_str(),
                     .build_id = module.build_id.c_str(),
                     .begin = module.begin,
                     .end = module.end,
                     .offset = module.offset});
  }
  return fresh.empty() ? std::string() : sink.write_modules(fresh);
}

}  // namespace ferry::layers::trace
