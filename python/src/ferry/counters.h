// SPDX-License-Identifier: Apache-2.0
// Counters of the package ferry. The library counts calls of its own functions (ferryCallCount).
#ifndef FERRY_PYTHON_COUNTERS_H
#define FERRY_PYTHON_COUNTERS_H

#include <cstdint>

namespace ferry::python {

// Changed under the interpreter lock only.
struct Counters {
  uint64_t copies = 0;           // single copies, queued ones included
  uint64_t batches = 0;          // calls of copy_batch and copy_batch_async
  uint64_t batch_items = 0;      // their items
  uint64_t batch_fallbacks = 0;  // batches that were copied one by one
  uint64_t bytes = 0;            // in all of them
  uint64_t buffers = 0;          // device allocations that live
  uint64_t device_bytes = 0;     // in them
  uint64_t pinned_bytes = 0;     // of pinned memory that lives
};

inline Counters& counters() {
  static Counters instance;
  return instance;
}

}  // namespace ferry::python

#endif
