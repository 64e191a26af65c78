// SPDX-License-Identifier: Apache-2.0
// Notices a longjmp that leaves the block it stands in. No destructor runs then, but glibc calls
// the cleanup handlers of the frames that a jump leaves.
#pragma once

#include <pthread.h>

// Exported by glibc, which declares only their buffer.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" void _pthread_cleanup_push(struct _pthread_cleanup_buffer* buffer,
                                      void (*handler)(void*), void* argument);
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" void _pthread_cleanup_pop(struct _pthread_cleanup_buffer* buffer, int execute);

namespace ferry {

// Guards of a thread must nest. The handler runs on the thread that jumps, before its stack is cut.
class JumpGuard {
 public:
  JumpGuard(void (*handler)(void*), void* argument) {
    _pthread_cleanup_push(&buffer_, handler, argument);
  }
  ~JumpGuard() { _pthread_cleanup_pop(&buffer_, 0); }
  JumpGuard(const JumpGuard&) = delete;
  JumpGuard& operator=(const JumpGuard&) = delete;

 private:
  _pthread_cleanup_buffer buffer_{};
};

}  // namespace ferry
