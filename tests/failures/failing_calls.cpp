// SPDX-License-Identifier: Apache-2.0
// The functions that take the place of the system's. Each asks whether the library is calling,
// and whether this call is one that must fail. FAILING=malloc:17 in the environment arms it from
// the start of the process.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NEXT
#endif

#include "failing_calls.h"

#include "cuda_calls.h"
#include "live_allocations.h"
#include "must_fail.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

extern "C" {
// The C library's own allocator: calling it by these names needs no look-up, which would allocate.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
}

namespace {

std::atomic<int> armed{-1};
std::atomic<uint64_t> calls{0};
std::atomic<uint64_t> fired{0};
uint64_t first_failure = 0;
uint64_t failure_count = 0;
void* failed_stack[FAILING_FRAMES];
std::atomic<int> failed_frames{0};

// The unwinder may allocate: such calls are not counted.
thread_local bool is_busy __attribute__((tls_model("initial-exec"))) = false;

}  // namespace

namespace failures {

bool is_counted(int call) {
  return armed.load(std::memory_order_relaxed) == call && !is_busy;
}

bool must_fail(int call, Caller& caller) {
  if (!is_counted(call) || !caller.is_library()) return false;
  const uint64_t number = calls.fetch_add(1) + 1;
  if (number < first_failure || number - first_failure >= failure_count) return false;
  if (fired.fetch_add(1) == 0) {
    is_busy = true;
    failed_frames.store(backtrace(failed_stack, FAILING_FRAMES));
    is_busy = false;
  }
  return true;
}

}  // namespace failures

namespace {

void* note(void* memory, failures::Caller& caller) {
  if (memory != nullptr && !is_busy && caller.is_library()) {
    failures::live_allocations().add(memory, caller.frames());
  }
  return memory;
}

void* allocate(size_t alignment, size_t size, failures::Caller& caller) {
  if (failures::must_fail(FAILING_MALLOC, caller)) {
    errno = ENOMEM;
    return nullptr;
  }
  return note(alignment == 0 ? __libc_malloc(size) : __libc_memalign(alignment, size), caller);
}

void* allocate_or_throw(size_t alignment, size_t size, failures::Caller& caller) {
  void* memory = allocate(alignment, size == 0 ? 1 : size, caller);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) {
  if (memory == nullptr) return;
  failures::live_allocations().remove(memory);
  __libc_free(memory);
}

int call_of(const char* name, size_t length) {
  constexpr const char* kNames[] = {"malloc",       "mmap",           "mprotect",
                                    "memfd_create", "pthread_create", "cuda"};
  static_assert(sizeof kNames / sizeof *kNames == FAILING_CALLS);
  for (int i = 0; i < FAILING_CALLS; ++i) {
    if (std::strlen(kNames[i]) == length && std::strncmp(name, kNames[i], length) == 0) return i;
  }
  return -1;
}

__attribute__((constructor)) void prepare() {
  void* frames[1];
  backtrace(frames, 1);  // loads the unwinder
  failures::find_library_code();
  const char* wish = std::getenv("FAILING");
  const char* colon = wish == nullptr ? nullptr : std::strchr(wish, ':');
  if (colon == nullptr) return;
  failing_arm(call_of(wish, static_cast<size_t>(colon - wish)),
              std::strtoull(colon + 1, nullptr, 10), 1);
}

}  // namespace

FAILING_EXPORT void failing_arm(int call, uint64_t first, uint64_t count) {
  failing_disarm();
  failures::find_library_code();
  failures::forget_cuda_calls();
  calls.store(0);
  fired.store(0);
  failed_frames.store(0);
  first_failure = first;
  failure_count = count;
  armed.store(call);
}

FAILING_EXPORT void failing_disarm(void) {
  armed.store(-1);
}

FAILING_EXPORT uint64_t failing_calls(void) {
  return calls.load();
}

FAILING_EXPORT uint64_t failing_fired(void) {
  return fired.load();
}

FAILING_EXPORT int failing_stack(void** frames) {
  const int count = failed_frames.load();
  std::memcpy(frames, failed_stack, static_cast<size_t>(count) * sizeof *frames);
  return count;
}

FAILING_EXPORT int failing_sites(FailingSite* sites, int room) {
  return failures::live_allocations().list(sites, room);
}

// ---- the heap ----

