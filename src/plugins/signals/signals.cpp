// SPDX-License-Identifier: Apache-2.0
// pthread_sigmask and sigprocmask that never block SIGSEGV. They take the place of libc's in a
// program under the checker, which closes pages: the kernel kills a program that touches one while
// the signal is blocked, before any handler runs. Both are called in signal handlers and before
// constructors have run, so they use the system call and nothing else.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace {

// The kernel's set: one bit per signal.
constexpr size_t kKernelSetSize = _NSIG / 8;
// libc needs these two for itself and never lets a program block them.
constexpr int kCancel = 32;
constexpr int kSetId = 33;

// 0, or -1 with errno.
long set_mask(int how, const sigset_t* set, sigset_t* old) {
  if (set == nullptr) return syscall(SYS_rt_sigprocmask, how, nullptr, old, kKernelSetSize);
  sigset_t allowed = *set;
  // A set of signals to unblock stays as it is.
  if (how != SIG_UNBLOCK) {
    sigdelset(&allowed, SIGSEGV);
    allowed.__val[0] &= ~(1UL << (kCancel - 1) | 1UL << (kSetId - 1));
  }
  return syscall(SYS_rt_sigprocmask, how, &allowed, old, kKernelSetSize);
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int pthread_sigmask(int how, const sigset_t* set,
                                                   sigset_t* old) noexcept {
  const int error_before = errno;
  if (set_mask(how, set, old) == 0) return 0;
  const int error = errno;
  errno = error_before;
  return error;
}

[[gnu::visibility("default")]] int sigprocmask(int how, const sigset_t* set,
                                               sigset_t* old) noexcept {
  return static_cast<int>(set_mask(how, set, old));
}

}  // extern "C"
