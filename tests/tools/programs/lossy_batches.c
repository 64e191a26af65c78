/* SPDX-License-Identifier: Apache-2.0 */
/* For preloading: batches that lose their last item. A program that compares must notice. */
#define _GNU_SOURCE
#include "acl/acl.h"

#include <dlfcn.h>

typedef aclError (*Batch)(void**, size_t*, void**, size_t*, size_t, aclrtMemcpyBatchAttr*, size_t*,
                          size_t, size_t*, aclrtStream);

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  Batch next = (Batch)dlsym(RTLD_NEXT, "aclrtMemcpyBatchAsync");
  return next(dsts, destMaxs, srcs, sizes, numBatches - 1, attrs, attrsIndexes, numAttrs, failIndex,
              stream);
}
