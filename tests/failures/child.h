// SPDX-License-Identifier: Apache-2.0
// The sweeps: which call fails, and how a child process that survived it is judged.
#pragma once

#include <cstdint>
#include <string>

namespace failures {

struct Sweep {
  int call = 0;  // FailingCall
  const char* name = "malloc";
  std::string function;  // of the CUDA driver; empty: all
  uint64_t only = 0;     // this call, or this size of the address space; 0: all
  uint64_t from = 1;
  uint64_t width = 1;  // calls in a row that fail
  uint64_t step = 1;
  uint64_t last = UINT64_MAX;
  bool opens_only = false;  // calls fail while the device is opened, and only then
};

// How many seconds a child may take. It takes a tenth of one; this only ends one that hangs.
extern uint64_t time_limit;

// Both return the exit status: 0 when no child failed.
int sweep_calls(const Sweep& sweep);
int sweep_address_space(const Sweep& sweep);

}  // namespace failures