FAILING_EXPORT void* malloc(size_t size) {
  failures::Caller caller = FAILING_CALLER;
  return allocate(0, size, caller);
}

FAILING_EXPORT void* calloc(size_t count, size_t size) {
  failures::Caller caller = FAILING_CALLER;
  if (failures::must_fail(FAILING_MALLOC, caller)) {
    errno = ENOMEM;
    return nullptr;
  }
  return note(__libc_calloc(count, size), caller);
}

FAILING_EXPORT void* realloc(void* old, size_t size) {
  failures::Caller caller = FAILING_CALLER;
  if (failures::must_fail(FAILING_MALLOC, caller)) {
    errno = ENOMEM;
    return nullptr;
  }
  if (old != nullptr) failures::live_allocations().remove(old);
  return note(__libc_realloc(old, size), caller);
}

FAILING_EXPORT void* memalign(size_t alignment, size_t size) {
  failures::Caller caller = FAILING_CALLER;
  return allocate(alignment, size, caller);
}

FAILING_EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  failures::Caller caller = FAILING_CALLER;
  return allocate(alignment, size, caller);
}

FAILING_EXPORT int posix_memalign(void** memory, size_t alignment, size_t size) {
  failures::Caller caller = FAILING_CALLER;
  void* made = allocate(alignment, size, caller);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}

FAILING_EXPORT void free(void* memory) {
  const int before = errno;
  release(memory);
  errno = before;
}

__attribute__((visibility("default"))) void* operator new(size_t size) {
  failures::Caller caller = FAILING_CALLER;
  return allocate_or_throw(0, size, caller);
}

__attribute__((visibility("default"))) void* operator new[](size_t size) {
  failures::Caller caller = FAILING_CALLER;
  return allocate_or_throw(0, size, caller);
}

// Otherwise the C++ library would call the one above, and the caller would be a guess.
__attribute__((visibility("default"))) void* operator new(size_t size,
                                                          const std::nothrow_t&) noexcept {
  failures::Caller caller = FAILING_CALLER;
  return allocate(0, size == 0 ? 1 : size, caller);
}

__attribute__((visibility("default"))) void* operator new(size_t size, std::align_val_t alignment) {
  failures::Caller caller = FAILING_CALLER;
  return allocate_or_throw(static_cast<size_t>(alignment), size, caller);
}

__attribute__((visibility("default"))) void* operator new[](size_t size,
                                                            std::align_val_t alignment) {
  failures::Caller caller = FAILING_CALLER;
  return allocate_or_throw(static_cast<size_t>(alignment), size, caller);
}

// ---- mappings and threads ----

FAILING_EXPORT void* mmap(void* address, size_t size, int protection, int flags, int file,
                          off_t offset) noexcept {
  failures::Caller caller = FAILING_CALLER;
  if (failures::must_fail(FAILING_MMAP, caller)) {
    errno = ENOMEM;
    return reinterpret_cast<void*>(-1);
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, size, protection, flags, file, offset));
}

FAILING_EXPORT int mprotect(void* address, size_t size, int protection) noexcept {
  failures::Caller caller = FAILING_CALLER;
  if (failures::must_fail(FAILING_MPROTECT, caller)) {
    errno = ENOMEM;
    return -1;
  }
  return static_cast<int>(syscall(SYS_mprotect, address, size, protection));
}

FAILING_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  failures::Caller caller = FAILING_CALLER;
  if (failures::must_fail(FAILING_MEMFD, caller)) {
    errno = EMFILE;
    return -1;
  }
  return static_cast<int>(syscall(SYS_memfd_create, name, flags));
}

FAILING_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                  void* (*start)(void*), void* argument) noexcept {
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static auto* const next = reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
  failures::Caller caller = FAILING_CALLER;
  return failures::must_fail(FAILING_THREAD, caller) ? EAGAIN
                                                     : next(thread, attributes, start, argument);
}

// A plugin is code of the library too. Calls of the CUDA driver go through thunks.
FAILING_EXPORT void* dlopen(const char* file, int mode) noexcept {
  using Open = void*(const char*, int);
  static auto* const next = reinterpret_cast<Open*>(dlsym(RTLD_NEXT, "dlopen"));
  void* opened = next(file, mode);
  failures::find_library_code();
  const bool is_driver = opened != nullptr && failures::is_cuda_driver(file);
  return is_driver ? failures::stand_for_cuda_driver(opened) : opened;
}
