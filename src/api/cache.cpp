// SPDX-License-Identifier: Apache-2.0
// Cache maintenance. Caches are always coherent here: what is left are the checks, and a place in
// the stream.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/cache_operation.h"
#include "core/context.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

Status fail_product(const char* what) {
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "%s has no %s", soc().name, what);
}

Status check_cache_product() {
  return soc().traits->cache_operations ? Status() : fail_product("cache operations");
}

bool is_known(aclrtCmoType type) {
  return type >= ACL_RT_CMO_TYPE_PREFETCH && type <= ACL_RT_CMO_TYPE_FLUSH;
}

Status submit_to(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return submit_cache_operation(**found);
}

}  // namespace

aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  if (src == nullptr) return fail_null("src");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  if (!is_known(cmoType)) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "cmoType", cmoType).allowed("0 to 3");
  }
  FERRY_RETURN_IF_ERROR(check_cache_product());
  return submit_to(stream);
}

aclError aclrtCmoAsyncWithBarrier(void* src, size_t /*size*/, aclrtCmoType /*cmoType*/,
                                  uint32_t /*barrierId*/, aclrtStream /*stream*/) {
  if (src == nullptr) return fail_null("src");
  return fail_product("barriers of cache operations");
}

aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream /*stream*/,
                             uint32_t /*flag*/) {
  if (taskInfo == nullptr) return fail_null("taskInfo");
  if (taskInfo->barrierNum == 0 || taskInfo->barrierNum > ACL_RT_CMO_MAX_BARRIER_NUM) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "taskInfo->barrierNum", taskInfo->barrierNum)
        .allowed("1 to %u", ACL_RT_CMO_MAX_BARRIER_NUM);
  }
  for (size_t i = 0; i < taskInfo->barrierNum; ++i) {
    const aclrtBarrierCmoInfo& barrier = taskInfo->cmoInfo[i];
    if (barrier.cmoType == ACL_RT_CMO_TYPE_INVALID && barrier.barrierId != 0) continue;
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"taskInfo->cmoInfo", i})
        .detail(" has type %d and barrier %u, allowed is ", barrier.cmoType, barrier.barrierId)
        .allowed("ACL_RT_CMO_TYPE_INVALID (2) and a barrier of 1 or more");
  }
  return fail_product("barriers of cache operations");
}

aclError aclrtCmoGetDescSize(size_t* size) {
  if (size == nullptr) return fail_null_in_runtime("size");
  FERRY_RETURN_IF_ERROR(check_cache_product());
  *size = soc().traits->descriptor_size;
  return ACL_SUCCESS;
}

aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size) {
  if (cmoDesc == nullptr) return fail_null_in_runtime("cmoDesc");
  if (src == nullptr) return fail_null_in_runtime("src");
  if (size == 0 || size > kLargestCacheOperation) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", size)
        .allowed("1 to 4294967296 (4 GiB)");
  }
  FERRY_RETURN_IF_ERROR(check_cache_product());
  FERRY_RETURN_IF_ERROR(current_context().status());
  return write_cache_descriptor(cmoDesc, src, size);
}

aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream,
                               const void* reserve) {
  if (reserve != nullptr) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "reserve", reserve).allowed("NULL");
  }
  if (cmoDesc == nullptr) return fail_null_in_runtime("cmoDesc");
  if (!is_known(cmoType)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "cmoType", cmoType).allowed("0 to 3");
  }
  FERRY_RETURN_IF_ERROR(check_cache_product());
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_cache_descriptor(cmoDesc));
  return submit_cache_operation(**found);
}

aclError aclrtDeviceL2CacheFlush(void* rsv) {
  if (rsv != nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0012, "rsv", rsv).allowed("NULL");
  }
  return current_context().status();
}

}  // namespace ferry::api
