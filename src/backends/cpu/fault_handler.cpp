// SPDX-License-Identifier: Apache-2.0
// Runs in the signal handler. It may interrupt anything, so it takes no lock and allocates nothing.
#include "backends/cpu/fault_handler.h"

#include "backends/cpu/services.h"
#include "backends/cpu/span_set.h"
#include "base/fault_trap.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>

namespace ferry::cpu {
namespace {

SpanSet windows;

void explain(const void* address) {
  char line[320];
  ferryx_memory memory{};
  int length = 0;
  if (services->find_memory(address, &memory) != 0) {
    const char* what =
        memory.kind == FERRYX_MEMORY_MAPPED ? "registered host memory, as seen by" : "memory of";
    // The size without it cannot be asked for in a signal handler.
    const char* padding = memory.kind == FERRYX_MEMORY_DEVICE ? " with padding" : "";
    length = std::snprintf(line, sizeof line,
                           "ferry: the host touched %p, which is %s device %u (%" PRIu64
                           " bytes%s at %p): use aclrtMemcpy or a device function\n",
                           address, what, memory.device, memory.size, padding, memory.address);
  } else {
    length = std::snprintf(line, sizeof line,
                           "ferry: the host touched %p, which is a device address that is not "
                           "allocated (any more)\n",
                           address);
  }
  if (length > 0) {
    // A closed standard error cannot be reported anywhere.
    [[maybe_unused]] const ssize_t written =
        write(STDERR_FILENO, line, static_cast<size_t>(length));
  }
}

// Mapped memory lies anywhere, so it is looked up.
bool is_mapped_memory(const void* address) {
  ferryx_memory memory{};
  return services->find_memory(address, &memory) != 0 && memory.kind == FERRYX_MEMORY_DEVICE;
}

void explain_touch(const siginfo_t& info) {
  if (windows.contains(info.si_addr) || is_mapped_memory(info.si_addr)) explain(info.si_addr);
}

}  // namespace

void watch_device_window(uintptr_t start, uint64_t size) {
  windows.add(start, size);
  observe_faults(explain_touch);
}

void watch_mapped_memory() {
  observe_faults(explain_touch);
}

}  // namespace ferry::cpu
