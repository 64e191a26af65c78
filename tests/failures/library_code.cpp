// SPDX-License-Identifier: Apache-2.0
// The code ranges of loaded libraries, and the return addresses on a stack that point into them.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dl_iterate_phdr
#endif

#include "library_code.h"

#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>

extern "C" void* __libc_stack_end;

namespace failures {
namespace {

struct Range {
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};
};

constexpr int kMostRanges = 16;

struct Code {
  Range ranges[kMostRanges];
  std::atomic<int> count{0};

  bool holds(uintptr_t address) const {
    const int used = count.load(std::memory_order_acquire);
    for (int i = 0; i < used; ++i) {
      if (address >= ranges[i].begin.load(std::memory_order_relaxed) &&
          address < ranges[i].end.load(std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  void add(uintptr_t begin, uintptr_t end) {
    const int used = count.load();
    if (used == kMostRanges || holds(begin)) return;
    ranges[used].begin.store(begin);
    ranges[used].end.store(end);
    count.store(used + 1, std::memory_order_release);
  }
};

Code library;  // libascendcl.so and plugins
// What the library calls that allocates for it. Neither the loader, which ends the process if
// there is no memory for a thread's variables, nor libdw and libelf, which may crash without
// memory: src/plugins/symbols calls them only while there is some.
Code transport;

bool contains(const char* name, const char* part) {
  return std::strstr(name, part) != nullptr;
}

int add_object(dl_phdr_info* object, size_t /*size*/, void* /*argument*/) {
  const char* slash = std::strrchr(object->dlpi_name, '/');
  const char* name = slash == nullptr ? object->dlpi_name : slash + 1;
  const bool is_ours = contains(name, "libferry_failing");
  const bool is_library =
      !is_ours && (contains(name, "libascendcl.so") || contains(name, "libferry_"));
  const bool is_transport = contains(name, "libstdc++") || contains(name, "libc.so");
  if (!is_library && !is_transport) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = object->dlpi_addr + header.p_vaddr;
    (is_library ? library : transport).add(begin, begin + header.p_memsz);
  }
  return 0;
}

// More than the standard library puts between us and its caller.
constexpr uintptr_t kBytesRead = 6144;

// Where reading must stop. A thread's control block lies above its stack; only the first thread has
// its stack elsewhere, at higher addresses.
uintptr_t end_of_stack(uintptr_t from) {
  const auto control_block = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  const uintptr_t end =
      from < control_block ? control_block : reinterpret_cast<uintptr_t>(__libc_stack_end);
  return std::min(from + kBytesRead, end);
}

}  // namespace

void find_library_code() {
  dl_iterate_phdr(add_object, nullptr);
}

void Caller::read_stack() {
  if (is_read_) return;
  is_read_ = true;
  int found = 0;
  if (library.holds(reinterpret_cast<uintptr_t>(return_address_)))
    frames_[found++] = return_address_;
  const auto start = reinterpret_cast<uintptr_t>(frame_) + 2 * sizeof(void*);
  const uintptr_t end = end_of_stack(start);
  for (uintptr_t at = start; at < end && found < kFrames; at += sizeof(void*)) {
    const uintptr_t word = *reinterpret_cast<const uintptr_t*>(at);
    if (library.holds(word)) frames_[found++] = reinterpret_cast<void*>(word);
  }
}

bool Caller::is_library() {
  const auto address = reinterpret_cast<uintptr_t>(return_address_);
  if (library.holds(address)) return true;
  if (!transport.holds(address)) return false;
  read_stack();
  return frames_[0] != nullptr;
}

void* const* Caller::frames() {
  read_stack();
  return frames_;
}

}  // namespace failures
