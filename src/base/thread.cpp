// SPDX-License-Identifier: Apache-2.0
// pthread_create instead of std::thread: a failure is a code here, not an exception.
#include "base/thread.h"

#include <pthread.h>
#include <signal.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace ferry {
namespace {

struct Start {
  char name[16] = {};
  std::function<void()> body;
};

void* run(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  pthread_setname_np(pthread_self(), start->name);
  start->body();
  return nullptr;
}

Status fail_to_start(const char* name, int error) {
  return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, kEE9999, "the thread %s cannot be started: %s",
              name, std::strerror(error));
}

}  // namespace

Status start_thread(const char* name, std::function<void()> body) {
  std::unique_ptr<Start> made(new (std::nothrow) Start);
  if (made == nullptr) return fail_to_start(name, ENOMEM);
  std::strncpy(made->name, name, sizeof made->name - 1);
  made->body = std::move(body);
  // The new thread inherits the mask: the program's handlers run on the program's own threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // Faults stay unblocked: a blocked fault would kill the process.
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
    sigdelset(&all, fault);
  }
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const int error = pthread_create(&thread, &attributes, run, made.get());
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) return fail_to_start(name, error);
  static_cast<void>(made.release());  // the thread owns it now
  return {};
}

}  // namespace ferry
