// SPDX-License-Identifier: Apache-2.0
// The program: every chapter of the API that works, once. A chapter returns everything it has
// taken, whatever fails on the way.
#pragma once

#include "acl/acl.h"

#include <cstddef>

namespace failures {

// What most chapters need.
struct Bench {
  void make();
  void destroy();

  static constexpr size_t kBytes = size_t{64} << 10;
  static constexpr size_t kLarge = size_t{6} << 20;  // above this much, several threads copy

  aclrtStream stream = nullptr;
  aclrtStream other = nullptr;
  void* device = nullptr;
  void* second = nullptr;
  void* source = nullptr;  // pinned
  void* target = nullptr;  // pinned
};

void query_process();
void use_contexts();
void use_memory();
void use_registered_memory();
void use_managed_memory();
void query_memory();
void use_custom_allocators();
void use_peers();
void share_physical_memory();
void share_memory();
void use_dumps();
void use_buffers();
void use_settings();
void use_kernels();

void use_streams(Bench& bench);
void use_stop_mode();
void use_pools(Bench& bench);
void use_events(Bench& bench);
void use_shared_events(Bench& bench);
void use_notifies(Bench& bench);
void use_values(Bench& bench);
void use_state_callbacks();
void share_notifies(Bench& bench);
void use_host_functions(Bench& bench);
void use_callbacks(Bench& bench);
void use_device_functions(Bench& bench);
void use_exception_callback(Bench& bench);
void use_profiling(Bench& bench);
void use_snapshots(Bench& bench);
void misuse(Bench& bench);

void copy_single(Bench& bench);
void copy_large();
void copy_batches(Bench& bench);
void copy_rows(Bench& bench);
void copy_described(Bench& bench);
void fill(Bench& bench);
void compute(Bench& bench);

// One round: initialises, runs all chapters, finalises.
void run_program();

// The first use of the device.
void open_device();
// The same while calls fail: it is opened, or the code says that it cannot be.
void try_to_open_device();

// Whether device 0 is a GPU.
bool uses_cuda();

}  // namespace failures
