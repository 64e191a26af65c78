// SPDX-License-Identifier: Apache-2.0
// Notifies between processes, by a key.
#include "api/adapters.h"
#include "api/arguments.h"
#include "api/server_pids.h"
#include "base/status.h"
#include "core/context.h"
#include "core/notify.h"

#include <cstdint>
#include <span>

namespace ferry::api {
namespace {

// Of the low 32 bits of the flags of an import. Bit 0 has no effect.
constexpr uint32_t kMostFlags = 3;

}  // namespace

aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags) {
  if (notify == nullptr) return fail_null("notify");
  if (key == nullptr) return fail_null("key");
  FERRY_TRY(Ref<Notify>, found, find_notify(notify));
  if (len == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "len", 0).allowed("65 or more");
  }
  if (flags != ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT &&
      flags != ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flags", flags).allowed("0 and 2");
  }
  FERRY_RETURN_IF_ERROR((*found)->check_exportable());
  if (len < sharing::kKeySize) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "len", len).allowed("65 or more");
  }
  const ShareAccess access =
      flags == ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT ? ShareAccess::kListed : ShareAccess::kEverybody;
  return (*found)->export_key(access, std::span<char, sharing::kKeySize>(key, sharing::kKeySize));
}

aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num) {
  if (notify == nullptr) return fail_null("notify");
  if (pid == nullptr) return fail_null("pid");
  FERRY_TRY(Ref<Notify>, found, find_notify(notify));
  const auto count = static_cast<int32_t>(num);
  if (count <= 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "num", count).allowed("1 or more");
  }
  FERRY_RETURN_IF_ERROR(current_context().status());
  return (*found)->allow(pid, static_cast<size_t>(count));
}

aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid* serverPids,
                                            size_t num) {
  if (notify == nullptr) return fail_null_in_runtime("notify");
  FERRY_RETURN_IF_ERROR(check_server_pids(serverPids, num));
  for (size_t i = 0; i < num; ++i) {
    if (serverPids[i].num == 1) continue;
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, {"serverPids", i, "num"}, serverPids[i].num)
        .allowed("1");
  }
  FERRY_RETURN_IF_ERROR(
      check_on_this_server("aclrtNotifySetImportPidInterServer", serverPids, num));
  FERRY_TRY(Ref<Notify>, found, find_notify(notify));
  FERRY_RETURN_IF_ERROR(current_context().status());
  for (size_t i = 0; i < num; ++i)
    FERRY_RETURN_IF_ERROR((*found)->allow(serverPids[i].pid, serverPids[i].num));
  return ACL_SUCCESS;
}

aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags) {
  if (notify == nullptr) return fail_null("notify");
  if (key == nullptr) return fail_null("key");
  if (static_cast<uint32_t>(flags) > kMostFlags) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flags", Value::hex(flags))
        .allowed("0 to 3 in the low 32 bits");
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(Ref<Notify>, made, Notify::import((*context)->device(), key));
  *notify = (*made)->handle();
  return ACL_SUCCESS;
}

}  // namespace ferry::api
