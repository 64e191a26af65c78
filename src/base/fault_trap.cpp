// SPDX-License-Identifier: Apache-2.0
// The signal handler may interrupt anything, so it takes no lock and allocates nothing. A thread's
// trap is found through pthread_getspecific: a thread_local may be allocated on first access.
#include "base/fault_trap.h"

#include <pthread.h>
#include <ucontext.h>

namespace ferry {
namespace {

struct Handled {
  int signal_number;
  struct sigaction previous;  // written before our handler is installed
};
Handled handled[] = {{SIGSEGV, {}}, {SIGBUS, {}}};

pthread_key_t trap_key;
std::atomic<bool> has_key{false};  // false when the program has used up all keys: nothing is caught
std::atomic<FaultObserver> fault_observer{nullptr};

// The trap that the calling thread is in; nullptr when there is none.
FaultTrap* current_trap() {
  return has_key.load(std::memory_order_acquire)
             ? static_cast<FaultTrap*>(pthread_getspecific(trap_key))
             : nullptr;
}

// Does not return if the calling thread is in a trap that expects the fault.
void spring_trap(const siginfo_t& info, const void* machine_context) {
  FaultTrap* const trap = current_trap();
  if (trap == nullptr || !trap->expects(reinterpret_cast<uintptr_t>(info.si_addr))) return;
  trap->fault = info.si_addr;
  // A handler of the program that passed the fault on to ours may have blocked signals.
  pthread_sigmask(SIG_SETMASK, &static_cast<const ucontext_t*>(machine_context)->uc_sigmask,
                  nullptr);
  siglongjmp(trap->landing, 1);
}

void pass_on(const struct sigaction& previous, int signal_number, siginfo_t* info,
             void* machine_context) {
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal_number, info, machine_context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal_number);
  } else {
    // The instruction runs again and meets the default action.
    signal(signal_number, SIG_DFL);
    if (info->si_code <= 0) raise(signal_number);
  }
}

void on_fault(int signal_number, siginfo_t* info, void* machine_context) {
  // si_addr is an address only for a page fault, not for kill(2) or a non-canonical access.
  if (info->si_code > 0) {
    spring_trap(*info, machine_context);
    const FaultObserver observer = fault_observer.load(std::memory_order_relaxed);
    if (observer != nullptr) observer(*info);
  }
  const Handled& one = signal_number == SIGSEGV ? handled[0] : handled[1];
  pass_on(one.previous, signal_number, info, machine_context);
}

bool install_handlers() {
  has_key.store(pthread_key_create(&trap_key, nullptr) == 0);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (Handled& one : handled) {
    sigaction(one.signal_number, nullptr, &one.previous);
    sigaction(one.signal_number, &action, nullptr);
  }
  return true;
}

// Apart from its caller, so that no variable lives in a register across sigsetjmp.
[[gnu::noinline]] const void* run_in_trap(FaultTrap& trap, Touch touch, const void* argument) {
  if (sigsetjmp(trap.landing, 0) == 0) touch(trap, argument);
  return trap.fault;
}

}  // namespace

void install_fault_traps() {
  static const bool is_installed = install_handlers();
  static_cast<void>(is_installed);
}

void observe_faults(FaultObserver observer) {
  fault_observer.store(observer, std::memory_order_relaxed);
  install_fault_traps();
}

bool are_faults_caught() {
  sigset_t blocked;
  if (!has_key.load(std::memory_order_acquire)) return false;
  if (pthread_sigmask(SIG_SETMASK, nullptr, &blocked) != 0) return false;
  for (const Handled& one : handled) {
    struct sigaction top {};
    sigaction(one.signal_number, nullptr, &top);
    if (top.sa_sigaction != on_fault || sigismember(&blocked, one.signal_number) != 0) return false;
  }
  return true;
}

const void* catch_fault(Touch touch, const void* argument) {
  FaultTrap trap;
  if (!has_key.load(std::memory_order_acquire)) {
    touch(trap, argument);
    return nullptr;
  }
  trap.outer = current_trap();
  pthread_setspecific(trap_key, &trap);
  const void* const fault = run_in_trap(trap, touch, argument);
  pthread_setspecific(trap_key, trap.outer);
  return fault;
}

FixedText not_accessible(const void* address) {
  return FixedText(
      "memory at %p cannot be accessed: it is unmapped, protected, or behind the end of its file",
      address);
}

}  // namespace ferry
