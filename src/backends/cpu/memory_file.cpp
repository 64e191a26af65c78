// SPDX-License-Identifier: Apache-2.0
// Creating, filling, checking and passing on files in memory.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create, F_ADD_SEALS
#endif

#include "backends/cpu/memory_file.h"

#include "backends/cpu/memory.h"
#include "backends/cpu/services.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstring>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace ferry::cpu {
namespace {

// Bytes that are looked at together: a page of every system.
constexpr uint64_t kLeastPage = 4096;
// The most bytes of one write.
constexpr uint64_t kLargestWrite = uint64_t{1} << 30;

// Live memory that was put into huge pages.
std::atomic<uint64_t> huge_bytes{0};

// Growing a file past this limit would end the process.
bool exceeds_file_limit(uint64_t size) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size;
}

int fail_without_file(int error) {
  const bool is_limit = error == EMFILE || error == ENFILE;
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              "the system gives no file for shared memory: %s (see %s)", std::strerror(error),
              is_limit ? "ulimit -n and the sysctl fs.file-max" : "ulimit -f and free memory");
}

bool is_zero(const char* bytes, uint64_t size) {
  static constexpr std::array<char, kLeastPage> kZeros{};
  return std::memcmp(bytes, kZeros.data(), size) == 0;
}

bool write_all(int file, const char* bytes, uint64_t size, uint64_t offset) {
  while (size > 0) {
    const ssize_t written =
        pwrite(file, bytes, std::min(size, kLargestWrite), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<uint64_t>(written);
    offset += static_cast<uint64_t>(written);
  }
  return true;
}

}  // namespace

void MemoryFile::reset() {
  if (number_ >= 0) close(release());
}

int MemoryFile::create(const char* name, uint64_t size) {
  if (exceeds_file_limit(size)) return fail_without_file(EFBIG);
  number_ = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (number_ < 0) return fail_without_file(errno);
  if (ftruncate(number_, static_cast<off_t>(size)) == 0) return ACL_SUCCESS;
  return fail_without_file(errno);
}

int MemoryFile::create_sealed(const char* name, uint64_t size) {
  if (const int error = create(name, size); error != ACL_SUCCESS) return error;
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  return fcntl(number_, F_ADD_SEALS, seals) == 0 ? ACL_SUCCESS : fail_without_file(errno);
}

int MemoryFile::duplicate(int file) {
  number_ = fcntl(file, F_DUPFD_CLOEXEC, 0);
  return number_ >= 0 ? ACL_SUCCESS : fail_without_file(errno);
}

int MemoryFile::fill(const void* bytes, uint64_t size, uint64_t offset) const {
  const auto* const start = static_cast<const char*>(bytes);
  const auto is_empty = [&](uint64_t at) {
    return is_zero(start + at, std::min(kLeastPage, size - at));
  };
  for (uint64_t at = 0; at < size;) {
    uint64_t end = at;
    while (end < size && !is_empty(end))
      end += kLeastPage;
    end = std::min(end, size);
    if (!write_all(number_, start + at, end - at, offset + at)) return fail_without_file(errno);
    at = end == at ? at + kLeastPage : end;
  }
  return ACL_SUCCESS;
}

int share_file(int file, uint64_t offset, uint64_t size, bool is_host, ferryx_shared& shared) {
  MemoryFile own;
  if (const int error = own.duplicate(file); error != ACL_SUCCESS) return error;
  shared = {.struct_size = sizeof shared,
            .file = own.release(),
            .offset = offset,
            .size = size,
            .is_host = is_host ? 1u : 0u,
            .remote = nullptr};
  return ACL_SUCCESS;
}

int check_shared_file(const ferryx_shared& shared) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  struct stat status {};
  if (fstat(shared.file, &status) != 0) {
    return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "shared memory has no open file: %s",
                std::strerror(errno));
  }
  const auto bytes = static_cast<uint64_t>(std::max<off_t>(status.st_size, 0));
  if (shared.size == 0 || shared.size % page != 0 || shared.offset % page != 0 ||
      shared.size > bytes || shared.offset > bytes - shared.size) {
    return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                "shared memory of %" PRIu64 " bytes at %" PRIu64
                " does not lie in its file of %" PRIu64 " bytes in whole pages",
                shared.size, shared.offset, bytes);
  }
  const int seals = fcntl(shared.file, F_GET_SEALS);
  const int mode = fcntl(shared.file, F_GETFL) & O_ACCMODE;
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
    return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                "the file of shared memory could be truncated: it lacks the seal F_SEAL_SHRINK");
  }
  if (mode != O_RDWR || (seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) != 0) {
    return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "the file of shared memory cannot be written");
  }
  return ACL_SUCCESS;
}

bool count_huge_pages(uint64_t size) {
  if (huge_bytes.fetch_add(size) + size <= usable_memory() / 4) return true;
  huge_bytes.fetch_sub(size);
  return false;
}

void uncount_huge_pages(uint64_t size) {
  huge_bytes.fetch_sub(size);
}

void collapse_pages(void* start, uint64_t size) {
  madvise(start, size, MADV_COLLAPSE);
}

}  // namespace ferry::cpu
