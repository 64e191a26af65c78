// SPDX-License-Identifier: Apache-2.0
// Processes that end, stop, or do not belong here: copies fail in time, the others go on, and
// memory returns. CONFORMANCE_ROUNDS says how often processes are killed.
#include "fabric/fabric.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

namespace conformance::fabric {
namespace {

class FabricFailures : public Fabric {};

TEST_F(FabricFailures, CopiesOfADeadOwnerFailAndOthersGoOn) {
  Peer owner(environment(secret_));
  Peer other(environment(secret_));
  Peer visitor(environment(secret_));
  borrow(visitor, lend(owner));
  const Bytes handle = lend(other);
  EXPECT_PEER_OK(visitor.send("import_v2", "second", handle, kFabricType));
  EXPECT_PEER_OK(visitor.send("reserve", "far2", kBytes));
  EXPECT_PEER_OK(visitor.send("map", "far2", 0, kBytes, "second"));
  EXPECT_PEER_OK(visitor.send("create_stream", "stream"));
  EXPECT_PEER_OK(visitor.send("create_stream", "other"));
  EXPECT_PEER_OK(visitor.send("allocate", "device", kBytes));
  owner.kill();
  EXPECT_PEER_OK(visitor.send("copy_async", "device", 0, "far", 0, kBytes,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_ANSWER(kLost, visitor.send("synchronize_stream", "stream"));
  EXPECT_ANSWER(kLost, visitor.send("write", "far", 0, 100, 1));
  EXPECT_PEER_OK(visitor.send("copy_async", "device", 0, "far2", 0, kBytes,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, "other"));
  EXPECT_PEER_OK(visitor.send("synchronize_stream", "other"));
  EXPECT_PEER_OK(visitor.send("synchronize_stream", "stream"));
  give_back(visitor);
}

// The stopped process does not know of it. Then it is found out that it was given up.
TEST_F(FabricFailures, CopiesOfAStoppedOwnerFailInTimeAndANewImportWorks) {
  Peer owner(environment(secret_));
  Peer visitor(environment(secret_));
  const Bytes handle = lend(owner);
  borrow(visitor, handle);
  EXPECT_PEER_OK(visitor.send("create_stream", "stream"));
  EXPECT_PEER_OK(visitor.send("allocate", "device", kBytes));
  owner.stop();
  EXPECT_PEER_OK(visitor.send("copy_async", "device", 0, "far", 0, kBytes,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_ANSWER(kLost, visitor.send("synchronize_stream", "stream"));
  owner.resume();
  EXPECT_PEER_OK(owner.send("write", "at", 0, 1000, 9));
  EXPECT_ANSWER(kLost, visitor.send("holds", "far", 0, 1000, 9));
  EXPECT_PEER_OK(visitor.send("import_v2", "anew", handle, kFabricType));
  EXPECT_PEER_OK(visitor.send("unmap", "far", 0));
  EXPECT_PEER_OK(visitor.send("map", "far", 0, kBytes, "anew"));
  EXPECT_PEER_HOLDS(visitor.send("holds", "far", 0, 1000, 9));
  EXPECT_PEER_OK(visitor.send("free_physical", "anew"));
  give_back(visitor);
  take_back(owner);
}

TEST_F(FabricFailures, MemoryOfADeadVisitorReturns) {
  Peer owner(environment(secret_));
  Peer visitor(environment(secret_));
  EXPECT_PEER_OK(owner.send("set_device", 0));
  const uint64_t before = free_bytes_of(owner);
  borrow(visitor, lend(owner));
  take_back(owner);
  EXPECT_EQ(before - kBytes, free_bytes_of(owner)) << "the visitor still has it";
  EXPECT_PEER_OK(visitor.send("write", "far", 0, kBytes, 1));
  EXPECT_PEER_HOLDS(visitor.send("holds", "far", 0, kBytes, 1));
  visitor.kill();
  EXPECT_TRUE(becomes_true([&] { return free_bytes_of(owner) == before; }));
}

int rounds() {
  const char* const text = std::getenv("CONFORMANCE_ROUNDS");
  return text == nullptr ? 10 : std::atoi(text);
}

// One of both is killed while bytes move in both directions.
TEST_F(FabricFailures, KillsAtRandomMomentsLeaveNothingBehind) {
  std::mt19937 random(20);
  Peer survivor(environment(secret_));
  EXPECT_PEER_OK(survivor.send("set_device", 0));
  EXPECT_PEER_OK(survivor.send("create_stream", "stream"));
  EXPECT_PEER_OK(survivor.send("allocate", "device", kBytes));
  const uint64_t before = free_bytes_of(survivor);
  for (int round = 0; round < rounds(); ++round) {
    SCOPED_TRACE(round);
    Peer victim(environment(secret_));
    const bool is_owner_killed = round % 2 == 0;
    Peer& owner = is_owner_killed ? victim : survivor;
    Peer& visitor = is_owner_killed ? survivor : victim;
    borrow(visitor, lend(owner));
    if (!is_owner_killed) {
      EXPECT_PEER_OK(visitor.send("create_stream", "stream"));
      EXPECT_PEER_OK(visitor.send("allocate", "device", kBytes));
    }
    for (int i = 0; i < 4; ++i) {
      visitor.send("copy_async", "device", 0, "far", 0, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                   "stream");
      visitor.send("copy_async", "far", 0, "device", 0, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                   "stream");
    }
    // Orders nothing: it only varies how far the copies are when the process is killed.
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    victim.kill();
    if (is_owner_killed) {
      const aclError code = survivor.send("synchronize_stream", "stream").code;
      EXPECT_TRUE(code == ACL_SUCCESS || code == kLost) << code;
      give_back(survivor);
    } else {
      take_back(survivor);
    }
    EXPECT_TRUE(becomes_true([&] { return free_bytes_of(survivor) == before; }));
  }
}

// The owner is killed while the visitor connects. The visitor lives on, whatever came of it.
TEST_F(FabricFailures, OwnersThatDieDuringAnImportTakeNobodyAlong) {
  std::mt19937 random(7);
  Peer visitor(environment(secret_));
  EXPECT_PEER_OK(visitor.send("set_device", 0));
  for (int round = 0; round < rounds(); ++round) {
    SCOPED_TRACE(round);
    Peer owner(environment(secret_));
    const Bytes handle = lend(owner, kPage);
    visitor.post("import_v2", "import", handle, kFabricType);
    // Orders nothing: it only varies how far the import is when the process is killed.
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 8'000));
    owner.kill();
    const aclError code = visitor.answer().code;
    EXPECT_TRUE(code == ACL_SUCCESS || code == kDriver || code == kLost) << code;
    if (code == ACL_SUCCESS) {
      EXPECT_PEER_OK(visitor.send("free_physical", "import"));
    }
    if (code == Peer::kNoAnswer) return;
  }
}

// ---- strangers ----

// A connection to the port in a handle.
class Stranger {
 public:
  explicit Stranger(const Bytes& handle) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    constexpr size_t kPort = 64;  // behind the identity of the host and the address
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::memcpy(&address.sin_port, handle.data() + kPort, sizeof address.sin_port);
    EXPECT_EQ(0, connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address));
  }
  ~Stranger() { close(socket_); }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;

  // What comes until the other side closes the connection.
  Bytes say(const Bytes& bytes) {
    EXPECT_EQ(static_cast<ssize_t>(bytes.size()),
              send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    Bytes all;
    uint8_t part[256];
    for (ssize_t count = 0; (count = recv(socket_, part, sizeof part, 0)) > 0;)
      all.insert(all.end(), part, part + count);
    return all;
  }

 private:
  const int socket_;
};

// The header of a frame, and as many bytes as it announces; at most 64.
Bytes frame(uint16_t version, uint16_t type, uint32_t size) {
  Bytes bytes{'F', 'R', 'Y', 'F', static_cast<uint8_t>(version), 0, static_cast<uint8_t>(type), 0};
  for (int shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<uint8_t>(size >> shift));
  bytes.resize(16 + std::min(size, uint32_t{64}));
  return bytes;
}

Bytes both(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

size_t lines_with(const std::string& path, const std::string& text) {
  std::ifstream file(path);
  size_t count = 0;
  for (std::string line; std::getline(file, line);)
    count += line.find(text) != std::string::npos ? 1 : 0;
  return count;
}

TEST_F(FabricFailures, StrangersAreRefusedWithOneLineEach) {
  const std::string log = testing::TempDir() + "ferry_fabric_log_" + std::to_string(getpid());
  std::vector<std::string> variables = environment(secret_);
  variables.push_back("FERRY_LOG=warn:" + log);
  Peer owner(variables);
  const Bytes handle = lend(owner, kPage);
  constexpr uint16_t kVersion = 2;  // of the wire format
  constexpr uint16_t kHello = 1;
  constexpr uint16_t kProof = 3;
  constexpr uint16_t kOpen = 6;
  const Bytes greeting = frame(kVersion, kHello, 32);
  struct Case {
    const char* what;
    Bytes bytes;
    size_t answered;
    const char* line;
  };
  const Case cases[] = {
      {"garbage", Bytes(64, 'x'), 0, "no frame of Ferry"},
      {"another version", frame(9, kHello, 32), 0, "another version"},
      {"an oversized frame", frame(kVersion, kHello, 1u << 31), 0, "too long"},
      {"another type", frame(kVersion, 99, 0), 0, "no frame of Ferry"},
      {"a request before the proof", frame(kVersion, kOpen, 40), 0,
       "does not begin with a greeting"},
      {"a wrong secret", both(greeting, frame(kVersion, kProof, 32)), 48, "another secret"},
  };
  size_t refused = 0;
  for (const Case& each : cases) {
    SCOPED_TRACE(each.what);
    EXPECT_EQ(each.answered, Stranger(handle).say(each.bytes).size());
    ++refused;
    EXPECT_TRUE(becomes_true([&] { return lines_with(log, "fabric: refused") == refused; }));
    EXPECT_EQ(lines_with(log, each.line),
              each.line == std::string("no frame of Ferry") && refused > 1 ? 2u : 1u);
  }
  EXPECT_PEER_OK(owner.send("write", "at", 0, 100, 1));
  Peer visitor(environment(secret_));
  borrow(visitor, handle, kPage);
  EXPECT_PEER_HOLDS(visitor.send("holds", "far", 0, 100, 1));
  give_back(visitor);
  take_back(owner);
  unlink(log.c_str());
}

}  // namespace
}  // namespace conformance::fabric
