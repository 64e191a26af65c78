// SPDX-License-Identifier: Apache-2.0
// rule: stale-handle
// places: 0
// A library that is loaded late misuses the API in its constructor, in a thread that it waits for:
// the loader's lock is held until the checker lets that thread continue.
#include "corpus.h"

#include <dlfcn.h>

#include <filesystem>

using namespace corpus;

int main() {
  Device device;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return dlopen((folder / "calls_in_constructor.so").c_str(), RTLD_NOW) != nullptr ? 0 : 3;
}
