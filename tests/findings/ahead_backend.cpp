// SPDX-License-Identifier: Apache-2.0
// A second copy of the CPU backend that claims to be like a GPU: callouts stall its queues, and
// code of the host cannot read its memory. So the checker orders work when it is submitted, as on a
// GPU, and the corpus tests that everywhere.
#include "backends/cpu/backend.h"

extern "C" [[gnu::visibility("default")]] const ferryx_backend* ferryx_backend_table() {
  static const ferryx_backend kTable = [] {
    ferryx_backend table = *ferry::cpu::backend();
    table.name = "ahead";
    table.capabilities = FERRYX_TAKES_COLUMNS | FERRYX_OWNS_ADDRESSES;
    return table;
  }();
  return &kTable;
}
