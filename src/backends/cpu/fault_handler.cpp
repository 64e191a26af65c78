// SPDX-License-Identifier: Apache-2.0
// The SIGSEGV handler. It may interrupt anything, so it takes no lock and allocates nothing.
#include "backends/cpu/fault_handler.h"

#include "backends/cpu/services.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <mutex>

namespace ferry::cpu {
namespace {

constexpr size_t kMostWindows = 65;  // 64 devices, and registered host memory

struct Window {
  std::atomic<uintptr_t> start{0};
  std::atomic<uint64_t> size{0};
};

Window windows[kMostWindows];
std::atomic<size_t> window_count{0};
struct sigaction previous_action;

bool is_device_address(uintptr_t address) {
  const size_t count = window_count.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) {
    const uintptr_t start = windows[i].start.load(std::memory_order_relaxed);
    if (address >= start && address - start < windows[i].size.load(std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

void explain(const void* address) {
  char line[320];
  ferryx_memory memory{};
  int length = 0;
  if (services->find_memory(address, &memory) != 0) {
    const char* what =
        memory.kind == FERRYX_MEMORY_MAPPED ? "registered host memory, as seen by" : "memory of";
    length = std::snprintf(line, sizeof line,
                           "ferry: the host touched %p, which is %s device %u (%" PRIu64
                           " bytes at %p): use aclrtMemcpy or a device function\n",
                           address, what, memory.device, memory.size, memory.address);
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

void on_fault(int signal_number, siginfo_t* info, void* machine_context) {
  // si_addr is an address only for a page fault, not for kill(2) or a non-canonical access.
  if (info->si_code > 0 && is_device_address(reinterpret_cast<uintptr_t>(info->si_addr))) {
    explain(info->si_addr);
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal_number, info, machine_context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal_number);
  } else {
    // The instruction runs again and meets the default action.
    signal(SIGSEGV, SIG_DFL);
    if (info->si_code <= 0) raise(SIGSEGV);
  }
}

void install() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, nullptr, &previous_action);
  sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace

void watch_device_window(uintptr_t start, uint64_t size) {
  static auto* mutex = new std::mutex;  // serialises writers; the handler only reads
  const std::lock_guard lock(*mutex);
  const size_t count = window_count.load(std::memory_order_relaxed);
  if (count == kMostWindows) return;
  windows[count].start.store(start, std::memory_order_relaxed);
  windows[count].size.store(size, std::memory_order_relaxed);
  window_count.store(count + 1, std::memory_order_release);
  if (count == 0) install();
}

}  // namespace ferry::cpu
