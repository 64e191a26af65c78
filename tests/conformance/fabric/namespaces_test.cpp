// SPDX-License-Identifier: Apache-2.0
// Two network namespaces with addresses of their own stand for two hosts: processes that share no
// socket but those of the fabric, and a cable that can be pulled.
#include "fabric/fabric.h"

#include <cstdlib>

namespace conformance::fabric {
namespace {

bool run(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
}

// Two namespaces with a cable between them. They go with the test.
class TwoHosts {
 public:
  static constexpr const char* kFirstAddress = "10.231.97.1";
  static constexpr const char* kSecondAddress = "10.231.97.2";

  TwoHosts() {
    is_there_ =
        run("ip netns add " + first_) && run("ip netns add " + second_) &&
        run("ip -n " + first_ + " link add cable type veth peer name cable netns " + second_) &&
        raise(first_, kFirstAddress) && raise(second_, kSecondAddress) &&
        becomes_true([&] { return is_up(first_) && is_up(second_); });
  }
  ~TwoHosts() {
    run("ip netns del " + first_);
    run("ip netns del " + second_);
  }
  TwoHosts(const TwoHosts&) = delete;
  TwoHosts& operator=(const TwoHosts&) = delete;

  bool is_there() const { return is_there_; }
  const std::string& first() const { return first_; }
  const std::string& second() const { return second_; }
  bool pull_the_cable() const { return run("ip -n " + first_ + " link set cable down"); }

 private:
  // UCX uses no device that is not up yet.
  static bool is_up(const std::string& space) {
    return run("ip netns exec " + space + " grep -q up /sys/class/net/cable/operstate");
  }
  static bool raise(const std::string& space, const std::string& address) {
    return run("ip -n " + space + " address add " + address + "/24 dev cable") &&
           run("ip -n " + space + " link set cable up") &&
           run("ip -n " + space + " link set lo up");
  }

  const std::string first_ = "ferry-a-" + std::to_string(getpid());
  const std::string second_ = "ferry-b-" + std::to_string(getpid());
  bool is_there_ = false;
};

class FabricNamespaces : public Fabric {
 protected:
  void SetUp() override {
    Fabric::SetUp();
    if (IsSkipped()) return;
    if (!hosts_.is_there()) {
      GTEST_SKIP() << "needs the right to make network namespaces (ip netns, root)";
    }
    owner_ =
        std::make_unique<Peer>(environment(secret_, TwoHosts::kFirstAddress, ""), hosts_.first());
    visitor_ =
        std::make_unique<Peer>(environment(secret_, TwoHosts::kSecondAddress, ""), hosts_.second());
  }
  // Processes end before their namespaces.
  void TearDown() override {
    visitor_.reset();
    owner_.reset();
  }

  const TwoHosts hosts_;
  std::unique_ptr<Peer> owner_;
  std::unique_ptr<Peer> visitor_;
};

TEST_F(FabricNamespaces, MemoryAndNotifiesCross) {
  borrow(*visitor_, lend(*owner_));
  if (HasFailure()) return;
  for (Peer* const peer : {owner_.get(), visitor_.get()}) {
    EXPECT_PEER_OK(peer->send("create_stream", "stream"));
    EXPECT_PEER_OK(peer->send("allocate", "device", kBytes));
  }
  EXPECT_PEER_OK(owner_->send("create_notify", "notify"));
  const Answer key = owner_->send("notify_key", "notify", 2);
  EXPECT_PEER_OK(key);
  EXPECT_PEER_OK(visitor_->send("import_notify", "notify", key.bytes, 0));
  EXPECT_PEER_OK(visitor_->send("write", "device", 0, kBytes, 3));
  // Copy, then signal: the owner's stream sees all bytes behind its wait.
  EXPECT_PEER_OK(owner_->send("wait_notify", "notify", "stream"));
  EXPECT_PEER_OK(owner_->send("copy_async", "device", 0, "at", 0, kBytes,
                              ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_PEER_OK(visitor_->send("copy_async", "far", 0, "device", 0, kBytes,
                                ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_PEER_OK(visitor_->send("record_notify", "notify", "stream"));
  EXPECT_PEER_OK(owner_->send("synchronize_stream", "stream"));
  EXPECT_PEER_HOLDS(owner_->send("holds", "device", 0, kBytes, 3));
  EXPECT_PEER_OK(visitor_->send("synchronize_stream", "stream"));
  EXPECT_PEER_HOLDS(visitor_->send("holds", "far", 0, kBytes, 3));
  EXPECT_PEER_OK(visitor_->send("destroy_notify", "notify"));
  give_back(*visitor_);
  take_back(*owner_);
}

TEST_F(FabricNamespaces, WithoutAConnectionCopiesFailInTime) {
  EXPECT_PEER_OK(owner_->send("set_device", 0));
  const uint64_t before = free_bytes_of(*owner_);
  borrow(*visitor_, lend(*owner_));
  EXPECT_PEER_OK(visitor_->send("create_stream", "stream"));
  EXPECT_PEER_OK(visitor_->send("allocate", "device", kBytes));
  EXPECT_PEER_OK(visitor_->send("write", "far", 0, 1000, 1));
  ASSERT_TRUE(hosts_.pull_the_cable());
  EXPECT_PEER_OK(visitor_->send("copy_async", "device", 0, "far", 0, kBytes,
                                ACL_MEMCPY_DEVICE_TO_DEVICE, "stream"));
  EXPECT_ANSWER(kLost, visitor_->send("synchronize_stream", "stream"));
  take_back(*owner_);
  EXPECT_TRUE(becomes_true([&] { return free_bytes_of(*owner_) == before; }));
  give_back(*visitor_);
}

}  // namespace
}  // namespace conformance::fabric
