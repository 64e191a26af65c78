// SPDX-License-Identifier: Apache-2.0
// One anonymous file backs all of it. The file is sparse and as large as the address space: memory
// lies at the offset that equals its address, so no space in the file has to be managed.
#include "layers/check/guard/double_mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>

namespace ferry::layers::check {
namespace {

constexpr off_t kFileSize = off_t{1} << 56;  // more than any user address
constexpr uint64_t kHugePage = uint64_t{2} << 20;

std::atomic<int> file{-1};

int make_file() {
  // Exceeding the limit does not fail with an error: it raises SIGXFSZ.
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return -1;
  const int made = memfd_create("ferry-pinned", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made < 0) return -1;
  // Seals: a process that opens the file through /proc cannot remove pages by truncating it.
  if (ftruncate(made, kFileSize) != 0 ||
      fcntl(made, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    close(made);
    return -1;
  }
  return made;
}

void* map_file(uintptr_t wanted, uint64_t size, int flags, uintptr_t place) {
  void* mapped = mmap(reinterpret_cast<void*>(wanted), size, PROT_READ | PROT_WRITE, flags,
                      file.load(), static_cast<off_t>(place));
  if (mapped != MAP_FAILED && size >= kHugePage) madvise(mapped, size, MADV_HUGEPAGE);
  return mapped;
}

// Uses the flags of the surrounding memory, so that the kernel can merge the mappings again.
void map_anonymous(uintptr_t address, uint64_t size) {
  void* mapped = mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (mapped != MAP_FAILED && size >= kHugePage) madvise(mapped, size, MADV_HUGEPAGE);
}

}  // namespace

uint64_t memory_page_size() {
  static const auto size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

bool open_double_mappings() {
  if (file.load() < 0) file.store(make_file());
  return file.load() >= 0;
}

uintptr_t map_twice(uintptr_t address, uint64_t size) {
  void* second = map_file(0, size, MAP_SHARED, address);
  if (second == MAP_FAILED) return 0;
  if (map_file(address, size, MAP_SHARED | MAP_FIXED, address) == MAP_FAILED) {
    munmap(second, size);
    map_anonymous(address, size);  // older kernels unmap before they fail
    return 0;
  }
  return reinterpret_cast<uintptr_t>(second);
}

void map_once(uintptr_t address, uint64_t size, uintptr_t second) {
  map_anonymous(address, size);
  munmap(reinterpret_cast<void*>(second), size);
  fallocate(file.load(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(address),
            static_cast<off_t>(size));
}

void map_again(uintptr_t address, uint64_t size) {
  map_file(address, size, MAP_SHARED | MAP_FIXED, address);
}

void map_for_child(uintptr_t address, uint64_t size) {
  if (map_file(address, size, MAP_PRIVATE | MAP_FIXED, address) == MAP_FAILED) {
    mprotect(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE);
  }
}

}  // namespace ferry::layers::check
