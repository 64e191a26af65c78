// SPDX-License-Identifier: Apache-2.0
// A FIFO that removes itself. Header only.
#pragma once

#include "support/conformance.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace conformance {

class Fifo {
 public:
  Fifo() : folder_((std::filesystem::temp_directory_path() / "conformance-XXXXXX").string()) {
    EXPECT_NE(nullptr, mkdtemp(folder_.data()));
    path_ = folder_ + "/fifo";
    EXPECT_EQ(0, mkfifo(path_.c_str(), 0600));
  }
  ~Fifo() {
    unlink(path_.c_str());
    rmdir(folder_.c_str());
  }
  Fifo(const Fifo&) = delete;
  Fifo& operator=(const Fifo&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  std::string folder_;
  std::string path_;
};

}  // namespace conformance
