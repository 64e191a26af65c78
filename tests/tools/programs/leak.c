/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded to see whether a leak is found: aclrtCreateStream leaks what LEAK names. */
#define _GNU_SOURCE
#include "acl/acl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void* sleep_forever(void* ignored) {
  for (;;) pause();
  return ignored;
}

static void leak(const char* what, unsigned number) {
  const size_t size = 64 << 10;
  void* memory = NULL;
  pthread_t thread;
  if (strcmp(what, "host memory") == 0) {
    memory = malloc(size);
    if (memory != NULL) memset(memory, 1, size);
  } else if (strcmp(what, "device memory") == 0) {
    aclrtMalloc(&memory, size, ACL_MEM_MALLOC_NORMAL_ONLY);
  } else if (strcmp(what, "mappings") == 0) {
    /* The kernel joins neighbours with the same protection. */
    mmap(NULL, size, number % 2 == 0 ? PROT_NONE : PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  } else if (number % 16 != 0) {
    return; /* fewer of what is limited */
  } else if (strcmp(what, "file descriptors") == 0) {
    dup(STDERR_FILENO);
  } else if (strcmp(what, "threads") == 0) {
    pthread_create(&thread, NULL, sleep_forever, NULL);
  }
}

aclError aclrtCreateStream(aclrtStream* stream) {
  static atomic_uint calls;
  aclError (*real)(aclrtStream*) = dlsym(RTLD_NEXT, "aclrtCreateStream");
  const char* what = getenv("LEAK");
  if (what != NULL) leak(what, atomic_fetch_add(&calls, 1));
  return real(stream);
}
