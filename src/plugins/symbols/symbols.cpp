// SPDX-License-Identifier: Apache-2.0
// libferry_symbols.so: functions, files and lines of addresses, from debug information read by
// libdw. A separate library, so that only a process that has something to report needs libdw.
#include "layers/check/report/symbols_plugin.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <new>

namespace ferry::plugins::symbols {
namespace {

// Separate debug files are taken from this machine only: fetching from a server would delay the
// program.
constexpr Dwfl_Callbacks kCallbacks{.find_elf = dwfl_linux_proc_find_elf,
                                    .find_debuginfo = dwfl_build_id_find_debuginfo,
                                    .section_address = nullptr,
                                    .debuginfo_path = nullptr};

// The modules currently loaded; null when they cannot be read.
Dwfl* read_modules() {
  Dwfl* modules = dwfl_begin(&kCallbacks);
  if (modules == nullptr) return nullptr;
  if (dwfl_linux_proc_report(modules, getpid()) == 0 &&
      dwfl_report_end(modules, nullptr, nullptr) == 0) {
    return modules;
  }
  dwfl_end(modules);
  return nullptr;
}

// The module of an address. Libraries may have been loaded since the last lookup.
Dwfl_Module* module_of(Dwarf_Addr address) {
  static Dwfl* modules = nullptr;
  if (modules != nullptr) {
    if (Dwfl_Module* known = dwfl_addrmodule(modules, address)) return known;
    dwfl_end(modules);
  }
  modules = read_modules();
  return modules != nullptr ? dwfl_addrmodule(modules, address) : nullptr;
}

// libdw calls this when its memory runs out, and relies on it not to return; its own one would end
// the process. libdw is C, compiled with unwind tables, so an exception passes through it.
[[gnu::noreturn]] void leave_libdw() {
  throw std::bad_alloc();
}

// Each set of debug information has its own handler: the module's, and the one it shares with
// other modules.
void let_libdw_be_left(Dwfl_Module* module) {
  Dwarf_Addr bias = 0;
  Dwarf* own = dwfl_module_getdwarf(module, &bias);
  if (own == nullptr) return;
  dwarf_new_oom_handler(own, leave_libdw);
  if (Dwarf* shared = dwarf_getalt(own)) dwarf_new_oom_handler(shared, leave_libdw);
}

// libdw and libelf may crash when they cannot allocate, and the loader ends the process when it
// cannot allocate their variables of a thread. So they are called only while there is more memory
// than they ask for in small pieces; they cope with the failure to map or read a large file.
bool has_enough_memory() {
  constexpr size_t kEnough = size_t{32} << 20;
  void* probe = mmap(nullptr, kEnough, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) return false;
  munmap(probe, kEnough);
  return true;
}

struct Place {
  const char* file = nullptr;  // belongs to libdw
  uint32_t line = 0;
};

// A compilation unit, and the offset of its addresses from those of the process.
struct Unit {
  Dwarf_Die* die = nullptr;
  Dwarf_Addr bias = 0;
};

Unit unit_of(Dwfl_Module* module, Dwarf_Addr address) {
  Unit unit;
  unit.die = dwfl_module_addrdie(module, address, &unit.bias);
  // Clang writes no index of addresses: then all units are searched.
  while (unit.die == nullptr || dwarf_haspc(unit.die, address - unit.bias) != 1) {
    unit.die = dwfl_module_nextcu(module, unit.die, &unit.bias);
    if (unit.die == nullptr) break;
  }
  return unit;
}

Place line_of(const Unit& unit, Dwarf_Addr address) {
  Dwarf_Line* row = dwarf_getsrc_die(unit.die, address - unit.bias);
  int line = 0;
  if (row == nullptr || dwarf_lineno(row, &line) != 0) return {};
  const char* file = dwarf_linesrc(row, nullptr, nullptr);
  if (file == nullptr) return {};
  return {file, static_cast<uint32_t>(line)};
}

uint32_t number_attribute(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) {
    return 0;
  }
  return static_cast<uint32_t>(value);
}

// Where an inlined function was called.
Place call_of(Dwarf_Die* inlined) {
  Dwarf_Die unit;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  Place place{.file = nullptr, .line = number_attribute(inlined, DW_AT_call_line)};
  const uint32_t index = number_attribute(inlined, DW_AT_call_file);
  if (dwarf_diecu(inlined, &unit, nullptr, nullptr) == nullptr ||
      dwarf_getsrcfiles(&unit, &files, &count) != 0 || index >= count) {
    return place;
  }
  place.file = dwarf_filesrc(files, index, nullptr, nullptr);
  return place;
}

const char* name_of(Dwarf_Die* function) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(function, name, &attribute) == nullptr) continue;
    if (const char* text = dwarf_formstring(&attribute)) return text;
  }
  return dwarf_diename(function);
}

