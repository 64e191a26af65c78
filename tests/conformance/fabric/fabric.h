// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the fabric: two processes that reach each other only over it, and what
// both do in nearly every test.
#pragma once

#include "support/sharing.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace conformance::fabric {

using virtual_memory::sharing::kFabricType;

// Written as numbers: the numbers are the contract.
constexpr aclError kLost = 507056;  // the other process has ended or does not answer
constexpr aclError kParam = 107000;
constexpr aclError kDriver = 507899;
constexpr aclError kUnknownHandle = 107017;
constexpr aclError kTaskFailed = 507001;
constexpr aclError kNotSupportedHere = 207000;

constexpr uint64_t kPage = uint64_t{2} << 20;
constexpr uint64_t kBytes = 4 * kPage;  // of the memory in most tests
constexpr int kTimeout = 2000;          // FERRY_FABRIC_TIMEOUT, in milliseconds

// A file with a secret; it goes with the test.
class SecretFile {
 public:
  explicit SecretFile(const std::string& text = "the secret of the tests of the fabric")
      : path_(testing::TempDir() + "ferry_secret_XXXXXX") {
    const int file = mkstemp(path_.data());
    EXPECT_GE(file, 0);
    EXPECT_EQ(static_cast<ssize_t>(text.size()), write(file, text.data(), text.size()));
    close(file);
  }
  ~SecretFile() { unlink(path_.c_str()); }
  SecretFile(const SecretFile&) = delete;
  SecretFile& operator=(const SecretFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::vector<std::string> environment(const SecretFile& secret,
                                            const std::string& listen = "127.0.0.1",
                                            const std::string& more = ",always") {
  return {"FERRY_FABRIC=listen=" + listen + ",secret=" + secret.path() + more,
          "FERRY_FABRIC_TIMEOUT=" + std::to_string(kTimeout), "FERRY_MEMORY=1G",
          "FERRY_DEVICES=cpu"};
}

inline bool has_plugin() {
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&aclrtMalloc), &library) == 0) return false;
  return std::filesystem::exists(std::filesystem::path(library.dli_fname).parent_path() /
                                 "libferry_ucx.so");
}

// Memory of this many bytes under the names memory (handle) and at (address). The handle as bytes.
inline Bytes lend(Peer& owner, uint64_t bytes = kBytes, uint64_t flags = 1) {
  EXPECT_PEER_OK(owner.send("set_device", 0));
  EXPECT_PEER_OK(owner.send("allocate_physical", "memory", bytes, ACL_MEM_LOCATION_TYPE_DEVICE, 0,
                            ACL_HBM_MEM_HUGE));
  EXPECT_PEER_OK(owner.send("reserve", "at", bytes));
  EXPECT_PEER_OK(owner.send("map", "at", 0, bytes, "memory"));
  const Answer exported = owner.send("export_v2", "memory", flags, kFabricType);
  EXPECT_PEER_OK(exported);
  return exported.bytes;
}

// Imports it under the names import (handle) and far (address).
inline void borrow(Peer& visitor, const Bytes& handle, uint64_t bytes = kBytes) {
  EXPECT_PEER_OK(visitor.send("set_device", 0));
  EXPECT_PEER_OK(visitor.send("import_v2", "import", handle, kFabricType));
  EXPECT_PEER_OK(visitor.send("reserve", "far", bytes));
  EXPECT_PEER_OK(visitor.send("map", "far", 0, bytes, "import"));
}

inline void give_back(Peer& visitor) {
  EXPECT_PEER_OK(visitor.send("unmap", "far", 0));
  EXPECT_PEER_OK(visitor.send("free_physical", "import"));
  EXPECT_PEER_OK(visitor.send("release", "far"));
}

inline void take_back(Peer& owner) {
  EXPECT_PEER_OK(owner.send("unmap", "at", 0));
  EXPECT_PEER_OK(owner.send("free_physical", "memory"));
  EXPECT_PEER_OK(owner.send("release", "at"));
}

inline uint64_t free_bytes_of(Peer& peer) {
  const Answer told = peer.send("memory_info");
  EXPECT_PEER_OK(told);
  return told.number(0);
}

// Skips tests where the plugin was not built.
class Fabric : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_plugin()) GTEST_SKIP() << "needs libferry_ucx.so beside the library";
    if (!has_peer_program()) GTEST_SKIP() << "needs ferry_peer next to this binary";
  }

  const SecretFile secret_;
};

}  // namespace conformance::fabric
