// SPDX-License-Identifier: Apache-2.0
// Measuring and comparing.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dladdr
#endif

#include "holdings.h"

#include "program.h"

#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <thread>

namespace failures {
namespace {

// The C library keeps stacks of threads that have ended.
constexpr uint64_t kAddressSlack = uint64_t{64} << 20;

uint64_t entries_of(const char* folder) {
  DIR* open = opendir(folder);
  uint64_t entries = 0;
  while (open != nullptr && readdir(open) != nullptr)
    ++entries;
  if (open != nullptr) closedir(open);
  return entries;
}

uint64_t live_at(const Holdings& holdings, const FailingSite& site) {
  for (int i = 0; i < holdings.site_count; ++i) {
    const FailingSite& other = holdings.sites[i];
    if (other.frames[0] == site.frames[0]) return other.live;
  }
  return 0;
}

// Whether live allocations can be compared.
bool counts_allocations() {
#ifdef FAILURES_WITHOUT_ALLOCATIONS
  return false;
#else
  // The checker remembers every place that calls the API, also that of a repeated call.
  return std::getenv("FERRY_CHECK") == nullptr;
#endif
}

}  // namespace

uint64_t address_space_in_use() {
  unsigned long long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void Holdings::measure() {
  site_count = failing_sites(sites, kMostSites);
  threads = entries_of("/proc/self/task");
  files = entries_of("/proc/self/fd");
  addresses = address_space_in_use();
  failing_objects(driver_objects);
}

void Holdings::settle(const Holdings& most) {
  const bool is_first = most.threads == 0;
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(is_first ? 500 : 2000);
  for (measure(); !is_within(most) && std::chrono::steady_clock::now() < deadline; measure())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void Holdings::raise_to(const Holdings& other) {
  threads = std::max(threads, other.threads);
  files = std::max(files, other.files);
  addresses = std::max(addresses, other.addresses);
  for (int i = 0; i < FAILING_OBJECTS; ++i)
    driver_objects[i] = std::max(driver_objects[i], other.driver_objects[i]);
  for (int i = 0; i < other.site_count; ++i) {
    const FailingSite& site = other.sites[i];
    const auto* end = sites + site_count;
    auto* own = std::find_if(sites, sites + site_count, [&](const FailingSite& known) {
      return known.frames[0] == site.frames[0];
    });
    if (own != end) {
      own->live = std::max(own->live, site.live);
    } else if (site_count < kMostSites) {
      sites[site_count++] = site;
    }
  }
}

bool Holdings::is_within(const Holdings& most) const {
  // The CUDA driver opens files and takes addresses as it likes.
  const bool are_ours = !uses_cuda();
  return threads <= most.threads && (!are_ours || files <= most.files) &&
         (!are_ours || addresses <= most.addresses + kAddressSlack) &&
         std::equal(driver_objects, driver_objects + FAILING_OBJECTS, most.driver_objects,
                    [](int64_t own, int64_t allowed) { return own <= allowed; }) &&
         (!counts_allocations() || have_no_more_live(most));
}

bool Holdings::have_no_more_live(const Holdings& most) const {
  return std::all_of(sites, sites + site_count,
                     [&](const FailingSite& site) { return site.live <= live_at(most, site); });
}

void Holdings::print_excess(const Holdings& most) const {
  constexpr const char* kObjects[] = {
      "device allocations",   "pinned allocations",        "registrations", "streams of the driver",
      "events of the driver", "pieces of physical memory", "mappings",      "reservations"};
  static_assert(std::size(kObjects) == FAILING_OBJECTS);
  const auto print = [](const char* what, uint64_t actual, uint64_t allowed) {
    if (actual <= allowed) return;
    std::printf("%llu %s, %llu if nothing fails\n", static_cast<unsigned long long>(actual), what,
                static_cast<unsigned long long>(allowed));
  };
  print("threads", threads, most.threads);
  print("files", files, most.files);
  print("bytes of addresses", addresses, most.addresses + kAddressSlack);
  for (int i = 0; i < FAILING_OBJECTS; ++i)
    print(kObjects[i], static_cast<uint64_t>(driver_objects[i]),
          static_cast<uint64_t>(most.driver_objects[i]));
  for (int i = 0; i < site_count; ++i) {
    const uint64_t allowed = live_at(most, sites[i]);
    if (sites[i].live <= allowed) continue;
    print("allocations are live that were made in", sites[i].live, allowed);
    print_stack(sites[i].frames, FAILING_SITE_FRAMES);
  }
}

void print_stack(void* const* frames, int count) {
  std::fflush(stdout);
  const char* wanted = uses_cuda() ? "libferry_cuda" : "libascendcl";
  std::string library;
  std::string offsets;
  for (int i = 0; i < count && frames[i] != nullptr; ++i) {
    Dl_info info{};
    if (dladdr(frames[i], &info) == 0 || info.dli_fname == nullptr) continue;
    if (std::strstr(info.dli_fname, wanted) == nullptr) continue;
    char offset[32];
    std::snprintf(offset, sizeof offset, " 0x%tx",
                  static_cast<const char*>(frames[i]) - static_cast<char*>(info.dli_fbase) - 1);
    library = info.dli_fname;
    offsets += offset;
  }
  if (library.empty()) return;
  const std::string command = "addr2line -Cfsipe '" + library + "'" + offsets + " | cut -c1-160";
  if (std::system(command.c_str()) != 0) std::printf("%s%s\n", library.c_str(), offsets.c_str());
}

}  // namespace failures
