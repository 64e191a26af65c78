// SPDX-License-Identifier: Apache-2.0
// Addresses of devices on the PCI bus. Devices that are on none get one that is made up from their
// number, on a bus that real machines hardly have.
#include "api/adapters.h"
#include "base/fixed_text.h"
#include "base/status.h"
#include "core/runtime.h"

#include <strings.h>

#include <cctype>
#include <cstring>

namespace ferry::api {
namespace {

constexpr int32_t kBusIdSize = 13;  // with the 0 behind it

// Only the devices of some backends must be open to know it.
Result<FixedText> bus_id_of(Device& device) {
  const ferryx_backend& backend = device.backend();
  if (backend.device_bus_id != nullptr) {
    FERRY_TRY(ferryx_device*, open, device.open());
    return FixedText("%s", backend.device_bus_id(*open));
  }
  const auto number = static_cast<uint32_t>(device.logical_id());
  return FixedText("%04x:fe:%02x.0", number >> 8 & 0xFFFF, number & 0xFF);
}

// "0000:3d:00.0"
bool is_bus_id(const char* text) {
  constexpr char kForm[] = "xxxx:xx:xx.x";
  if (strnlen(text, kBusIdSize) != kBusIdSize - 1) return false;
  for (size_t i = 0; i + 1 < sizeof kForm; ++i) {
    const bool fits = kForm[i] == 'x' ? std::isxdigit(static_cast<unsigned char>(text[i])) != 0
                                      : text[i] == kForm[i];
    if (!fits) return false;
  }
  return true;
}

}  // namespace

aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char* pciBusId, int32_t len) {
  if (pciBusId == nullptr) return fail_null("pciBusId");
  FERRY_TRY(Device*, device, find_device(deviceId));
  if (len < kBusIdSize) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "len", len)
        .allowed("%d or more", kBusIdSize);
  }
  FERRY_TRY(FixedText, bus_id, bus_id_of(**device));
  std::memcpy(pciBusId, bus_id->c_str(), kBusIdSize);
  return ACL_SUCCESS;
}

aclError aclrtDeviceGetByPCIBusId(const char* pciBusId, int32_t* deviceId) {
  if (pciBusId == nullptr) return fail_null("pciBusId");
  if (deviceId == nullptr) return fail_null("deviceId");
  if (!is_bus_id(pciBusId)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "pciBusId",
                  Value::quoted(FixedText("%.32s", pciBusId).c_str()))
        .allowed("the form \"0000:3d:00.0\"");
  }
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  for (uint32_t id = 0; id < (*runtime)->device_count(); ++id) {
    FERRY_TRY(Device*, device, (*runtime)->device(id));
    FERRY_TRY(FixedText, bus_id, bus_id_of(**device));
    if (strcasecmp(bus_id->c_str(), pciBusId) != 0) continue;
    *deviceId = static_cast<int32_t>(id);
    return ACL_SUCCESS;
  }
  return reject(ACL_ERROR_RT_INVALID_DEVICEID, kEE1003, "pciBusId", Value::quoted(pciBusId))
      .because(", where this program sees no device");
}

}  // namespace ferry::api
