// SPDX-License-Identifier: Apache-2.0
// What a path leads to is known only once it is open. So files are opened without blocking first,
// and looked at afterwards.
#include "base/user_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace ferry {
namespace {

constexpr int kNeverBlocks = O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

// Closes the file unless it is taken.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : file_(open(path.c_str(), flags, 0644)) {}
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return file_ >= 0; }
  int get() const { return file_; }
  int take() { return std::exchange(file_, -1); }

 private:
  int file_;
};

std::string cannot_be(const char* what) {
  return std::string("cannot be ") + what + ": " + std::strerror(errno);
}

std::string is_too_long(uint64_t most) {
  return "is longer than " + std::to_string(most) + " bytes";
}

}  // namespace

std::string read_user_file(const std::string& path, uint64_t most, std::string& text) {
  const OpenFile file(path, O_RDONLY | kNeverBlocks);
  struct stat status {};
  if (!file.is_open() || fstat(file.get(), &status) != 0) return cannot_be("read");
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  if (static_cast<uint64_t>(status.st_size) > most) return is_too_long(most);
  char part[4096];
  // The size tells little: the file may grow, and files of the kernel have the size 0.
  while (text.size() <= most) {
    const ssize_t got = read(file.get(), part, sizeof part);
    if (got == 0) return {};
    if (got < 0 && errno != EINTR) return cannot_be("read");
    if (got > 0) text.append(part, static_cast<size_t>(got));
  }
  return is_too_long(most);
}

std::string open_user_file(const std::string& path, int& file) {
  OpenFile opened(path, O_WRONLY | O_CREAT | O_APPEND | kNeverBlocks);
  if (!opened.is_open() && errno == ENXIO) return "is a FIFO without a reader, or a socket";
  struct stat status {};
  if (!opened.is_open() || fstat(opened.get(), &status) != 0) return cannot_be("opened");
  if (S_ISFIFO(status.st_mode)) {
    // This process becomes a reader too: when the other one ends, writing must not raise SIGPIPE.
    OpenFile both(path, O_RDWR | kNeverBlocks);
    if (!both.is_open()) return cannot_be("opened");
    file = both.take();
    return {};
  }
  if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode)) {
    return "is neither a regular file nor a character device nor a FIFO";
  }
  // A terminal that is busy delays a line instead of losing it.
  fcntl(opened.get(), F_SETFL, O_APPEND);
  file = opened.take();
  return {};
}

}  // namespace ferry
