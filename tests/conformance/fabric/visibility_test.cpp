// SPDX-License-Identifier: Apache-2.0
// What the fabric reports, and bad input that does not come from a peer: secrets, ports, forks.
#include "fabric/fabric.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <fstream>

namespace conformance::fabric {
namespace {

class FabricVisibility : public Fabric {};

// The positions in the answer of fabric_counts.
enum Count { kPeers, kInUse, kLent, kPut, kGot, kRelayed, kPacked, kSignals, kLostPeers, kStaged };

std::string report_of(Peer& peer, int every) {
  const Answer told = peer.send("fabric_report", every);
  EXPECT_PEER_OK(told);
  return {told.bytes.begin(), told.bytes.end()};
}

TEST_F(FabricVisibility, CountsTellWhatWasCopied) {
  Peer owner(environment(secret_));
  Peer third(environment(secret_));
  Peer visitor(environment(secret_));
  borrow(visitor, lend(owner));
  const Bytes other = lend(third);
  EXPECT_PEER_OK(visitor.send("import_v2", "second", other, kFabricType));
  EXPECT_PEER_OK(visitor.send("reserve", "far2", kBytes));
  EXPECT_PEER_OK(visitor.send("map", "far2", 0, kBytes, "second"));
  EXPECT_PEER_OK(visitor.send("create_stream", "stream"));
  EXPECT_PEER_OK(visitor.send("write", "far", 0, 1000, 1));
  EXPECT_PEER_HOLDS(visitor.send("holds", "far", 0, 500, 1));
  Answer counts = visitor.send("fabric_counts");
  EXPECT_PEER_OK(counts);
  EXPECT_EQ(2u, counts.number(kPeers));
  EXPECT_EQ(2u, counts.number(kInUse));
  EXPECT_EQ(0u, counts.number(kLent));
  EXPECT_EQ(1000u, counts.number(kPut));
  EXPECT_EQ(500u, counts.number(kGot));
  EXPECT_EQ(0u, counts.number(kRelayed));
  EXPECT_PEER_OK(visitor.send("copy_async", "far2", 0, "far", 0, kBytes,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_PEER_OK(visitor.send("synchronize_stream", "stream"));
  counts = visitor.send("fabric_counts");
  EXPECT_EQ(kBytes, counts.number(kRelayed)) << "it went through this host";
  EXPECT_EQ(1u, owner.send("fabric_counts").number(kLent));
  third.kill();
  EXPECT_TRUE(becomes_true([&] { return visitor.send("fabric_counts").number(kLostPeers) == 1; }));
}

TEST_F(FabricVisibility, ReportsNamePeersAndTransports) {
  Peer owner(environment(secret_));
  Peer visitor(environment(secret_));
  borrow(visitor, lend(owner));
  const std::string own = report_of(visitor, 0);
  EXPECT_NE(std::string::npos,
            own.find("process " + std::to_string(visitor.pid()) + " at 127.0.0.1:"))
      << own;
  EXPECT_NE(std::string::npos, own.find("tcp/lo")) << own;
  EXPECT_NE(std::string::npos, own.find("1 opened here")) << own;
  // A process without a fabric sees those that have one.
  Peer watcher({"FERRY_DEVICES=cpu"});
  EXPECT_EQ("", report_of(watcher, 0));
  const std::string all = report_of(watcher, 1);
  for (const Peer* const peer : {&owner, &visitor}) {
    EXPECT_NE(std::string::npos, all.find("process " + std::to_string(peer->pid()) + " at "))
        << all;
  }
  EXPECT_ANSWER(kNotSupportedHere, watcher.send("fabric_counts"));
}

// ---- devices whose memory the host cannot address ----

TEST_F(FabricVisibility, MemoryOfSuchDevicesIsStaged) {
  Peer owner(environment(secret_));
  std::vector<std::string> variables = environment(secret_);
  variables.back() = "FERRY_DEVICES=ahead";
  variables.push_back(std::string("FERRY_PLUGINS=") + PLUGIN_FOLDER);
  Peer visitor(variables);
  borrow(visitor, lend(owner));
  EXPECT_PEER_OK(visitor.send("create_stream", "stream"));
  EXPECT_PEER_OK(visitor.send("allocate", "device", kBytes));
  EXPECT_PEER_OK(visitor.send("write", "device", 0, kBytes, 5));
  const uint64_t before = visitor.send("fabric_counts").number(kStaged);
  EXPECT_PEER_OK(visitor.send("copy_async", "far", 100, "device", 0, kBytes - 100,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_PEER_OK(visitor.send("synchronize_stream", "stream"));
  EXPECT_EQ(before + kBytes - 100, visitor.send("fabric_counts").number(kStaged));
  EXPECT_PEER_HOLDS(owner.send("holds", "at", 100, kBytes - 100, 5));
  EXPECT_PEER_OK(owner.send("write", "at", 0, kBytes, 6));
  EXPECT_PEER_OK(visitor.send("copy_async", "device", 0, "far", 0, kBytes,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_PEER_OK(visitor.send("synchronize_stream", "stream"));
  EXPECT_PEER_HOLDS(visitor.send("holds", "device", 0, kBytes, 6));
  EXPECT_PEER_OK(visitor.send("copy", "far", 0, "device", 0, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  owner.kill();
  EXPECT_PEER_OK(visitor.send("copy_async", "device", 0, "far", 0, kBytes,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_ANSWER(kLost, visitor.send("synchronize_stream", "stream"));
  give_back(visitor);
}

// ---- bad input ----

TEST_F(FabricVisibility, ASecretThatChangesCountsForProcessesThatStartLater) {
  const SecretFile changing("the first secret of this test");
  Peer owner(environment(changing));
  const Bytes handle = lend(owner, kPage);
  Peer before(environment(changing));
  EXPECT_PEER_OK(before.send("set_device", 0));
  std::ofstream(changing.path(), std::ios::trunc) << "quite another secret than before";
  Peer after(environment(changing));
  EXPECT_PEER_OK(after.send("set_device", 0));
  borrow(before, handle, kPage);
  EXPECT_PEER_OK(before.send("write", "far", 0, 100, 1));
  EXPECT_ANSWER(kDriver, after.send("import_v2", "import", handle, kFabricType));
  EXPECT_PEER_HOLDS(owner.send("holds", "at", 0, 100, 1));
  give_back(before);
  take_back(owner);
}

TEST_F(FabricVisibility, SecretsThatCannotBeReadAreRefused) {
  const SecretFile tooShort("short");
  for (const std::string& path : {std::string("/nowhere/secret"), std::string("/"), tooShort.path(),
                                  std::string("/dev/null")}) {
    SCOPED_TRACE(path);
    Peer peer({"FERRY_FABRIC=listen=127.0.0.1,secret=" + path, "FERRY_DEVICES=cpu"});
    const Answer refused = peer.send("set_device", 0);
    EXPECT_ANSWER(507033, refused);
    EXPECT_NE(std::string::npos, refused.text.find(path)) << refused.text;
  }
}

TEST_F(FabricVisibility, TwoProcessesCannotListenAtOnePort) {
  const int taken = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(0, bind(taken, reinterpret_cast<sockaddr*>(&address), sizeof address));
  ASSERT_EQ(0, listen(taken, 1));
  ASSERT_EQ(0, getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size));
  const std::string place = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  Peer second(environment(secret_, place));
  const Answer refused = second.send("set_device", 0);
  EXPECT_ANSWER(507033, refused);
  EXPECT_NE(std::string::npos, refused.text.find(place)) << refused.text;
  close(taken);
  Peer third(environment(secret_, place));
  EXPECT_PEER_OK(third.send("set_device", 0));
}

// Threads and sockets did not come along: the child is refused, and the parent goes on.
TEST_F(FabricVisibility, AChildCannotUseTheFabricOfItsParent) {
  Peer owner(environment(secret_));
  Peer visitor(environment(secret_));
  borrow(visitor, lend(owner));
  EXPECT_EQ(0u, visitor.send("call_in_a_child").number());
  EXPECT_PEER_OK(visitor.send("write", "far", 0, kBytes, 3));
  EXPECT_PEER_HOLDS(owner.send("holds", "at", 0, kBytes, 3));
  give_back(visitor);
  take_back(owner);
}

}  // namespace
}  // namespace conformance::fabric
