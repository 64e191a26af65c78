// SPDX-License-Identifier: Apache-2.0
// Files in memory, which hold physical memory and memory that is shared with other processes.
#pragma once

#include "ferry/backend.h"

#include <cstdint>
#include <utility>

namespace ferry::cpu {

// A file in memory, as large as wanted; it takes pages as they are touched. Closed by its owner.
class MemoryFile {
 public:
  MemoryFile() = default;
  ~MemoryFile() { reset(); }
  MemoryFile(MemoryFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  MemoryFile& operator=(MemoryFile&& other) noexcept {
    reset();
    number_ = other.release();
    return *this;
  }

  // 0, or 207001 with a text that names the limit.
  int create(const char* name, uint64_t size);
  // The same for a file that other processes may get. Its size is sealed, and so are the seals: no
  // process can make the pages of another one disappear.
  int create_sealed(const char* name, uint64_t size);
  // Another descriptor of a file. It is closed by exec.
  int duplicate(int file);

  // Writes bytes into an empty part of the file. Pages of zeros are left out, so that memory which
  // was never touched takes none. 0, or 207001.
  int fill(const void* bytes, uint64_t size, uint64_t offset) const;

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void reset();

 private:
  int number_ = -1;
};

// Fills what another process needs to map a file: with a descriptor of its own.
int share_file(int file, uint64_t offset, uint64_t size, bool is_host, ferryx_shared& shared);
// Whether this process can rely on a file of another one: 0, or 507899 with a text.
int check_shared_file(const ferryx_shared& shared);

// Files in memory have small pages unless the system is told otherwise, and small pages slow
// scattered copies down. So their memory is collapsed into huge pages, as long as all that was
// treated so is little beside the memory of the machine. True when the bytes are counted.
bool count_huge_pages(uint64_t size);
void uncount_huge_pages(uint64_t size);
// Each 2 MiB of a mapping of the file. Without support of the system, pages stay small.
void collapse_pages(void* start, uint64_t size);

}  // namespace ferry::cpu
