// SPDX-License-Identifier: Apache-2.0
// What kind of file a program is, as far as that decides which libraries it loads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ferry::tools {

struct ProgramFile {
  enum class Kind {
    kNotFound,
    kDynamic,  // loads shared libraries
    kLibrary,  // is a shared library
    kStatic,   // loads none
    kScript,   // `interpreter` runs it
    kOther
  };
  Kind kind = Kind::kNotFound;
  std::filesystem::path path;
  std::string interpreter;          // of a script, or the loader of a dynamic program or library
  std::vector<std::string> needed;  // names of the libraries it is linked with directly
};

/// Looks a program up as a shell does: a name without slashes is searched for in PATH.
ProgramFile find_program(const std::string& name);

}  // namespace ferry::tools
