// SPDX-License-Identifier: Apache-2.0
// Locks of open file descriptions.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // F_OFD_SETLK
#endif

#include "sharing/file_locks.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

namespace ferry::sharing {
namespace {

struct flock request_for(short type, uint32_t byte) {
  struct flock request {};
  request.l_type = type;
  request.l_whence = SEEK_SET;
  request.l_start = byte;
  request.l_len = 1;
  return request;
}

}  // namespace

FileLocks FileLocks::open(int file) {
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", file);
  return FileLocks(Descriptor::made_by([&] { return ::open(path.data(), O_RDWR | O_CLOEXEC); }));
}

bool FileLocks::lock(uint32_t byte) const {
  struct flock request = request_for(F_WRLCK, byte);
  return fcntl(file_.number(), F_OFD_SETLK, &request) == 0;
}

void FileLocks::unlock(uint32_t byte) const {
  struct flock request = request_for(F_UNLCK, byte);
  fcntl(file_.number(), F_OFD_SETLK, &request);
}

std::optional<uint32_t> FileLocks::lock_first(uint32_t count) const {
  for (uint32_t byte = 0; byte < count; ++byte) {
    if (lock(byte)) return byte;
    if (errno != EAGAIN && errno != EACCES) return {};
  }
  return {};
}

bool FileLocks::is_locked_elsewhere(uint32_t byte) const {
  struct flock request = request_for(F_WRLCK, byte);
  return fcntl(file_.number(), F_OFD_GETLK, &request) != 0 || request.l_type != F_UNLCK;
}

}  // namespace ferry::sharing
