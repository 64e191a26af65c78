// SPDX-License-Identifier: Apache-2.0
// Loading, and what can go wrong with it.
#include "core/kernel/kernel_file.h"

#include "base/error_state.h"
#include "base/program_call.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <memory>

namespace ferry {
namespace {

constexpr const char* kEntry = "ferryRegisterKernels";

struct Loading {
  std::string wrong;  // of the first registration that failed
};
thread_local Loading* current_loading = nullptr;

Problem wrong_file(const std::string& path, const std::string& what) {
  const Value file = Value::quoted(path.c_str()).after(" names the file ");
  return std::make_unique<Error>("FERRY_KERNELS", file, ", which " + what, "",
                                 ACL_ERROR_RT_DEV_SETUP_ERROR);
}

bool is_regular_file(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

std::string register_all(void (*entry)()) {
  Loading loading;
  current_loading = &loading;
  std::string instead;
  call_program(
      Called::kOtherwise, Thrown::kEndsHere, [&] { entry(); },
      [&](const char* what) {
        current_loading = nullptr;
        if (what != nullptr) instead = what;
      });
  if (!instead.empty()) return std::string("has a function ") + kEntry + " that " + instead;
  if (!loading.wrong.empty()) return "registers a kernel wrongly: " + loading.wrong;
  return {};
}

}  // namespace

Problem load_kernel_file(const std::string& path) {
  // The start of the runtime may be repeated after a lack of memory.
  static bool is_loaded = false;  // guarded by the lock of that start
  if (path.empty() || is_loaded) return {};
  // dlopen would wait for the writer of a FIFO.
  if (!is_regular_file(path)) return wrong_file(path, "is no file, or not a regular one");
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return wrong_file(path, std::string("cannot be loaded: ") + dlerror());
  void* const entry = dlsym(library, kEntry);
  if (entry == nullptr) {
    return wrong_file(path, std::string("does not export a C function ") + kEntry);
  }
  const std::string wrong = register_all(reinterpret_cast<void (*)()>(entry));
  is_loaded = wrong.empty();
  return is_loaded ? Problem() : wrong_file(path, wrong);
}

bool is_loading_kernels() {
  return current_loading != nullptr;
}

void note_failed_registration() {
  if (current_loading == nullptr || !current_loading->wrong.empty()) return;
  current_loading->wrong = recent_error().sentence();
}

}  // namespace ferry