using Scopes = std::unique_ptr<Dwarf_Die, decltype(&std::free)>;

// The scopes around an address in the generated code, innermost first; `count` receives their
// number.
Scopes scopes_of(const Unit& unit, Dwarf_Addr address, int& count) {
  Dwarf_Die* found = nullptr;
  count = dwarf_getscopes(unit.die, address - unit.bias, &found);
  const Scopes innermost(found, &std::free);
  if (count <= 0) return {nullptr, &std::free};
  // These lead to where the innermost scope was declared; needed is where it was inlined.
  Dwarf_Die* around = nullptr;
  count = dwarf_getscopes_die(&innermost.get()[0], &around);
  return {around, &std::free};
}

struct Listener {
  ferryx_on_symbol on_symbol;
  void* user;

  void tell(const char* function, const Place& place, bool is_inlined) const {
    const ferryx_symbol symbol{.function = function,
                               .file = place.file,
                               .line = place.line,
                               .is_inlined = is_inlined ? 1U : 0U};
    on_symbol(user, &symbol);
  }
};

// Reports the functions at `address`, whose line is `place`. False when they have no debug
// information.
bool tell_scopes(const Unit& unit, Dwarf_Addr address, Place place, const Listener& listener) {
  int count = 0;
  const Scopes scopes = scopes_of(unit, address, count);
  for (int i = 0; i < count; ++i) {
    Dwarf_Die* scope = &scopes.get()[i];
    const int tag = dwarf_tag(scope);
    if (tag == DW_TAG_inlined_subroutine) {
      listener.tell(name_of(scope), place, true);
      place = call_of(scope);
    } else if (tag == DW_TAG_subprogram) {
      listener.tell(name_of(scope), place, false);
      return true;
    }
  }
  return false;
}

void tell_symbols(Dwarf_Addr address, const Listener& listener) {
  Dwfl_Module* module = module_of(address);
  if (module == nullptr) return;
  let_libdw_be_left(module);
  const Unit unit = unit_of(module, address);
  const Place place = unit.die != nullptr ? line_of(unit, address) : Place();
  if (unit.die != nullptr && tell_scopes(unit, address, place, listener)) return;
  // Code without debug information for its functions still has symbols.
  const char* symbol = dwfl_module_addrname(module, address);
  if (symbol != nullptr || place.file != nullptr) listener.tell(symbol, place, false);
}

}  // namespace
}  // namespace ferry::plugins::symbols

extern "C" __attribute__((visibility("default"))) void ferryx_find_symbols_1(
    uintptr_t address, ferryx_on_symbol on_symbol, void* user) {
  using namespace ferry::plugins::symbols;  // NOLINT(google-build-using-namespace): C function
  // False once libdw was left in the middle of something: it is neither used nor cleaned up then.
  static bool is_usable = true;
  if (!is_usable || !has_enough_memory()) return;
  try {
    tell_symbols(address, {on_symbol, user});
  } catch (const std::bad_alloc&) {
    is_usable = false;
  }
}
