// SPDX-License-Identifier: Apache-2.0
// What a process holds: allocations of the library, threads, files, addresses.
#pragma once

#include "failing_calls.h"

#include <cstdint>

namespace failures {

// Plain data: it lies in memory shared between processes.
struct Holdings {
  static constexpr int kMostSites = 1024;

  void measure();
  // Measures until nothing exceeds `most`, for a few seconds: threads that end take their time.
  void settle(const Holdings& most);
  void raise_to(const Holdings& other);
  bool is_within(const Holdings& most) const;
  bool have_no_more_live(const Holdings& most) const;
  void print_excess(const Holdings& most) const;

  uint64_t threads;
  uint64_t files;
  uint64_t addresses;
  int64_t driver_objects[FAILING_OBJECTS];  // of the CUDA driver
  int site_count;
  FailingSite sites[kMostSites];
};

uint64_t address_space_in_use();

// Prints the functions of the library among the frames, one per line.
void print_stack(void* const* frames, int count);

}  // namespace failures
