// SPDX-License-Identifier: Apache-2.0
// The older runtime names rt*: each acts as its AscendCL function, with the same codes.
#include "support/devices.h"
#include "support/legacy.h"
#include "support/sharing.h"

#include "ferry/ferry.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstring>

namespace conformance::legacy_names_test {
namespace {

constexpr uint32_t kHbm = 2;
constexpr uint32_t kHost = 0x81;

using LegacyNames = WithStream;

TEST(LegacyNamesOfDevices, SetQueryAndReset) {
  int32_t count = 0;
  ASSERT_OK(rtGetDeviceCount(&count));
  EXPECT_EQ(static_cast<int32_t>(device_count()), count);
  ASSERT_OK(rtSetDevice(0));
  int32_t device = -1;
  EXPECT_OK(rtGetDevice(&device));
  EXPECT_EQ(0, device);
  void* context = nullptr;
  EXPECT_OK(rtCtxGetCurrent(&context));
  EXPECT_EQ(conformance::current_context(), context);
  on_new_thread([&] {
    int32_t other = -1;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", rtGetDevice(&other));
    EXPECT_OK(rtCtxSetCurrent(context));
    EXPECT_OK(rtGetDevice(&other));
  });
  EXPECT_OK(rtDeviceReset(0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, rtSetDevice(-1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtGetDeviceCount(nullptr));
}

TEST_F(LegacyNames, TellFactsAboutTheDevice) {
  uint32_t pid = 0;
  EXPECT_OK(rtDeviceGetBareTgid(&pid));
  EXPECT_EQ(static_cast<uint32_t>(getpid()), pid);
  int32_t logical = -1;
  EXPECT_OK(rtGetLogicDevIdByUserDevId(0, &logical));
  uint32_t physical = 99;
  EXPECT_OK(rtGetDevicePhyIdByIndex(0, &physical));
  EXPECT_EQ(static_cast<uint32_t>(logical), physical);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtGetDevicePhyIdByIndex(0, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID,
                    rtGetDevicePhyIdByIndex(device_count(), &physical));

  uint32_t cores = 0;
  EXPECT_OK(rtGetAiCoreCount(&cores));
  int64_t known = 0;
  EXPECT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_CUBE_CORE_NUM, &known));
  EXPECT_EQ(static_cast<uint32_t>(known), cores);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtGetAiCoreCount(nullptr));
}

TEST_F(LegacyNames, TellTheNameOfTheProductIfThereIsRoom) {
  const size_t needed = std::strlen(aclrtGetSocName()) + 1;
  std::vector<char> name(needed, 'x');
  EXPECT_OK(rtGetSocVersion(name.data(), static_cast<uint32_t>(needed)));
  EXPECT_STREQ(aclrtGetSocName(), name.data());
  std::vector<char> untouched(needed, 'x');
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
               rtGetSocVersion(untouched.data(), static_cast<uint32_t>(needed - 1)));
  EXPECT_EQ('x', untouched.front());
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtGetSocVersion(nullptr, 64));
}

TEST_F(LegacyNames, DeviceInfoKnowsTheSystemModule) {
  int64_t value = -1;
  for (const int32_t info : {18, 19, 26, 27, 29, 30}) {
    value = -1;
    EXPECT_OK(rtGetDeviceInfo(0, 0, info, &value));
    EXPECT_EQ(0, value) << info;
  }
  value = -1;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtGetDeviceInfo(UINT32_MAX, 9, 99, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, rtGetDeviceInfo(device_count(), 9, 99, &value));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003", rtGetDeviceInfo(0, 4, 18, &value));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003", rtGetDeviceInfo(0, 0, 99, &value));
  EXPECT_EQ(-1, value);
}

