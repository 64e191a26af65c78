// SPDX-License-Identifier: Apache-2.0
// Device memory between processes, by a key.
#include "core/ipc_memory.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "api/server_pids.h"
#include "base/status.h"
#include "core/context.h"
#include "core/runtime.h"

#include <cstdint>
#include <cstring>
#include <span>

namespace ferry::api {
namespace {

constexpr int32_t kMostPids = 31;

Status check_flag(uint64_t flags) {
  if (flags <= 1) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flags", flags).allowed("0 and 1");
}

Status check_not_zero(const char* argument, size_t value) {
  if (value != 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, argument, 0).allowed("1 or more");
}

Status check_key_text(const char* key) {
  const size_t length = strnlen(key, sharing::kKeySize);
  if (length > 0 && length < sharing::kKeySize) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "key")
      .because(length == 0 ? " is an empty text" : " has no 0 within its 65 bytes");
}

}  // namespace

aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags) {
  if (devPtr == nullptr) return fail_null("devPtr");
  if (key == nullptr) return fail_null("key");
  FERRY_RETURN_IF_ERROR(check_not_zero("size", size));
  FERRY_RETURN_IF_ERROR(check_not_zero("len", len));
  FERRY_RETURN_IF_ERROR(check_flag(flags));
  FERRY_RETURN_IF_ERROR(current_context().status());
  if (len < sharing::kKeySize) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "len", len).allowed("65 or more");
  }
  const ShareAccess access =
      flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT ? ShareAccess::kListed : ShareAccess::kEverybody;
  return IpcMemory::instance().export_range(
      devPtr, size, access, std::span<char, sharing::kKeySize>(key, sharing::kKeySize));
}

aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  if (key == nullptr) return fail_null("key");
  if (pid == nullptr) return fail_null("pid");
  const auto count = static_cast<int32_t>(num);
  if (count <= 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "num", count).allowed("1 to %d", kMostPids);
  }
  FERRY_RETURN_IF_ERROR(current_context().status());
  if (count > kMostPids) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "num", count).allowed("1 to %d", kMostPids);
  }
  return IpcMemory::instance().allow(key, pid, static_cast<size_t>(count));
}

aclError aclrtIpcMemImportPidInterServer(const char* key, aclrtServerPid* serverPids, size_t num) {
  if (key == nullptr) return fail_null_in_runtime("key");
  FERRY_RETURN_IF_ERROR(check_server_pids(serverPids, num));
  FERRY_RETURN_IF_ERROR(current_context().status());
  FERRY_RETURN_IF_ERROR(check_on_this_server("aclrtIpcMemImportPidInterServer", serverPids, num));
  for (size_t i = 0; i < num; ++i) {
    FERRY_RETURN_IF_ERROR(IpcMemory::instance().allow(key, serverPids[i].pid, serverPids[i].num));
  }
  return ACL_SUCCESS;
}

aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr) {
  if (key == nullptr) return fail_null_in_runtime("key");
  if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "type", type).allowed("0 (access link)");
  }
  if (attr > ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "attr", attr).allowed("0 to 3");
  }
  FERRY_RETURN_IF_ERROR(current_context().status());
  if (!soc().traits->has_links) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001)
        .because("%s has no aclrtIpcMemSetAttr", soc().name);
  }
  if (attr <= ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS) return ACL_SUCCESS;
  return reject(ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED, kEE1006, "attr", attr)
      .because(", a link that %s does not have", soc().name);
}

aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  if (devPtr == nullptr) return fail_null("devPtr");
  if (key == nullptr) return fail_null("key");
  FERRY_RETURN_IF_ERROR(check_flag(flags));
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_RETURN_IF_ERROR(check_key_text(key));
  const auto peer = flags == ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS
                        ? IpcMemory::PeerAccess::kEnable
                        : IpcMemory::PeerAccess::kKeep;
  return IpcMemory::instance().import(key, (*context)->device(), peer, devPtr);
}

aclError aclrtIpcMemClose(const char* key) {
  if (key == nullptr) return fail_null("key");
  FERRY_RETURN_IF_ERROR(current_context().status());
  return IpcMemory::instance().close(key);
}

}  // namespace ferry::api
