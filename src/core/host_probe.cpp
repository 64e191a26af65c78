// SPDX-License-Identifier: Apache-2.0
// Two methods. Small ranges: madvise(MADV_POPULATE_*), which faults pages in and returns an error
// where the program would get a signal. It costs up to half as much as copying. Large ranges, and
// kernels or emulators without it: the list of mappings in /proc/self/maps, whose cost does not
// grow with the size. The list does not show guard pages and files that are too short: the copy
// itself finds them, by a fault that is caught. Where faults are not caught, the first method is
// used.
#include "core/host_probe.h"

#include "base/fault_trap.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

namespace ferry {
namespace {

constexpr uint64_t kLargeRange = uint64_t{4} << 20;

uint64_t page_size() {
  static const auto size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

int populate(uint64_t start, uint64_t end, Access access) {
  const int advice = access == Access::kRead ? MADV_POPULATE_READ : MADV_POPULATE_WRITE;
  return madvise(reinterpret_cast<void*>(start), end - start, advice);
}

// Emulators return 0 for unknown advice, so test that a page without rights is refused.
bool populate_works() {
  static const bool works = [] {
    const uint64_t size = page_size();
    void* page = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return false;
    const auto start = reinterpret_cast<uint64_t>(page);
    const bool refuses = populate(start, start + size, Access::kRead) != 0;
    const bool accepts = mprotect(page, size, PROT_READ | PROT_WRITE) == 0 &&
                         populate(start, start + size, Access::kWrite) == 0;
    munmap(page, size);
    return refuses && accepts;
  }();
  return works;
}

struct MappedRange {
  uint64_t start = 0;
  uint64_t end = 0;
  bool readable = false;
  bool writable = false;
};

// "7f00-7fff rw-p ..."
bool parse_mapping(std::string_view line, MappedRange& mapping) {
  const char* const line_end = line.data() + line.size();
  const auto start = std::from_chars(line.data(), line_end, mapping.start, 16);
  if (start.ptr == line_end || *start.ptr != '-') return false;
  const auto end = std::from_chars(start.ptr + 1, line_end, mapping.end, 16);
  if (line_end - end.ptr < 3) return false;
  mapping.readable = end.ptr[1] == 'r';
  mapping.writable = end.ptr[2] == 'w';
  return true;
}

// The kernel's list of mappings, open for reading.
class MapsFile {
 public:
  MapsFile() {
    do {
      file_ = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    } while (file_ < 0 && errno == EINTR);
  }
  ~MapsFile() {
    if (file_ >= 0) close(file_);
  }
  MapsFile(const MapsFile&) = delete;
  MapsFile& operator=(const MapsFile&) = delete;

  bool is_open() const { return file_ >= 0; }
  ssize_t read(std::span<char> buffer) const { return ::read(file_, buffer.data(), buffer.size()); }

 private:
  int file_ = -1;
};

// Empty when the list cannot be read: no file descriptor left, no /proc.
std::string read_mappings() {
  std::string text;
  const MapsFile file;
  if (!file.is_open()) return text;
  // Read into the heap: the stack of the program's thread may be small.
  constexpr size_t kStep = 16384;
  for (size_t length = 0;;) {
    text.resize(length + kStep);
    const ssize_t got = file.read({text.data() + length, kStep});
    length += got > 0 ? static_cast<size_t>(got) : 0;
    text.resize(length);
    if (got <= 0) break;
  }
  return text;
}

// In address order, as the kernel lists them.
std::vector<MappedRange> list_mappings() {
  const std::string text = read_mappings();
  std::vector<MappedRange> list;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t line_end = rest.find('\n');
    MappedRange mapping;
    if (parse_mapping(rest.substr(0, line_end), mapping)) list.push_back(mapping);
    rest.remove_prefix(line_end == std::string_view::npos ? rest.size() : line_end + 1);
  }
  return list;
}

// A process always has mappings: an empty list means that it could not be read. Then the access is
// assumed to be valid if the copy itself would find out, or if no other method exists.
bool is_mapped(const std::vector<MappedRange>& mappings, uint64_t start, uint64_t end,
               Access access) {
  if (mappings.empty()) return are_faults_caught() || !populate_works();
  auto mapping =
      std::upper_bound(mappings.begin(), mappings.end(), start,
                       [](uint64_t value, const MappedRange& m) { return value < m.end; });
  for (; start < end && mapping != mappings.end(); ++mapping) {
    const bool allowed = access == Access::kRead ? mapping->readable : mapping->writable;
    if (mapping->start > start || !allowed) return false;
    start = mapping->end;
  }
  return start >= end;
}

enum class Method { kPopulate, kList };

bool is_accessible(uint64_t first, uint64_t size, Access access, Method method) {
  if (size == 0) return true;
  if (first + size < first) return false;
  const uint64_t start = first & ~(page_size() - 1);
  const uint64_t end = first + size;
  const uint64_t rounded_end = (end + page_size() - 1) & ~(page_size() - 1);
  if (rounded_end < end) return false;
  const bool populates = method == Method::kPopulate && populate_works();
  if (populates && populate(start, rounded_end, access) == 0) return true;
  // EINVAL: no rights, or a device or other special mapping, which the list tells apart.
  if (populates && errno != EINVAL) return false;
  const std::vector<MappedRange> mappings = list_mappings();
  if (populates && mappings.empty()) return false;
  return is_mapped(mappings, first, end, access);
}

}  // namespace

bool is_host_memory_accessible(const void* address, uint64_t size, Access access) {
  const bool populates = size < kLargeRange || !are_faults_caught();
  return is_accessible(reinterpret_cast<uint64_t>(address), size, access,
                       populates ? Method::kPopulate : Method::kList);
}

bool is_every_page_accessible(const void* address, uint64_t size, Access access) {
  return is_accessible(reinterpret_cast<uint64_t>(address), size, access, Method::kPopulate);
}

bool is_host_memory_mapped(const void* address, uint64_t size, Access access) {
  return is_accessible(reinterpret_cast<uint64_t>(address), size, access,
                       size < kLargeRange ? Method::kPopulate : Method::kList);
}

bool are_host_rows_accessible(const void* address, uint64_t pitch, uint64_t width, uint64_t height,
                              Access access) {
  uint64_t before_last = 0;
  if (__builtin_mul_overflow(pitch, height - 1, &before_last) || before_last > UINT64_MAX - width) {
    return false;
  }
  // Gaps smaller than a page contain no whole page: the rows touch every page there is.
  if (height == 1 || pitch - width < page_size()) {
    return is_host_memory_accessible(address, before_last + width, access);
  }
  const auto first = reinterpret_cast<uint64_t>(address);
  if (first > UINT64_MAX - before_last - width) return false;
  // One list serves all rows; the other method costs a system call per row.
  const bool populates = !are_faults_caught() && populate_works();
  const std::vector<MappedRange> mappings =
      populates ? std::vector<MappedRange>() : list_mappings();
  for (uint64_t row = 0; row < height; ++row) {
    const uint64_t start = first + row * pitch;
    const bool is_fine = populates ? is_accessible(start, width, access, Method::kPopulate)
                                   : is_mapped(mappings, start, start + width, access);
    if (!is_fine) return false;
  }
  return true;
}

}  // namespace ferry
