// SPDX-License-Identifier: Apache-2.0
// A configuration file for aclInit that removes itself. Header only.
#pragma once

#include "support/conformance.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace conformance {

class ConfigFile {
 public:
  explicit ConfigFile(const std::string& contents)
      : path_((std::filesystem::temp_directory_path() / "conformance-XXXXXX").string()) {
    const int file = mkstemp(path_.data());
    EXPECT_GE(file, 0);
    EXPECT_EQ(static_cast<ssize_t>(contents.size()), write(file, contents.data(), contents.size()));
    close(file);
  }
  ~ConfigFile() { unlink(path_.c_str()); }
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

}  // namespace conformance
