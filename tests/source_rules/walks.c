/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the call of one walk of docs/architecture.md. The first call of a kind starts threads and
 * opens things on the way; the debugger looks at the second one, which comes after walk_starts().
 *
 * Usage: walks WALK; exits with 0, or with 2 when a call fails. */
#include "acl/acl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                               \
  do {                                                                            \
    const aclError code = (call);                                                 \
    if (code != ACL_SUCCESS) {                                                    \
      fprintf(stderr, "%s returned %d: %s\n", #call, code, aclGetRecentErrMsg()); \
      exit(2);                                                                    \
    }                                                                             \
  } while (0)

enum { kItems = 8, kBytes = 4096 };

/* The debugger stops here. */
__attribute__((noinline)) void walk_starts(void) {
  __asm__ volatile("");
}

static char* device;
static char* pinned;
static char* pageable;
static aclrtStream stream;

static void copy_batch(void) {
  void* dsts[kItems];
  void* srcs[kItems];
  size_t sizes[kItems];
  for (size_t i = 0; i < kItems; ++i) {
    dsts[i] = device + i * kBytes;
    srcs[i] = pinned + i * kBytes;
    sizes[i] = kBytes;
  }
  aclrtMemcpyBatchAttr attribute;
  memset(&attribute, 0, sizeof attribute);
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  size_t first = 0;
  size_t wrong = 0;
  CHECK(aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, kItems, &attribute, &first, 1, &wrong,
                              stream));
}

static void copy_from(char* src) {
  CHECK(aclrtMemcpyAsync(device, kBytes, src, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

int main(int argc, char** argv) {
  const char* walk = argc > 1 ? argv[1] : "";
  CHECK(aclInit(NULL));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtMalloc((void**)&device, kItems * kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMallocHost((void**)&pinned, kItems * kBytes));
  pageable = malloc(kBytes);
  memset(pinned, 1, kItems * kBytes);
  memset(pageable, 2, kBytes);
  for (int round = 0; round < 2; ++round) {
    if (round == 1) walk_starts();
    if (strstr(walk, "batch") != NULL) {
      copy_batch();
    } else {
      copy_from(strstr(walk, "pageable") != NULL ? pageable : pinned);
    }
    CHECK(aclrtSynchronizeStream(stream));
  }
  free(pageable);
  CHECK(aclrtFreeHost(pinned));
  CHECK(aclrtFree(device));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
