// SPDX-License-Identifier: Apache-2.0
// The secret is random; mkstemp gives the file the mode that the library demands.
#include "bench/fabric/local_secret.h"

#include <sys/random.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace ferry::bench::fabric {

LocalSecret::LocalSecret() {
  if (std::getenv("FERRY_FABRIC") != nullptr) return;
  const char* folder = std::getenv("TMPDIR");
  std::string path =
      std::string(folder != nullptr && folder[0] != '\0' ? folder : "/tmp") + "/ferry-bench-XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0) throw std::runtime_error(path + ": cannot be written");
  path_ = path;
  unsigned char secret[32];
  const bool is_written =
      getrandom(secret, sizeof secret, 0) == static_cast<ssize_t>(sizeof secret) &&
      write(file, secret, sizeof secret) == static_cast<ssize_t>(sizeof secret);
  close(file);
  if (!is_written) {
    unlink(path_.c_str());
    throw std::runtime_error(path_ + ": cannot be written");
  }
  setenv("FERRY_FABRIC", ("listen=127.0.0.1,secret=" + path_ + ",always").c_str(), 1);
}

LocalSecret::~LocalSecret() {
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace ferry::bench::fabric
