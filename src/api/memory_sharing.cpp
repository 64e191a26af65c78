// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes: shareable handles.
#include "api/adapters.h"
#include "base/status.h"
#include "core/context.h"
#include "core/runtime.h"
#include "core/virtual_memory.h"
#include "sharing/handle.h"

#include <cstdint>
#include <cstring>
#include <span>

namespace ferry::api {
namespace {

constexpr size_t kMostPids = 65535;

using FabricBytes = std::span<std::byte, sharing::kFabricHandleSize>;
using ConstFabricBytes = std::span<const std::byte, sharing::kFabricHandleSize>;
static_assert(sizeof(aclrtMemFabricHandle) == sharing::kFabricHandleSize);

Status check_flags(uint64_t flags) {
  if (flags <= ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flags", flags).allowed("0 and 1");
}

ShareAccess access_of(uint64_t flags) {
  return flags == ACL_RT_VMM_EXPORT_FLAG_DEFAULT ? ShareAccess::kListed : ShareAccess::kEverybody;
}

Status check_share_type(aclrtMemSharedHandleType type) {
  if (type == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT || type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
    return {};
  }
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "shareType", type)
      .allowed("1 (DEFAULT) and 2 (FABRIC)");
}

// Handles of 64 bits have no room for the exporter's address.
sharing::Handle handle_of(uint64_t number) {
  return {.address = {}, .name = {.high = 0, .low = number}};
}

Status export_number(aclrtDrvMemHandle handle, uint64_t flags, void* number) {
  FERRY_RETURN_IF_ERROR(sharing::Exchange::instance().address().status());
  FERRY_TRY(sharing::Name, name, sharing::make_short_name());
  FERRY_RETURN_IF_ERROR(VirtualMemory::instance().export_memory(handle, *name, access_of(flags)));
  std::memcpy(number, &name->low, sizeof name->low);
  return {};
}

Status export_fabric(aclrtDrvMemHandle handle, uint64_t flags, void* bytes) {
  FERRY_TRY(sharing::Name, name, sharing::make_name());
  FERRY_TRY(sharing::Handle, shared, sharing::Exchange::instance().handle(*name));
  FERRY_RETURN_IF_ERROR(VirtualMemory::instance().export_memory(handle, *name, access_of(flags)));
  sharing::write_fabric_handle(*shared,
                               FabricBytes(static_cast<std::byte*>(bytes), FabricBytes::extent));
  return {};
}

sharing::FabricOrigin read_handle(const void* bytes, aclrtMemSharedHandleType type,
                                  sharing::Handle& handle) {
  if (type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
    return sharing::read_fabric_handle(
        ConstFabricBytes(static_cast<const std::byte*>(bytes), ConstFabricBytes::extent), handle);
  }
  uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  handle = handle_of(number);
  return sharing::FabricOrigin::kThisHost;
}

Status check_pids(const int32_t* pids, size_t count) {
  if (pids == nullptr) return fail_null("pid");
  if (count != 0) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "pidNum", 0).allowed("1 or more");
}

Status check_pid_count(size_t count) {
  if (count <= kMostPids) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "pidNum", count)
      .allowed("1 to %zu", kMostPids);
}

}  // namespace

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                         uint64_t flags, uint64_t* shareableHandle) {
  if (handle == nullptr) return fail_null("handle");
  if (handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "handleType", handleType)
        .allowed("0 (ACL_MEM_HANDLE_TYPE_NONE)");
  }
  if (shareableHandle == nullptr) return fail_null("shareableHandle");
  FERRY_RETURN_IF_ERROR(check_flags(flags));
  return export_number(handle, flags, shareableHandle);
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                           aclrtMemSharedHandleType shareType,
                                           void* shareableHandle) {
  if (handle == nullptr) return fail_null("handle");
  if (shareableHandle == nullptr) return fail_null("shareableHandle");
  FERRY_RETURN_IF_ERROR(check_share_type(shareType));
  FERRY_RETURN_IF_ERROR(check_flags(flags));
  if (shareType == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT) {
    return export_number(handle, flags, shareableHandle);
  }
  FERRY_RETURN_IF_ERROR(current_context().status());
  return export_fabric(handle, flags, shareableHandle);
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum) {
  FERRY_RETURN_IF_ERROR(check_pids(pid, pidNum));
  FERRY_RETURN_IF_ERROR(check_pid_count(pidNum));
  return VirtualMemory::instance().allow_import(handle_of(shareableHandle), pid, pidNum);
}

aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle,
                                           aclrtMemSharedHandleType shareType, int32_t* pid,
                                           size_t pidNum) {
  if (shareableHandle == nullptr) return fail_null("shareableHandle");
  FERRY_RETURN_IF_ERROR(check_pids(pid, pidNum));
  FERRY_RETURN_IF_ERROR(check_share_type(shareType));
  FERRY_RETURN_IF_ERROR(check_pid_count(pidNum));
  sharing::Handle shared;
  if (read_handle(shareableHandle, shareType, shared) != sharing::FabricOrigin::kThisHost) {
    return reject(ACL_ERROR_RT_INVALID_HANDLE, kEE1017, "shareableHandle")
        .because(" was not exported on this server");
  }
  return VirtualMemory::instance().allow_import(shared, pid, pidNum);
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                           aclrtDrvMemHandle* handle) {
  if (handle == nullptr) return fail_null("handle");
  FERRY_TRY(Device*, device, find_device(deviceId));
  FERRY_RETURN_IF_ERROR(current_context().status());
  return VirtualMemory::instance().import_memory(
      handle_of(shareableHandle), sharing::FabricOrigin::kThisHost, **device, handle);
}

aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle,
                                             aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle* handle) {
  if (shareableHandle == nullptr) return fail_null("shareableHandle");
  if (handle == nullptr) return fail_null("handle");
  if (flags != 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", flags).allowed("0");
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_RETURN_IF_ERROR(check_share_type(shareType));
  sharing::Handle shared;
  const sharing::FabricOrigin origin = read_handle(shareableHandle, shareType, shared);
  if (origin == sharing::FabricOrigin::kNotAHandle) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "shareableHandle")
        .because(" is not a handle of type FABRIC");
  }
  return VirtualMemory::instance().import_memory(shared, origin, (*context)->device(), handle);
}

}  // namespace ferry::api
