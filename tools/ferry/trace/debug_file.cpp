// SPDX-License-Identifier: Apache-2.0
// libdw, loaded when the first address is named: the program runs on machines without it.
#include "trace/debug_file.h"

#ifdef FERRY_HAS_LIBDW
#include <cxxabi.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#endif

namespace ferry::tools::trace {

#ifdef FERRY_HAS_LIBDW
namespace {

// The functions that are used, by their names in the library.
struct Libdw {
  decltype(&::dwfl_begin) begin = nullptr;
  decltype(&::dwfl_end) end = nullptr;
  decltype(&::dwfl_report_elf) report_elf = nullptr;
  decltype(&::dwfl_report_end) report_end = nullptr;
  decltype(&::dwfl_build_id_find_elf) find_elf = nullptr;
  decltype(&::dwfl_build_id_find_debuginfo) find_debuginfo = nullptr;
  decltype(&::dwfl_module_addrdie) addrdie = nullptr;
  decltype(&::dwfl_module_nextcu) nextcu = nullptr;
  decltype(&::dwfl_module_addrname) addrname = nullptr;
  decltype(&::dwarf_haspc) haspc = nullptr;
  decltype(&::dwarf_getsrc_die) getsrc = nullptr;
  decltype(&::dwarf_lineno) lineno = nullptr;
  decltype(&::dwarf_linesrc) linesrc = nullptr;
  decltype(&::dwarf_getscopes) getscopes = nullptr;
  decltype(&::dwarf_tag) tag = nullptr;
  decltype(&::dwarf_diename) diename = nullptr;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool find_all(void* library, Libdw& dw) {
  return find(library, "dwfl_begin", dw.begin) && find(library, "dwfl_end", dw.end) &&
         find(library, "dwfl_report_elf", dw.report_elf) &&
         find(library, "dwfl_report_end", dw.report_end) &&
         find(library, "dwfl_build_id_find_elf", dw.find_elf) &&
         find(library, "dwfl_build_id_find_debuginfo", dw.find_debuginfo) &&
         find(library, "dwfl_module_addrdie", dw.addrdie) &&
         find(library, "dwfl_module_nextcu", dw.nextcu) &&
         find(library, "dwfl_module_addrname", dw.addrname) &&
         find(library, "dwarf_haspc", dw.haspc) && find(library, "dwarf_getsrc_die", dw.getsrc) &&
         find(library, "dwarf_lineno", dw.lineno) && find(library, "dwarf_linesrc", dw.linesrc) &&
         find(library, "dwarf_getscopes", dw.getscopes) && find(library, "dwarf_tag", dw.tag) &&
         find(library, "dwarf_diename", dw.diename);
}

// Null when it is not on this machine. It is never unloaded.
const Libdw* libdw() {
  static const Libdw* const loaded = []() -> const Libdw* {
    static Libdw functions;
    void* library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && find_all(library, functions) ? &functions : nullptr;
  }();
  return loaded;
}

// The name that a person reads, without arguments.
std::string plain_name(const char* symbol) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 && demangled != nullptr ? demangled : symbol;
  std::free(demangled);
  constexpr const char* kUnnamed = "(anonymous namespace)::";
  for (size_t at = 0; (at = name.find(kUnnamed)) != std::string::npos;)
    name.erase(at, std::char_traits<char>::length(kUnnamed));
  return name.substr(0, name.find('('));
}

class DwarfFile final : public DebugFile {
 public:
  explicit DwarfFile(const Libdw& dw) : dw_(dw) {
    // Separate debug files are taken from this machine only: a server would take long.
    callbacks_.find_elf = dw.find_elf;
    callbacks_.find_debuginfo = dw.find_debuginfo;
  }
  ~DwarfFile() override {
    if (modules_ != nullptr) dw_.end(modules_);
  }

  bool open(const std::string& path) {
    modules_ = dw_.begin(&callbacks_);
    if (modules_ == nullptr) return false;
    module_ = dw_.report_elf(modules_, path.c_str(), path.c_str(), -1, 0, true);
    return dw_.report_end(modules_, nullptr, nullptr) == 0 && module_ != nullptr;
  }

  DebugPlace place_of(uint64_t address) override {
    DebugPlace place;
    Dwarf_Addr bias = 0;
    if (Dwarf_Die* unit = unit_of(address, bias)) {
      read_line(unit, address - bias, place);
      place.function = function_at(unit, address - bias);
    }
    if (place.function.empty()) {
      const char* symbol = dw_.addrname(module_, address);
      if (symbol != nullptr) place.function = plain_name(symbol);
    }
    return place;
  }

 private:
  // Clang writes no index of addresses: then all units are searched.
  Dwarf_Die* unit_of(uint64_t address, Dwarf_Addr& bias) {
    Dwarf_Die* unit = dw_.addrdie(module_, address, &bias);
    while (unit == nullptr || dw_.haspc(unit, address - bias) != 1) {
      unit = dw_.nextcu(module_, unit, &bias);
      if (unit == nullptr) return nullptr;
    }
    return unit;
  }

  void read_line(Dwarf_Die* unit, Dwarf_Addr address, DebugPlace& place) const {
    Dwarf_Line* row = dw_.getsrc(unit, address);
    int line = 0;
    if (row == nullptr || dw_.lineno(row, &line) != 0 || line <= 0) return;
    const char* file = dw_.linesrc(row, nullptr, nullptr);
    if (file == nullptr) return;
    place.file = file;
    place.line = static_cast<uint32_t>(line);
  }

  // The innermost function, inlined or not: the line is in it.
  std::string function_at(Dwarf_Die* unit, Dwarf_Addr address) const {
    Dwarf_Die* scopes = nullptr;
    const int count = dw_.getscopes(unit, address, &scopes);
    std::string name;
    for (int i = 0; i < count && name.empty(); ++i) {
      const int tag = dw_.tag(&scopes[i]);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      const char* text = dw_.diename(&scopes[i]);
      if (text != nullptr) name = text;
    }
    std::free(scopes);
    return name;
  }

  const Libdw& dw_;
  Dwfl_Callbacks callbacks_{};
  Dwfl* modules_ = nullptr;
  Dwfl_Module* module_ = nullptr;
};

}  // namespace

std::unique_ptr<DebugFile> open_debug_file(const std::string& path) {
  const Libdw* dw = libdw();
  if (dw == nullptr) return nullptr;
  auto file = std::make_unique<DwarfFile>(*dw);
  if (!file->open(path)) return nullptr;
  return file;
}

#else

std::unique_ptr<DebugFile> open_debug_file(const std::string&) {
  return nullptr;
}

#endif

}  // namespace ferry::tools::trace
