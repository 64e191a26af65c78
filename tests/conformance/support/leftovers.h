// SPDX-License-Identifier: Apache-2.0
// What processes may leave behind: files in memory, temporary files, sockets. Header only.
#pragma once

#include "support/peer.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace conformance {

// Folders of its own for temporary files and for files of the session, which must stay empty.
class PrivateFolders {
 public:
  PrivateFolders()
      : folder_((std::filesystem::temp_directory_path() / "conformance-XXXXXX").string()) {
    EXPECT_NE(nullptr, mkdtemp(folder_.data()));
    for (const char* name : {"/tmp", "/run"})
      std::filesystem::create_directory(folder_ + name);
  }
  ~PrivateFolders() {
    for (const char* name : {"/tmp", "/run"}) {
      for (const auto& entry : std::filesystem::directory_iterator(folder_ + name))
        ADD_FAILURE() << "left behind: " << entry.path();
    }
    std::filesystem::remove_all(folder_);
  }
  PrivateFolders(const PrivateFolders&) = delete;
  PrivateFolders& operator=(const PrivateFolders&) = delete;

  std::vector<std::string> environment() const {
    return {"TMPDIR=" + folder_ + "/tmp", "XDG_RUNTIME_DIR=" + folder_ + "/run"};
  }

 private:
  std::string folder_;
};

// Names in the folders that all processes share which can be of the library or of one process.
inline std::set<std::string> suspicious_files(const std::vector<pid_t>& processes) {
  std::set<std::string> found;
  for (const char* folder : {"/dev/shm", "/tmp"}) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      const std::string name = entry.path().filename().string();
      bool is_suspicious = std::string(folder) == "/dev/shm" && name.find("ferry") == 0;
      for (const pid_t process : processes)
        is_suspicious |=
            name.find("ferry") == 0 && name.find(std::to_string(process)) != std::string::npos;
      if (is_suspicious) found.insert(entry.path().string());
    }
  }
  return found;
}

// Sockets by which a process would be found.
inline std::vector<std::string> sockets_of(pid_t process) {
  std::vector<std::string> found;
  const std::string name =
      "@ferry1/" + std::to_string(getuid()) + "/" + std::to_string(process) + "-";
  std::ifstream file("/proc/net/unix");
  for (std::string line; std::getline(file, line);) {
    if (line.find(name) != std::string::npos) found.push_back(line);
  }
  return found;
}

// Whether processes that are gone have left nothing.
inline ::testing::AssertionResult left_nothing(const std::vector<pid_t>& processes) {
  for (const std::string& name : suspicious_files(processes))
    return ::testing::AssertionFailure() << "left behind: " << name;
  for (const pid_t process : processes) {
    if (!becomes_true([&] { return sockets_of(process).empty(); }))
      return ::testing::AssertionFailure() << "left behind: " << sockets_of(process).front();
  }
  return ::testing::AssertionSuccess();
}

}  // namespace conformance
