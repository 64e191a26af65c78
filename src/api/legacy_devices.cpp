// SPDX-License-Identifier: Apache-2.0
// Older names: queries of devices, and access between them.
#include "api/legacy.h"
#include "base/config.h"
#include "base/status.h"
#include "core/context.h"
#include "core/runtime.h"
#include "dispatch/dispatch_table.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace ferry::legacy {
namespace {

// What rtGetDeviceInfo knows of the module "system", as attributes of aclrtGetDeviceInfo. A value
// that the runtime has no attribute for is 0 on every device.
constexpr int32_t kSystemModule = 0;
constexpr aclrtDevAttr kAlwaysZero = ACL_DEV_ATTR_SMP_ID;
struct SystemInfo {
  int32_t info;
  aclrtDevAttr attribute;
};
constexpr SystemInfo kSystemInfo[] = {
    {18, ACL_DEV_ATTR_PHY_CHIP_ID},         {19, kAlwaysZero /* die */},
    {26, ACL_DEV_ATTR_SUPER_POD_DEVICE_ID}, {27, ACL_DEV_ATTR_SUPER_POD_SERVER_ID},
    {29, ACL_DEV_ATTR_SUPER_POD_ID},        {30, kAlwaysZero /* address mode */},
};

struct DevicePair {
  Device* destination = nullptr;
  Device* source = nullptr;
};

Result<DevicePair> find_devices(uint32_t destination, uint32_t physical_source) {
  FERRY_TRY(Device*, found, find_device(destination, "devIdDes"));
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  Device* const source = (*runtime)->device_with_logical_id(static_cast<int32_t>(physical_source));
  if (source == nullptr) {
    return reject(ACL_ERROR_RT_INVALID_DEVICEID, kEE1003, "phyIdSrc", physical_source)
        .because(", which is not a device this program sees");
  }
  return DevicePair{*found, source};
}

// The functions of AscendCL act on the current device. Theirs name both: only where that is the
// current one can a layer see the call.
bool is_current(const Device& device) {
  const Ref<Context> context = find_current_context();
  return context && &context->device() == &device;
}

Status check_other(const DevicePair& pair) {
  if (pair.destination != pair.source) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "phyIdSrc", pair.source->logical_id())
      .because(", which is the destination itself");
}

}  // namespace

aclError device_info(uint32_t device, int32_t module, int32_t info, int64_t* value) {
  if (value == nullptr) return fail_null("val");
  FERRY_RETURN_IF_ERROR(find_device(device).status());
  if (module != kSystemModule) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "moduleType", module)
        .allowed("%d (system)", kSystemModule);
  }
  const auto* known = std::find_if(std::begin(kSystemInfo), std::end(kSystemInfo),
                                   [&](const SystemInfo& row) { return row.info == info; });
  if (known == std::end(kSystemInfo)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "infoType", info)
        .allowed("18, 19, 26, 27, 29 and 30");
  }
  return dispatch().aclrtGetDeviceInfo(device, known->attribute, value);
}

aclError physical_id(uint32_t device, uint32_t* physical) {
  if (physical == nullptr) return fail_null("phyId");
  int32_t logical = 0;
  const aclError found =
      dispatch().aclrtGetLogicDevIdByUserDevId(static_cast<int32_t>(device), &logical);
  if (found != ACL_SUCCESS) return found;
  return dispatch().aclrtGetPhyDevIdByLogicDevId(logical, as_signed(physical));
}

aclError enable_peer(uint32_t destination, uint32_t physical_source, uint32_t flag) {
  FERRY_TRY(DevicePair, pair, find_devices(destination, physical_source));
  if (is_current(*pair->destination)) {
    return dispatch().aclrtDeviceEnablePeerAccess(pair->source->id(), flag);
  }
  if (flag != 0) return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", flag).allowed("0");
  FERRY_RETURN_IF_ERROR(check_other(*pair));
  if (&pair->destination->backend() != &pair->source->backend()) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
                "devices %d and %d are of different kinds and cannot reach each other",
                pair->destination->id(), pair->source->id());
  }
  return pair->destination->enable_peer(*pair->source);
}

aclError disable_peer(uint32_t destination, uint32_t physical_source) {
  FERRY_TRY(DevicePair, pair, find_devices(destination, physical_source));
  if (is_current(*pair->destination)) {
    return dispatch().aclrtDeviceDisablePeerAccess(pair->source->id());
  }
  FERRY_RETURN_IF_ERROR(check_other(*pair));
  return pair->destination->disable_peer(*pair->source);
}

aclError soc_name(char* name, uint32_t size) {
  if (name == nullptr) return fail_null("version");
  const char* const known = dispatch().aclrtGetSocName();
  if (known == nullptr) return ACL_ERROR_INVALID_PARAM;  // the text says what is wrong
  const size_t needed = std::strlen(known) + 1;
  if (size < needed) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "maxLen", size)
        .allowed("%zu or more", needed);
  }
  std::memcpy(name, known, needed);
  return ACL_SUCCESS;
}

aclError core_count(uint32_t* count) {
  if (count == nullptr) return fail_null("aiCoreCnt");
  const Ref<Context> context = find_current_context();
  const auto device = static_cast<uint32_t>(context ? context->device().id() : 0);
  int64_t cores = 0;
  const aclError known = dispatch().aclrtGetDeviceInfo(device, ACL_DEV_ATTR_CUBE_CORE_NUM, &cores);
  if (known == ACL_SUCCESS) *count = static_cast<uint32_t>(cores);
  return known;
}

aclError sync_address(uint64_t* address, uint32_t* size) {
  constexpr uint32_t kBlockSize = 64;
  if (address == nullptr) return fail_null("addr");
  if (size == nullptr) return fail_null("len");
  void* block = nullptr;
  const aclError known = dispatch().aclrtGetHardwareSyncAddr(&block);
  if (known != ACL_SUCCESS) return known;
  *address = reinterpret_cast<uintptr_t>(block);
  *size = kBlockSize;
  return ACL_SUCCESS;
}

}  // namespace ferry::legacy
