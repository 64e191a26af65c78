// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of what processes share: codes, exports of this process, and what a test
// needs to begin.
#pragma once

#include "support/needs.h"
#include "support/peer.h"
#include "support/virtual_memory.h"

#include <unistd.h>

#include <cstring>

namespace conformance::virtual_memory::sharing {

// Written as numbers: the numbers are the contract.
constexpr aclError kBadHandle = 107017;
constexpr aclError kNoPermission = 207006;
constexpr aclError kLinkNotSupported = 207021;
constexpr aclError kInternal = 507000;

constexpr uint64_t kListed = 0;     // flags of exports of memory: processes must be listed
constexpr uint64_t kEverybody = 1;  // no list
constexpr int kDefaultType = ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT;
constexpr int kFabricType = ACL_MEM_SHARE_HANDLE_TYPE_FABRIC;
constexpr size_t kKeySize = 65;
constexpr size_t kFabricSize = 128;

// Whether the devices of this run can share with other processes. CPU devices always can.
inline bool can_share() {
  if (has_cpu_device()) return true;
  const Physical physical;
  uint64_t value = 0;
  const aclError code =
      aclrtMemExportToShareableHandle(physical, ACL_MEM_HANDLE_TYPE_NONE, kEverybody, &value);
  clear_errors();
  return code != kNotSupported;
}

// Skips the test where devices cannot share, or where the second program is missing.
#define NEEDS_SHARING()                                     \
  if (!::conformance::virtual_memory::sharing::can_share()) \
  GTEST_SKIP() << "needs devices whose memory can be shared with other processes"
#define NEEDS_A_PEER() \
  if (!::conformance::has_peer_program()) GTEST_SKIP() << "needs ferry_peer next to this binary"

// Whether this process has so much free memory on its device, at once or when another process has
// let go.
inline ::testing::AssertionResult comes_to_have_free(size_t expected) {
  if (becomes_true([&] { return free_bytes() == expected; })) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << free_bytes() << " bytes are free, expected are " << expected;
}

// Device 0 is current in the test. All memory returns, once the other processes have let go of it.
class WithSharing : public WithDevice {
 protected:
  void SetUp() override {
    WithDevice::SetUp();
    NEEDS_SHARING();
    NEEDS_A_PEER();
    free_before_ = free_bytes();
  }
  void TearDown() override {
    if (!IsSkipped()) {
      EXPECT_TRUE(comes_to_have_free(free_before_)) << "the test has left memory";
    }
    WithDevice::TearDown();
  }

 private:
  size_t free_before_ = 0;
};

// Handles as bytes. An export that fails leaves zeros.
inline Bytes export_v1(aclrtDrvMemHandle handle, uint64_t flags = kEverybody) {
  Bytes bytes(sizeof(uint64_t));
  uint64_t value = 0;
  EXPECT_OK(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, flags, &value));
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}
inline Bytes export_v2(aclrtDrvMemHandle handle, int type = kFabricType,
                       uint64_t flags = kEverybody) {
  Bytes bytes(type == kFabricType ? kFabricSize : sizeof(uint64_t));
  EXPECT_OK(aclrtMemExportToShareableHandleV2(
      handle, flags, static_cast<aclrtMemSharedHandleType>(type), bytes.data()));
  return bytes;
}
inline uint64_t as_number(const Bytes& bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// A key as bytes, with its final 0.
inline Bytes export_key(void* address, size_t size, uint64_t flags = kEverybody) {
  Bytes key(kKeySize);
  EXPECT_OK(aclrtIpcMemGetExportKey(address, size, reinterpret_cast<char*>(key.data()), key.size(),
                                    flags));
  return key;
}
inline const char* text_of(const Bytes& key) {
  return reinterpret_cast<const char*>(key.data());
}
inline Bytes notify_key(aclrtNotify notify, uint64_t flags = 2) {
  Bytes key(kKeySize);
  EXPECT_OK(
      aclrtNotifyGetExportKey(notify, reinterpret_cast<char*>(key.data()), key.size(), flags));
  return key;
}

// A copy with some bits of one byte turned over.
inline Bytes turned_over(Bytes bytes, size_t position, int bits) {
  bytes[position] = static_cast<uint8_t>(bytes[position] ^ bits);
  return bytes;
}

// Device memory behind an address, with one handle of its own: what one process offers.
class Offered {
 public:
  explicit Offered(size_t size = kGranule, const aclrtPhysicalMemProp& prop = prop_of(on_device()))
      : physical_(size, prop), reservation_(size), mapping_(reservation_.at(), size, physical_) {}

  aclrtDrvMemHandle handle() const { return physical_; }
  char* at(size_t offset = 0) const { return reservation_.at(offset); }

 private:
  Physical physical_;
  Reservation reservation_;
  Mapping mapping_;
};

// A process that has device 0 set.
class ReadyPeer : public Peer {
 public:
  explicit ReadyPeer(const std::vector<std::string>& environment = {}) : Peer(environment) {
    EXPECT_PEER_OK(send("set_device", 0));
  }

  // Imports a handle as `name` and maps all of it at `address`, which it reserves.
  void import_and_map(const Bytes& handle, const std::string& name = "h",
                      const std::string& address = "a", size_t size = kGranule) {
    if (handle.size() == kFabricSize) {
      EXPECT_PEER_OK(send("import_v2", name, handle, kFabricType));
    } else {
      EXPECT_PEER_OK(send("import_v1", name, handle, 0));
    }
    EXPECT_PEER_OK(send("reserve", address, size));
    EXPECT_PEER_OK(send("map", address, 0, size, name));
  }
  void unmap_and_free(const std::string& name = "h", const std::string& address = "a") {
    EXPECT_PEER_OK(send("unmap", address, 0));
    EXPECT_PEER_OK(send("release", address));
    EXPECT_PEER_OK(send("free_physical", name));
  }
  uint64_t free_memory() { return send("memory_info").number(0); }
};

// The type and number of the location of an address.
inline std::pair<int, uint32_t> place_of(const void* address) {
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
  return {static_cast<int>(attributes.location.type), attributes.location.id};
}

}  // namespace conformance::virtual_memory::sharing