TEST_F(LegacyNames, AllocateCopyAndFree) {
  for (const uint32_t type : {kHbm, 4u, 0u, 0x1002u}) {
    void* device = nullptr;
    ASSERT_OK(rtMalloc(&device, 4096, type, 33));
    void* host = nullptr;
    ASSERT_OK(rtMallocHost(&host, 4096, 33));
    const std::vector<uint8_t> bytes = pattern(4096, 7);
    EXPECT_OK(rtMemcpy(device, 4096, bytes.data(), bytes.size(), 1));
    EXPECT_OK(rtMemcpyAsync(host, 4096, device, 4096, 2, stream_));
    EXPECT_OK(rtStreamSynchronize(stream_));
    EXPECT_EQ(0, std::memcmp(host, bytes.data(), bytes.size()));
    EXPECT_OK(rtMemsetAsync(device, 4096, 0x1FF, 4096, stream_));
    // The kind is not looked at: 77 is none.
    EXPECT_OK(rtMemcpyAsyncWithoutCheckKind(host, 4096, device, 4096, 77, stream_));
    EXPECT_OK(rtStreamSynchronize(stream_));
    EXPECT_EQ(
        std::vector<uint8_t>(4096, 0xFF),
        std::vector<uint8_t>(static_cast<uint8_t*>(host), static_cast<uint8_t*>(host) + 4096));
    EXPECT_OK(rtFreeHost(host));
    EXPECT_OK(rtFree(device));
  }
}

TEST_F(LegacyNames, HostMemoryOfMallocGoesBackWithFree) {
  void* host = nullptr;
  ASSERT_OK(rtMalloc(&host, 4096, kHost, 0));
  std::memset(host, 1, 4096);
  rtPointerAttributes_t attributes{};
  EXPECT_OK(rtPointerGetAttributes(&attributes, host));
  EXPECT_EQ(1u, attributes.memoryType);
  EXPECT_OK(rtFree(host));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, rtFree(host));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtFree(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtMalloc(nullptr, 1, kHbm, 0));
}

TEST_F(LegacyNames, PointersHaveAttributes) {
  const DeviceBuffer device(64);
  rtPointerAttributes_t attributes{9, 9, 9, 9};
  EXPECT_OK(rtPointerGetAttributes(&attributes, device.get()));
  EXPECT_EQ(2u, attributes.memoryType);
  EXPECT_EQ(2u, attributes.locationType);
  EXPECT_EQ(0u, attributes.deviceID);
  int on_stack = 0;
  EXPECT_OK(rtPointerGetAttributes(&attributes, &on_stack));
  EXPECT_EQ(1u, attributes.locationType);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtPointerGetAttributes(nullptr, device.get()));
}

TEST_F(LegacyNames, TranslateTheKindsOfCopies) {
  const DeviceBuffer device(64);
  PinnedBuffer host(64);
  host.fill(pattern(64, 3));
  for (const int32_t kind : {1, 4, 6, 8})
    EXPECT_OK(rtMemcpy(device.get(), 64, host.get(), 64, kind)) << kind;
  EXPECT_OK(rtMemcpyAsync(device.get(), 64, host.get(), 64, 8, stream_));
  EXPECT_OK(rtMemcpyAsync(device.get(), 64, host.get(), 64, 6, stream_));
  EXPECT_OK(rtMemcpyAsync(host.get(), 64, device.get(), 64, 7, stream_));
  EXPECT_OK(rtStreamSynchronize(stream_));
  for (const int32_t kind : {-1, 5, 9, INT32_MAX}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 rtMemcpy(device.get(), 64, host.get(), 64, kind));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 rtMemcpyAsync(device.get(), 64, host.get(), 64, kind, stream_));
  }
}

TEST_F(LegacyNames, CreateAndDestroyStreams) {
  void* stream = nullptr;
  ASSERT_OK(rtStreamCreate(&stream, 0));
  EXPECT_OK(rtStreamSynchronize(stream));
  EXPECT_OK(rtStreamDestroy(stream));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_HANDLE, rtStreamSynchronize(stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtStreamCreate(nullptr, 0));
}

// A layer sees the function that the name stands for; the text has the name that was called.
TEST_F(LegacyNames, AreSeenAsTheirFunctions) {
  ASSERT_OK(ferryFailCall("aclrtMalloc", 1, ACL_ERROR_RT_MEMORY_ALLOCATION));
  void* device = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_MEMORY_ALLOCATION, rtMalloc(&device, 64, kHbm, 0));
  ASSERT_OK(ferryClearFailures());
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryFailCall("rtMalloc", 1, 207001));
}

TEST_F(LegacyNames, TheAddressForSynchronisingIsThatOfAscendCL) {
  uint64_t address = 0;
  uint32_t size = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtGetC2cCtrlAddr(nullptr, &size));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtGetC2cCtrlAddr(&address, nullptr));
  void* expected = nullptr;
  const aclError code = aclrtGetHardwareSyncAddr(&expected);
  clear_errors();
  EXPECT_EQ(code, rtGetC2cCtrlAddr(&address, &size));
  clear_errors();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(expected), address);
  EXPECT_EQ(code == ACL_SUCCESS ? 64u : 0u, size);
}

