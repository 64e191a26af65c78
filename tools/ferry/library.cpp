// SPDX-License-Identifier: Apache-2.0
// Asks the dynamic loader, which has already resolved this program's RPATH.
#include "library.h"

#include "ferry/ferry.h"

#include <dlfcn.h>

#include <system_error>

namespace ferry::tools {

std::filesystem::path library_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&ferryVersion), &info) == 0) return {};
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::canonical(info.dli_fname, ignored);
  return path.empty() ? std::filesystem::path(info.dli_fname) : path;
}

std::optional<std::filesystem::path> install_prefix() {
  const std::filesystem::path folder = library_path().parent_path();
  if (folder.filename() != "lib64") return {};
  return folder.parent_path();
}

}  // namespace ferry::tools
