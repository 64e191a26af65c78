// SPDX-License-Identifier: Apache-2.0
// Counts entries and lines of /proc/self.
#include "soak/holdings.h"

#include "soak/must.h"

#include "acl/acl.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>

namespace ferry::tools::soak {
namespace {

int64_t entries_of(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder),
                       std::filesystem::directory_iterator());
}

int64_t lines_of(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  int64_t lines = 0;
  char buffer[16384];
  for (ssize_t count = 0; (count = read(file, buffer, sizeof buffer)) > 0;)
    lines += std::count(buffer, buffer + count, '\n');
  close(file);
  return lines;
}

int64_t resident_bytes() {
  long long pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  const bool is_read = std::fscanf(file, "%*d %lld", &pages) == 1;
  static_cast<void>(std::fclose(file));
  return is_read ? pages * sysconf(_SC_PAGESIZE) : 0;
}

int64_t device_bytes(int32_t devices) {
  int64_t used = 0;
  for (int32_t device = 0; device < devices; ++device) {
    size_t free = 0;
    size_t total = 0;
    must(aclrtSetDevice(device));
    must(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    must(aclrtResetDevice(device));
    used += static_cast<int64_t>(total - free);
  }
  return used;
}

}  // namespace

Holdings present_holdings(int32_t devices) {
  Holdings holdings{};
  holdings[kDeviceMemory] = device_bytes(devices);  // first: it may start and end threads
  holdings[kHostMemory] = resident_bytes();
  holdings[kDescriptors] = entries_of("/proc/self/fd");
  holdings[kThreads] = entries_of("/proc/self/task");
  holdings[kMappings] = lines_of("/proc/self/maps");
  return holdings;
}

}  // namespace ferry::tools::soak
