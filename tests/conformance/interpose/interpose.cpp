// SPDX-License-Identifier: Apache-2.0
// A library between a program and the runtime, as memory trackers are: it defines aclrtFree and
// aclrtMallocAlign32 itself and finds those of the runtime with dlsym(RTLD_NEXT).
// client_shapes_test.cpp preloads it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NEXT
#endif

#include "acl/acl.h"

#include <dlfcn.h>

#include <atomic>

namespace {

std::atomic<int> g_frees{0};
std::atomic<int> g_allocations{0};

template <class Function>
Function* find_next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) aclError aclrtFree(void* devPtr) {
  static auto* const next = find_next<aclError(void*)>("aclrtFree");
  ++g_frees;
  return next == nullptr ? ACL_ERROR_FAILURE : next(devPtr);
}

__attribute__((visibility("default"))) aclError aclrtMallocAlign32(void** devPtr, size_t size,
                                                                   aclrtMemMallocPolicy policy) {
  static auto* const next =
      find_next<aclError(void**, size_t, aclrtMemMallocPolicy)>("aclrtMallocAlign32");
  ++g_allocations;
  return next == nullptr ? ACL_ERROR_FAILURE : next(devPtr, size, policy);
}

// The test looks these up by name.
__attribute__((visibility("default"))) int conformance_interposed_frees(void) {
  return g_frees;
}

__attribute__((visibility("default"))) int conformance_interposed_allocations(void) {
  return g_allocations;
}

}  // extern "C"
