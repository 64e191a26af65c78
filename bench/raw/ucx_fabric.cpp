// SPDX-License-Identifier: Apache-2.0
// Loads the raw UCX loops.
#include "bench/raw/ucx_fabric.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

namespace ferry::bench {

std::unique_ptr<UcxFabric> open_ucx_fabric(size_t bytes, const std::string& network_device) {
  // By default UCX takes over fatal signals of the process that loads it.
  setenv("UCX_ERROR_SIGNALS", "", 0);
  // Stays loaded: UCX keeps state of the process.
  void* const library = dlopen(kUcxLibraryName, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw std::runtime_error(std::string("the raw loops cannot be loaded: ") +
                             (reason != nullptr ? reason : "no reason given") +
                             ". Building them needs UCX 1.13 or later (Debian: libucx-dev)");
  }
  const auto entry = reinterpret_cast<UcxEntry>(dlsym(library, kUcxEntryName));
  if (entry == nullptr) throw std::runtime_error(std::string(kUcxLibraryName) + " is not Ferry's");
  return std::unique_ptr<UcxFabric>(entry(bytes, network_device.c_str()));
}

}  // namespace ferry::bench
