// SPDX-License-Identifier: Apache-2.0
// acl.rt: devices, their properties, and access between them.
#include "binding.h"
#include "chapters.h"

namespace ferry::python {
namespace {

nb::tuple get_device_utilization_rate(Number<int32_t> device) {
  aclrtUtilizationInfo info{};
  const aclError code =
      unlocked([&] { return aclrtGetDeviceUtilizationRate(device.value, &info); });
  nb::dict rates;
  rates["cube_utilization"] = info.cubeUtilization;
  rates["vector_utilization"] = info.vectorUtilization;
  rates["aicpu_utilization"] = info.aicpuUtilization;
  rates["memory_utilization"] = info.memoryUtilization;
  rates["utilization_extend"] = to_python(info.utilizationExtend);
  return nb::make_tuple(rates, code);
}

// A UUID is any 16 bytes: each becomes the character with that code point.
nb::tuple device_get_uuid(Number<int32_t> device) {
  aclrtUuid uuid{};
  const aclError code = unlocked([&] { return aclrtDeviceGetUuid(device.value, &uuid); });
  nb::dict fields;
  fields["bytes"] = nb::steal(PyUnicode_DecodeLatin1(uuid.bytes, sizeof uuid.bytes, nullptr));
  return nb::make_tuple(fields, code);
}

void add_use(nb::module_& rt) {
  bind<aclrtSetDevice>(rt, "set_device", "(device_id: int, /) -> int",
                       "Sets the thread's device and its default context (aclrtSetDevice).");
  bind<aclrtResetDevice>(rt, "reset_device", "(device_id: int, /) -> int",
                         "Undoes one set_device (aclrtResetDevice).");
  bind<aclrtResetDeviceForce>(rt, "reset_device_force", "(device_id: int, /) -> int",
                              "Undoes every set_device (aclrtResetDeviceForce).");
  bind_outputs_last<aclrtGetDevice>(rt, "get_device", "tuple[int, int]",
                                    "Returns the thread's device (aclrtGetDevice).");
  bind_outputs_last<aclrtGetRunMode>(rt, "get_run_mode", "tuple[int, int]",
                                     "0 runs on the device, 1 on the host (aclrtGetRunMode).");
  bind<aclrtSetTsDevice>(rt, "set_ts_device", "(ts_id: int, /) -> int",
                         "Chooses the task scheduler (aclrtSetTsDevice).");
  bind_outputs_last<aclrtGetDeviceCount>(rt, "get_device_count", "tuple[int, int]",
                                         "Number of devices (aclrtGetDeviceCount).");
  bind<aclrtSynchronizeDevice>(rt, "synchronize_device", "int",
                               "Waits for all work of the device (aclrtSynchronizeDevice).");
  bind<aclrtSynchronizeDeviceWithTimeout>(
      rt, "synchronize_device_with_timeout", "(timeout_ms: int, /) -> int",
      "Waits for all work of the device; -1: no limit (aclrtSynchronizeDeviceWithTimeout).");
  bind<aclrtSetOpExecuteTimeOut>(rt, "set_op_execute_time_out", "(seconds: int, /) -> int",
                                 "Limits how long an operator may run (aclrtSetOpExecuteTimeOut).");
}

void add_queries(nb::module_& rt) {
  define(rt, "get_device_utilization_rate", "(device_id: int, /) -> tuple[dict[str, int], int]",
         "Utilisation of a device in percent; -1 if unknown (aclrtGetDeviceUtilizationRate).",
         get_device_utilization_rate);
  bind_outputs_last<aclrtQueryDeviceStatus>(rt, "query_device_status",
                                            "(device_id: int, /) -> tuple[int, int]",
                                            "State of a device (aclrtQueryDeviceStatus).");
  bind_outputs_last<aclrtGetDeviceInfo>(rt, "get_device_info",
                                        "(device_id: int, attr: int, /) -> tuple[int, int]",
                                        "An attribute of a device (aclrtGetDeviceInfo).");
  bind_outputs_last<aclrtGetDeviceCapability>(
      rt, "get_device_capability", "(device_id: int, feature: int, /) -> tuple[int, int]",
      "Whether a device has a feature (aclrtGetDeviceCapability).");
  bind_outputs_last<aclrtDeviceGetStreamPriorityRange, Gil::kReleased, 2>(
      rt, "device_get_stream_priority_range", "tuple[int, int, int]",
      "Least and greatest priority of streams (aclrtDeviceGetStreamPriorityRange).");
  bind_outputs_last<aclrtGetDevicesTopo>(
      rt, "get_devices_topo", "(device_id: int, other_device_id: int, /) -> tuple[int, int]",
      "How two devices are connected, as bits (aclrtGetDevicesTopo).");
  define(rt, "device_get_uuid", "(device_id: int, /) -> tuple[dict[str, str], int]",
         "UUID of a device: {\"bytes\": 16 characters} (aclrtDeviceGetUuid).", device_get_uuid);
  bind_outputs_last<aclrtDeviceGetBareTgid>(
      rt, "device_get_bare_tgid", "tuple[int, int]",
      "Id of this process outside its container (aclrtDeviceGetBareTgid).");
  bind_outputs_last<aclrtGetLogicDevIdByUserDevId>(
      rt, "get_logic_dev_id_by_user_dev_id", "(user_device_id: int, /) -> tuple[int, int]",
      "Number of a device before visible ones were selected (aclrtGetLogicDevIdByUserDevId).");
  bind_outputs_last<aclrtGetUserDevIdByLogicDevId>(
      rt, "get_user_dev_id_by_logic_dev_id", "(logic_device_id: int, /) -> tuple[int, int]",
      "Number the program uses for a device (aclrtGetUserDevIdByLogicDevId).");
  bind<aclrtSetDeviceSatMode>(rt, "set_device_sat_mode", "(mode: int, /) -> int",
                              "Sets what happens on float overflow (aclrtSetDeviceSatMode).");
  bind_outputs_last<aclrtGetDeviceSatMode>(rt, "get_device_sat_mode", "tuple[int, int]",
                                           "See set_device_sat_mode (aclrtGetDeviceSatMode).");
}

void add_peer_access(nb::module_& rt) {
  bind_outputs_first<aclrtDeviceCanAccessPeer>(
      rt, "device_can_access_peer", "(device_id: int, peer_device_id: int, /) -> tuple[int, int]",
      "1 if a device can access another one's memory (aclrtDeviceCanAccessPeer).");
  bind<aclrtDeviceEnablePeerAccess>(rt, "device_enable_peer_access",
                                    "(peer_device_id: int, flags: int, /) -> int",
                                    "Lets the current device access another one's memory; flags is "
                                    "0 (aclrtDeviceEnablePeerAccess).");
  bind<aclrtDeviceDisablePeerAccess>(
      rt, "device_disable_peer_access", "(peer_device_id: int, /) -> int",
      "Undoes device_enable_peer_access (aclrtDeviceDisablePeerAccess).");
  bind_outputs_last<aclrtDevicePeerAccessStatus>(
      rt, "device_peer_access_status",
      "(device_id: int, peer_device_id: int, /) -> tuple[int, int]",
      "1 if access is enabled in this direction (aclrtDevicePeerAccessStatus).");
}

}  // namespace

void add_device(nb::module_& rt) {
  add_use(rt);
  add_queries(rt);
  add_peer_access(rt);
}

}  // namespace ferry::python
