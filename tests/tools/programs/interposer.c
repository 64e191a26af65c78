/* SPDX-License-Identifier: Apache-2.0 */
/* For preloading: says when a function of the API is called, and calls on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

typedef const char* (*GetSocName)(void);

const char* aclrtGetSocName(void) {
  puts("interposed");
  return ((GetSocName)dlsym(RTLD_NEXT, "aclrtGetSocName"))();
}
