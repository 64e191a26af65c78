// SPDX-License-Identifier: Apache-2.0
// Asks the kernel about mappings.
#include "layers/check/guard/mapped_memory.h"

#include "layers/check/guard/double_mapping.h"

#include <sys/mman.h>

#include <cerrno>

namespace ferry::layers::check {
namespace {

// The whole pages that hold the range.
Range pages_of(const Range& range) {
  const uint64_t size = memory_page_size();
  return {.begin = range.begin / size * size, .end = (range.end + size - 1) / size * size};
}

// For mapped memory this request to write back does nothing.
bool has_all(const Range& pages) {
  return msync(reinterpret_cast<void*>(pages.begin), pages.size(), MS_ASYNC) == 0 ||
         errno != ENOMEM;
}

}  // namespace

bool is_mapped(const Range& range) {
  const int error_before = errno;
  const bool is_whole = has_all(pages_of(range));
  errno = error_before;
  return is_whole;
}

void fill_holes(const Range& range) {
  const Range all = pages_of(range);
  const uint64_t size = memory_page_size();
  for (uintptr_t page = all.begin; page < all.end; page += size) {
    if (has_all({.begin = page, .end = page + size})) continue;
    // If the kernel refuses, the copy runs into the hole as it would without the checker.
    static_cast<void>(mmap(reinterpret_cast<void*>(page), size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
  }
}

}  // namespace ferry::layers::check
