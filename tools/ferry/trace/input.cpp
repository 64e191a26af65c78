// SPDX-License-Identifier: Apache-2.0
// Opening files of the user, and zlib.
#include "trace/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <system_error>

#ifdef FERRY_HAS_ZLIB
#include <zlib.h>
#endif

namespace ferry::tools::trace {
namespace {

std::string reason_of(int error) {
  return "cannot be read: " + std::generic_category().message(error);
}

#ifndef FERRY_HAS_ZLIB
bool is_gzip(int file) {
  unsigned char magic[2] = {0, 0};
  return pread(file, magic, sizeof magic, 0) == sizeof magic && magic[0] == 0x1f &&
         magic[1] == 0x8b;
}
#endif

}  // namespace

Input::~Input() {
#ifdef FERRY_HAS_ZLIB
  if (gzip_ != nullptr) {
    gzclose_r(static_cast<gzFile>(gzip_));  // closes the file
    return;
  }
#endif
  if (file_ >= 0) close(file_);
}

std::string Input::open(const std::string& path) {
  struct stat status {};
  std::string file = path;
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    file += "/trace_view.json";
    if (stat(file.c_str(), &status) != 0) return "is a folder without a trace_view.json";
  }
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  file_ = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file_ < 0) return reason_of(errno);
  if (fstat(file_, &status) != 0) return reason_of(errno);
  if (!S_ISREG(status.st_mode)) return "is not a regular file";
  if (status.st_size == 0) return "is empty";
#ifdef FERRY_HAS_ZLIB
  gzip_ = gzdopen(file_, "rb");
  if (gzip_ == nullptr) return reason_of(ENOMEM);
  gzbuffer(static_cast<gzFile>(gzip_), 1U << 18);
#else
  if (is_gzip(file_)) return "is compressed, and this ferry was built without zlib";
#endif
  return {};
}

Input::Block Input::read(char* data, size_t size) {
#ifdef FERRY_HAS_ZLIB
  auto* gzip = static_cast<gzFile>(gzip_);
  const int count = gzread(gzip, data, static_cast<unsigned>(std::min<size_t>(size, INT_MAX)));
  if (count > 0) return {static_cast<size_t>(count), {}};
  int error = Z_OK;
  const char* text = gzerror(gzip, &error);
  if (error == Z_ERRNO) return {0, reason_of(errno)};
  // Z_BUF_ERROR: the file was cut off.
  if (count < 0 && error != Z_BUF_ERROR) return {0, std::string("is damaged: ") + text};
  return {};
#else
  ssize_t count = 0;
  do {
    count = ::read(file_, data, size);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return {0, reason_of(errno)};
  return {static_cast<size_t>(count), {}};
#endif
}

}  // namespace ferry::tools::trace
