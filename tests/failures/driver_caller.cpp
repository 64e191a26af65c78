// SPDX-License-Identifier: Apache-2.0
// Calls the CUDA driver as the CUDA runtime in the plugin does: by its name the file, by
// cuGetProcAddress everything else. A library of its own, because only calls of libraries of Ferry
// are counted.
#include "driver_caller.h"

#include <dlfcn.h>

#include <cstdint>

namespace {

using Get = int(const char*, void**, int, uint64_t, void*);

void* driver = nullptr;

template <class Function>
Function* find(const char* name) {
  static auto* const get = reinterpret_cast<Get*>(dlsym(driver, "cuGetProcAddress_v2"));
  void* again = nullptr;
  // The driver's own function leads to the same thunks.
  if (get("cuGetProcAddress", &again, 13000, 0, nullptr) != 0) return nullptr;
  void* found = nullptr;
  reinterpret_cast<Get*>(again)(name, &found, 13000, 0, nullptr);
  return reinterpret_cast<Function*>(found);
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int load_driver(void) {
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  return driver != nullptr ? 1 : 0;
}

EXPORT int make_stream(void) {
  int stream = 0;
  return find<int(int*, unsigned)>("cuStreamCreate")(&stream, 1);
}

EXPORT int break_stream(void) {
  int stream = 0;  // its address keeps the call from being the end of this function
  return find<int(int*)>("cuStreamDestroy")(&stream);
}

EXPORT int launch_kernel(uint64_t* sum) {
  using Launch = int(uint64_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     uint64_t, uint64_t*, uint64_t);
  return find<Launch>("cuLaunchKernel")(uint64_t{1} << 40, 2, 3, 4, 5, 6, 7, 8, uint64_t{1} << 41,
                                        sum, 10);
}
