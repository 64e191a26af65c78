// SPDX-License-Identifier: Apache-2.0
// Which devices may copy to each other.
#include "api/adapters.h"
#include "base/status.h"
#include "core/context.h"
#include "core/location.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

struct Pair {
  Device* device = nullptr;
  Device* peer = nullptr;
};

Result<Pair> find_pair(int32_t device_id, int32_t peer_id) {
  FERRY_TRY(Device*, device, find_device(device_id));
  FERRY_TRY(Device*, peer, find_device(peer_id, "peerDeviceId"));
  if (*device == *peer) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "peerDeviceId", peer_id)
        .because(", which is the device itself");
  }
  return Pair{*device, *peer};
}

Result<Pair> find_peer_of_current(int32_t peer_id) {
  FERRY_TRY(Ref<Context>, context, current_context());
  return find_pair((*context)->device().id(), peer_id);
}

// Access in either direction will do: who copies decides.
bool can_reach(const Device& owner, const Device& other) {
  return &owner == &other || !soc().traits->peer_access_needed ||
         owner.is_peer_enabled(other.id()) || other.is_peer_enabled(owner.id());
}

// Mapping is a hint, since devices reach all memory of their peers: this check is all of it.
Status check_mappable(const void* address, const Device& other) {
  const Location location = locate(address);
  if (location.is_managed()) return {};
  if (!location.is_device()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "devPtr", address)
        .because(", which is not device memory");
  }
  FERRY_TRY(Device*, owner, find_device(location.memory.device));
  if (can_reach(**owner, other)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "devPtr", address)
      .because(
          ", memory of device %d, which device %d may not reach: call "
          "aclrtDeviceEnablePeerAccess(%d, 0) with device %d current first",
          (*owner)->id(), other.id(), other.id(), (*owner)->id());
}

}  // namespace

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  if (canAccessPeer == nullptr) return fail_null("canAccessPeer");
  FERRY_TRY(Pair, pair, find_pair(deviceId, peerDeviceId));
  // Backends do not know each other's memory.
  *canAccessPeer = &pair->device->backend() == &pair->peer->backend() ? 1 : 0;
  return ACL_SUCCESS;
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  if (flags != 0) return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flags", flags).allowed("0");
  FERRY_TRY(Pair, pair, find_peer_of_current(peerDeviceId));
  if (&pair->device->backend() != &pair->peer->backend()) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
                "devices %d and %d are of different kinds and cannot reach each other",
                pair->device->id(), pair->peer->id());
  }
  return pair->device->enable_peer(*pair->peer);
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  FERRY_TRY(Pair, pair, find_peer_of_current(peerDeviceId));
  return pair->device->disable_peer(*pair->peer);
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  if (status == nullptr) return fail_null("status");
  FERRY_TRY(Pair, pair, find_pair(deviceId, peerDeviceId));
  *status = pair->device->is_peer_enabled(peerDeviceId) ? 1 : 0;
  return ACL_SUCCESS;
}

aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(find_device(deviceId).status());
  FERRY_RETURN_IF_ERROR(find_device(otherDeviceId, "otherDeviceId").status());
  *value = ACL_RT_DEVS_TOPOLOGY_HCCS;
  return ACL_SUCCESS;
}

aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId, uint64_t flags) {
  if (devPtr == nullptr) return fail_null("devPtr");
  if (size == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  if (flags != 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "flags", flags).allowed("0");
  if (!soc().traits->memory_p2p_map) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "%s maps no memory for other devices",
                soc().name);
  }
  FERRY_TRY(Device*, other, find_device(dstDevId, "dstDevId"));
  return check_mappable(devPtr, **other);
}

}  // namespace ferry::api
