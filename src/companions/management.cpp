// SPDX-License-Identifier: Apache-2.0
// libdrvdsmi_host.so and libdcmi.so: management of devices. Every device is a card of its own.
#include "companions/declarations.h"

#include "ferry/companion.h"

#include <sched.h>

#include <cstdio>
#include <cstring>

namespace {

// Codes of both libraries.
constexpr int kWrongArgument = -8001;
[[maybe_unused]] constexpr int kNotSupported = -8255;

[[maybe_unused]] int card_count() {
  uint32_t count = 0;
  return ferryGetPhysicalDeviceCount(&count) == ACL_SUCCESS ? static_cast<int>(count) : 0;
}

[[maybe_unused]] bool is_card(int card, int device) {
  return card >= 0 && card < card_count() && device == 0;
}

// The processors of this process as a list of ranges, such as "0-3,8": as many as there is room
// for.
[[maybe_unused]] void write_processors(char* text, size_t size) {
  cpu_set_t set;
  CPU_ZERO(&set);
  size_t used = 0;
  text[0] = '\0';
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &set)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
      ++last;
    const char* const comma = used == 0 ? "" : ",";
    char range[32];
    const int length = last == first
                           ? std::snprintf(range, sizeof range, "%s%d", comma, first)
                           : std::snprintf(range, sizeof range, "%s%d-%d", comma, first, last);
    if (used + static_cast<size_t>(length) >= size) return;
    std::memcpy(text + used, range, static_cast<size_t>(length) + 1);
    used += static_cast<size_t>(length);
    first = last;
  }
}

}  // namespace

#if defined(FERRY_LIBRARY_DSMI)

int dsmi_get_version(int /*device_id*/, char* version_str, unsigned int version_len,
                     unsigned int* ret_len) {
  if (version_str == nullptr || ret_len == nullptr) return kWrongArgument;
  char package[] = "driver";
  char version[ACL_PKG_VERSION_MAX_SIZE];
  if (aclsysGetVersionStr(package, version) != ACL_SUCCESS) return kNotSupported;
  const size_t length = std::strlen(version);
  if (version_len <= length) return kWrongArgument;
  std::memcpy(version_str, version, length + 1);
  *ret_len = static_cast<unsigned int>(length);
  return 0;
}

#else

int dcmi_init() {
  return 0;
}

int dcmi_get_card_num_list(int* card_num, int* card_list, int list_len) {
  if (card_num == nullptr || card_list == nullptr || list_len < 0) return kWrongArgument;
  const int count = card_count() < list_len ? card_count() : list_len;
  for (int card = 0; card < count; ++card)
    card_list[card] = card;
  *card_num = count;
  return 0;
}

int dcmi_get_device_id_in_card(int card_id, int* device_id_max, int* mcu_id, int* cpu_id) {
  if (device_id_max == nullptr || mcu_id == nullptr || cpu_id == nullptr) return kWrongArgument;
  if (!is_card(card_id, 0)) return kWrongArgument;
  *device_id_max = 1;
  *mcu_id = -1;
  *cpu_id = -1;
  return 0;
}

int dcmi_get_affinity_cpu_info_by_device_id(int card_id, int device_id, char* affinity_cpu,
                                            int* length) {
  if (affinity_cpu == nullptr || length == nullptr) return kWrongArgument;
  if (!is_card(card_id, device_id)) return kWrongArgument;
  // The interface does not say how much room there is: no more than a short list is written.
  constexpr size_t kRoom = 32;
  write_processors(affinity_cpu, kRoom);
  *length = static_cast<int>(std::strlen(affinity_cpu));
  return 0;
}

int dcmi_get_device_pcie_info_v2(int card_id, int device_id, dcmi_pcie_info_all* pcie_info) {
  if (pcie_info == nullptr || !is_card(card_id, device_id)) return kWrongArgument;
  int32_t device = 0;
  if (aclrtGetUserDevIdByLogicDevId(card_id, &device) != ACL_SUCCESS) return kWrongArgument;
  char bus_id[16] = "";
  if (aclrtDeviceGetPCIBusId(device, bus_id, sizeof bus_id) != ACL_SUCCESS) return kNotSupported;
  dcmi_pcie_info_all known = {};
  if (std::sscanf(bus_id, "%x:%x:%x.%x", reinterpret_cast<unsigned int*>(&known.domain),
                  &known.bdf_busid, &known.bdf_deviceid, &known.bdf_funcid) != 4) {
    return kNotSupported;
  }
  *pcie_info = known;
  return 0;
}

#endif
