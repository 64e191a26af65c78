// SPDX-License-Identifier: Apache-2.0
// Where Ferry is: the library that this program has loaded, and the prefix of the installation.
#pragma once

#include <filesystem>
#include <optional>

namespace ferry::tools {

/// The path of libascendcl.so, with links resolved. The program finds it next to itself: in
/// ../lib64 when installed, in the build tree otherwise.
std::filesystem::path library_path();

/// The folder above lib64 when Ferry is installed; none in a build tree.
std::optional<std::filesystem::path> install_prefix();

}  // namespace ferry::tools