FERRY_PROCESS_TEST(LegacyNamesOfPeers, NameBothDevices, "FERRY_DEVICES=cpu:3",
                   "ASCEND_RT_VISIBLE_DEVICES=2,0") {
  // Device 0 of the program is the physical one 2, device 1 is 0.
  const auto is_enabled = [](int32_t device, int32_t peer) {
    int32_t status = -1;
    EXPECT_OK(aclrtDevicePeerAccessStatus(device, peer, &status));
    return status == 1;
  };
  uint32_t physical = 99;
  EXPECT_OK(rtGetDevicePhyIdByIndex(0, &physical));
  EXPECT_EQ(2u, physical);
  // Without a current device, and with the other one current.
  EXPECT_OK(rtEnableP2P(0, 0, 0));
  EXPECT_TRUE(is_enabled(0, 1));
  EXPECT_OK(rtDisableP2P(0, 0));
  EXPECT_FALSE(is_enabled(0, 1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, rtDisableP2P(0, 0));
  ASSERT_OK(rtSetDevice(1));
  EXPECT_OK(rtEnableP2P(1, 2, 0));
  EXPECT_TRUE(is_enabled(1, 0));
  EXPECT_OK(rtDisableP2P(1, 2));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, rtEnableP2P(1, 0, 0));  // itself
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, rtEnableP2P(0, 2, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, rtEnableP2P(0, 0, 1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, rtEnableP2P(0, 1, 0));  // not visible
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, rtEnableP2P(2, 0, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, rtDisableP2P(0, 1));
  EXPECT_OK(rtDeviceReset(1));
}

namespace sharing = virtual_memory::sharing;
using LegacyNamesOfSharing = sharing::WithSharing;
constexpr size_t kShared = 2 << 20;

TEST_F(LegacyNamesOfSharing, ExportListAndDestroy) {
  DeviceBuffer device(kShared);
  device.write(pattern(kShared, 5));
  char name[65] = "";
  ASSERT_OK(rtIpcSetMemoryName(device.get(), kShared, name, sizeof name));
  const Bytes key(name, name + sizeof name);
  sharing::ReadyPeer peer;
  EXPECT_ANSWER(virtual_memory::kRefused, peer.send("import_key", "a", key, 0));
  int32_t pid = static_cast<int32_t>(peer.pid());
  EXPECT_OK(rtSetIpcMemorySuperPodPid(name, 12345, &pid, 1));
  EXPECT_PEER_OK(peer.send("import_key", "a", key, 0));
  EXPECT_PEER_HOLDS(peer.send("holds", "a", 0, kShared, 5));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, rtSetIpcMemorySuperPodPid(name, 0, &pid, -1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtSetIpcMemorySuperPodPid(nullptr, 0, &pid, 1));
  EXPECT_OK(rtIpcDestroyMemoryName(name));
  EXPECT_FAILS_WITH(virtual_memory::kRefused, rtIpcDestroyMemoryName(name));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    rtIpcSetMemoryName(device.get(), kShared, name, 64));
}

TEST_F(LegacyNamesOfSharing, OpenAndCloseByAddress) {
  sharing::ReadyPeer peer;
  ASSERT_PEER_OK(peer.send("allocate", "p", kShared));
  const Bytes key = peer.send("export_key", "p", 0, kShared, sharing::kEverybody).bytes;
  void* address = nullptr;
  ASSERT_OK(rtIpcOpenMemory(&address, sharing::text_of(key)));
  void* again = nullptr;
  ASSERT_OK(rtIpcOpenMemory(&again, sharing::text_of(key)));
  EXPECT_EQ(address, again);
  EXPECT_OK(aclrtMemset(address, kShared, 1, kShared));
  EXPECT_OK(rtIpcCloseMemory(address));
  EXPECT_OK(aclrtMemset(address, kShared, 2, kShared));
  EXPECT_OK(rtIpcCloseMemory(address));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011", rtIpcCloseMemory(address));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", rtIpcCloseMemory(nullptr));
  on_new_thread(
      [&] { EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", rtIpcCloseMemory(address)); });
}

}  // namespace
}  // namespace conformance::legacy_names_test
