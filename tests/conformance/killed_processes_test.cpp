// SPDX-License-Identifier: Apache-2.0
// Processes that are killed at every step of what they share: the other one goes on, and nothing is
// left behind. CONFORMANCE_ROUNDS says how often; more rounds find what needs luck.
#include "support/leftovers.h"
#include "support/sharing.h"

#include <cstdlib>
#include <memory>
#include <thread>

namespace conformance::virtual_memory::sharing::killed_processes_test {
namespace {

using KilledProcesses = WithSharing;

constexpr size_t kCount = 65536;  // of the bytes that are written and compared

// What one process does, in the order of the life of an object.
struct Step {
  enum Side { kExporter, kImporter };
  Side side;
  const char* what;
  // Makes the call; `bytes` is the handle, which the export leaves for the import.
  std::function<Answer(Peer& peer, Bytes& bytes)> run;
};

Step command(Step::Side side, const char* what, std::function<Answer(Peer&)> run) {
  return {side, what, [run = std::move(run)](Peer& peer, Bytes&) { return run(peer); }};
}

// A life, and how the one that is left shows that it goes on.
struct Life {
  const char* name;
  std::vector<Step> steps;
  // Called when the other process is gone, with the number of steps that were made. Neither waits
  // for ever nor fails in a way that the contract does not allow.
  std::function<void(Peer& exporter, const Bytes& bytes)> exporter_goes_on;
  std::function<void(Peer& importer, const Bytes& bytes, bool has_imported)> importer_goes_on;
};

constexpr Step::Side kExporter = Step::kExporter;
constexpr Step::Side kImporter = Step::kImporter;

int rounds() {
  const char* const text = std::getenv("CONFORMANCE_ROUNDS");
  return text == nullptr ? 1 : std::atoi(text);
}

// Two processes in one life.
class Pair {
 public:
  Pair(const Life& life, const std::vector<std::string>& environment)
      : life_(life),
        peers_{std::make_unique<Peer>(environment), std::make_unique<Peer>(environment)} {
    for (const auto& peer : peers_)
      EXPECT_PEER_OK(peer->send("set_device", 0));
  }

  // Makes the steps before this number.
  void live_until(size_t end) {
    for (size_t i = 0; i < end; ++i) {
      SCOPED_TRACE(life_.steps[i].what);
      const Step& step = life_.steps[i];
      EXPECT_PEER_OK(step.run(*peers_[step.side], bytes_));
      has_imported_ |= std::strstr(step.what, "import") != nullptr;
    }
  }
  // Kills one; the other goes on, and ends in order.
  void kill(Step::Side victim) {
    const std::vector<pid_t> pids = {peers_[0]->pid(), peers_[1]->pid()};
    peers_[victim]->kill();
    EXPECT_TRUE(left_nothing({pids[victim]}));
    if (victim == kImporter) {
      life_.exporter_goes_on(*peers_[kExporter], bytes_);
    } else {
      life_.importer_goes_on(*peers_[kImporter], bytes_, has_imported_);
    }
    EXPECT_EQ(0, peers_[1 - victim]->end()) << "the other process did not end in order";
    EXPECT_TRUE(left_nothing(pids));
  }

 private:
  const Life& life_;
  std::unique_ptr<Peer> peers_[2];
  Bytes bytes_;
  bool has_imported_ = false;
};

void survive(const Life& life) {
  const PrivateFolders folders;
  for (int round = 0; round < rounds(); ++round) {
    for (size_t end = 0; end <= life.steps.size(); ++end) {
      for (const Step::Side victim : {kExporter, kImporter}) {
        SCOPED_TRACE(std::string(life.name) + ": " + std::to_string(end) + " steps, then the " +
                     (victim == kExporter ? "exporter" : "importer") + " is killed");
        Pair pair(life, folders.environment());
        pair.live_until(end);
        pair.kill(victim);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

Bytes kept(const Answer& answer) {
  EXPECT_PEER_OK(answer);
  return answer.bytes;
}

// ---- physical memory ----

std::vector<Step> physical_steps(int type) {
  return {
      command(kExporter, "allocate",
              [](Peer& peer) { return peer.send("allocate_physical", "h", kGranule, 1, 0, 4); }),
      command(kExporter, "reserve", [](Peer& peer) { return peer.send("reserve", "a", kGranule); }),
      command(kExporter, "map", [](Peer& peer) { return peer.send("map", "a", 0, kGranule, "h"); }),
      command(kExporter, "write", [](Peer& peer) { return peer.send("write", "a", 0, kCount, 1); }),
      {kExporter, "export",
       [type](Peer& peer, Bytes& bytes) {
         const Answer answer =
             type == 0 ? peer.send("export_v1", "h", 1) : peer.send("export_v2", "h", 1, type);
         bytes = answer.bytes;
         return answer;
       }},
      {kImporter, "import",
       [type](Peer& peer, Bytes& bytes) {
         return type == 0 ? peer.send("import_v1", "h", bytes, 0)
                          : peer.send("import_v2", "h", bytes, type);
       }},
      command(kImporter, "reserve", [](Peer& peer) { return peer.send("reserve", "a", kGranule); }),
      command(kImporter, "map", [](Peer& peer) { return peer.send("map", "a", 0, kGranule, "h"); }),
      command(kImporter, "write", [](Peer& peer) { return peer.send("write", "a", 0, kCount, 1); }),
      command(kImporter, "unmap", [](Peer& peer) { return peer.send("unmap", "a", 0); }),
      command(kExporter, "unmap", [](Peer& peer) { return peer.send("unmap", "a", 0); }),
      command(kExporter, "map again",
              [](Peer& peer) { return peer.send("map", "a", 0, kGranule, "h"); }),
  };
}

// The exporter has all it had, and others can import what the killed one had.
void physical_exporter_goes_on(Peer& exporter, const Bytes& bytes) {
  if (bytes.empty()) return;
  exporter.send("map", "a", 0, kGranule, "h");  // refused where it is mapped
  EXPECT_PEER_HOLDS(exporter.send("holds", "a", 0, kCount, 1));
  ReadyPeer next;
  next.import_and_map(bytes);
  EXPECT_PEER_HOLDS(next.send("holds", "a", 0, kCount, 1));
  EXPECT_PEER_OK(next.send("write", "a", 0, 64, 2));
  EXPECT_PEER_HOLDS(exporter.send("holds", "a", 0, 64, 2));
  next.unmap_and_free();
  const uint64_t free = exporter.send("memory_info").number();
  EXPECT_PEER_OK(exporter.send("unmap", "a", 0));
  EXPECT_PEER_OK(exporter.send("free_physical", "h"));
  EXPECT_TRUE(becomes_true([&] {
    return exporter.send("memory_info").number() == free + kGranule;
  })) << "the memory has not returned";
}

void physical_importer_goes_on(Peer& importer, const Bytes& bytes, bool has_imported) {
  if (bytes.empty()) return;
  const bool is_fabric = bytes.size() == kFabricSize;
  if (has_imported) {
    importer.send("reserve", "b", kGranule);
    EXPECT_PEER_OK(importer.send("map", "b", 0, kGranule, "h"));
    EXPECT_PEER_HOLDS(importer.send("holds", "b", 0, kCount, 1));
    EXPECT_PEER_OK(importer.send("write", "b", 0, kCount, 2));
    EXPECT_PEER_HOLDS(importer.send("holds", "b", 0, kCount, 2));
    EXPECT_PEER_OK(importer.send("unmap", "b", 0));
    EXPECT_PEER_OK(importer.send("free_physical", "h"));
  }
  ReadyPeer next;
  EXPECT_ANSWER(kBadHandle, is_fabric ? next.send("import_v2", "x", bytes, kFabricType)
                                      : next.send("import_v1", "x", bytes, 0));
}

TEST_F(KilledProcesses, WithPhysicalMemory) {
  for (const int type : {0, kDefaultType, kFabricType}) {
    if (type == kDefaultType && rounds() == 1) continue;  // found as the numbers of type 0 are
    survive({"physical memory", physical_steps(type), physical_exporter_goes_on,
             physical_importer_goes_on});
  }
}

// ---- keys ----

std::vector<Step> key_steps() {
  return {
      command(kExporter, "allocate",
              [](Peer& peer) { return peer.send("allocate", "a", kGranule); }),
      command(kExporter, "write", [](Peer& peer) { return peer.send("write", "a", 0, kCount, 1); }),
      {kExporter, "export",
       [](Peer& peer, Bytes& bytes) {
         const Answer answer = peer.send("export_key", "a", 0, kGranule, 1);
         bytes = answer.bytes;
         return answer;
       }},
      {kImporter, "import",
       [](Peer& peer, Bytes& bytes) { return peer.send("import_key", "a", bytes, 1); }},
      command(kImporter, "write", [](Peer& peer) { return peer.send("write", "a", 0, kCount, 1); }),
      {kImporter, "import again",
       [](Peer& peer, Bytes& bytes) { return peer.send("import_key", "a", bytes, 1); }},
      {kImporter, "close one",
       [](Peer& peer, Bytes& bytes) { return peer.send("close_key", bytes); }},
  };
}

void key_exporter_goes_on(Peer& exporter, const Bytes& key) {
  if (key.empty()) return;
  EXPECT_PEER_HOLDS(exporter.send("holds", "a", 0, kCount, 1));
  ReadyPeer next;
  EXPECT_PEER_OK(next.send("import_key", "a", key, 0));
  EXPECT_PEER_HOLDS(next.send("holds", "a", 0, kCount, 1));
  EXPECT_PEER_OK(next.send("close_key", key));
  EXPECT_PEER_OK(exporter.send("close_key", key));
  const uint64_t free = exporter.send("memory_info").number();
  EXPECT_PEER_OK(exporter.send("free", "a"));
  EXPECT_TRUE(becomes_true([&] { return exporter.send("memory_info").number() > free; }))
      << "the memory has not returned";
}

void key_importer_goes_on(Peer& importer, const Bytes& key, bool has_imported) {
  if (key.empty()) return;
  if (has_imported) {
    EXPECT_PEER_HOLDS(importer.send("holds", "a", 0, kCount, 1));
    EXPECT_PEER_OK(importer.send("write", "a", 0, kCount, 2));
    EXPECT_PEER_HOLDS(importer.send("holds", "a", 0, kCount, 2));
    EXPECT_PEER_OK(importer.send("close_key", key));
  }
  ReadyPeer next;
  EXPECT_ANSWER(kRefused, next.send("import_key", "a", key, 0));
}

TEST_F(KilledProcesses, WithKeys) {
  survive({"keys", key_steps(), key_exporter_goes_on, key_importer_goes_on});
}

// ---- events ----

std::vector<Step> event_steps() {
  return {
      command(kExporter, "stream", [](Peer& peer) { return peer.send("create_stream", "s"); }),
      command(kImporter, "stream", [](Peer& peer) { return peer.send("create_stream", "s"); }),
      command(kExporter, "create",
              [](Peer& peer) { return peer.send("create_event", "e", ACL_EVENT_IPC); }),
      {kExporter, "export",
       [](Peer& peer, Bytes& bytes) {
         const Answer answer = peer.send("event_handle", "e");
         bytes = answer.bytes;
         return answer;
       }},
      {kImporter, "import",
       [](Peer& peer, Bytes& bytes) { return peer.send("open_event", "e", bytes); }},
      command(kExporter, "record", [](Peer& peer) { return peer.send("record", "e", "s"); }),
      command(kImporter, "wait", [](Peer& peer) { return peer.send("wait_event", "s", "e"); }),
      command(kImporter, "synchronise",
              [](Peer& peer) { return peer.send("synchronize_stream", "s"); }),
      command(kExporter, "gate", [](Peer& peer) { return peer.send("gate", "g", "s"); }),
      command(kExporter, "record pending",
              [](Peer& peer) { return peer.send("record", "e", "s"); }),
      command(kImporter, "wait pending",
              [](Peer& peer) { return peer.send("wait_event", "s", "e"); }),
      command(kImporter, "record behind it",
              [](Peer& peer) { return peer.send("record", "e", "s"); }),
      command(kExporter, "open", [](Peer& peer) { return peer.send("open_gate", "g"); }),
  };
}

// Whatever was pending, waits end; then the event works among those that are left.
void event_goes_on(Peer& peer) {
  peer.send("synchronize_event", "e");
  peer.send("synchronize_stream", "s");
  EXPECT_PEER_OK(peer.send("record", "e", "s"));
  EXPECT_PEER_OK(peer.send("synchronize_event", "e"));
  EXPECT_PEER_OK(peer.send("wait_event", "s", "e"));
  EXPECT_PEER_OK(peer.send("synchronize_stream", "s"));
  EXPECT_PEER_OK(peer.send("destroy_event", "e"));
  EXPECT_PEER_OK(peer.send("destroy_stream", "s"));
}

TEST_F(KilledProcesses, WithEvents) {
  survive({"events", event_steps(),
           [](Peer& exporter, const Bytes& bytes) {
             if (bytes.empty()) return;
             EXPECT_PEER_OK(exporter.send("open_gate", "g"));  // if there is one
             ReadyPeer next;
             EXPECT_PEER_OK(next.send("create_stream", "s"));
             EXPECT_PEER_OK(next.send("open_event", "e", bytes));
             EXPECT_PEER_OK(next.send("record", "e", "s"));
             EXPECT_PEER_OK(exporter.send("synchronize_event", "e"));
             event_goes_on(exporter);
           },
           [](Peer& importer, const Bytes& bytes, bool has_imported) {
             if (bytes.empty()) return;
             if (has_imported) event_goes_on(importer);
             ReadyPeer next;
             EXPECT_ANSWER(kBadHandle, next.send("open_event", "e", bytes));
           }});
}

// ---- notifies ----

std::vector<Step> notify_steps() {
  return {
      command(kExporter, "stream", [](Peer& peer) { return peer.send("create_stream", "s"); }),
      command(kImporter, "stream", [](Peer& peer) { return peer.send("create_stream", "s"); }),
      command(kExporter, "create", [](Peer& peer) { return peer.send("create_notify", "n"); }),
      {kExporter, "export",
       [](Peer& peer, Bytes& bytes) {
         const Answer answer = peer.send("notify_key", "n", 2);
         bytes = answer.bytes;
         return answer;
       }},
      {kImporter, "import",
       [](Peer& peer, Bytes& bytes) { return peer.send("import_notify", "n", bytes, 2); }},
      command(kExporter, "wait", [](Peer& peer) { return peer.send("wait_notify", "n", "s"); }),
      command(kImporter, "record", [](Peer& peer) { return peer.send("record_notify", "n", "s"); }),
      command(kImporter, "synchronise",
              [](Peer& peer) { return peer.send("synchronize_stream", "s"); }),
      command(kExporter, "synchronise",
              [](Peer& peer) { return peer.send("synchronize_stream", "s"); }),
  };
}

TEST_F(KilledProcesses, WithNotifies) {
  survive({"notifies", notify_steps(),
           [](Peer& exporter, const Bytes& bytes) {
             if (bytes.empty()) return;
             // A wait may be pending: another process gives the signal.
             ReadyPeer next;
             EXPECT_PEER_OK(next.send("create_stream", "s"));
             EXPECT_PEER_OK(next.send("import_notify", "n", bytes, 0));
             EXPECT_PEER_OK(next.send("record_notify", "n", "s"));
             EXPECT_PEER_OK(next.send("synchronize_stream", "s"));
             EXPECT_PEER_OK(exporter.send("synchronize_stream", "s"));
             EXPECT_PEER_OK(exporter.send("destroy_notify", "n"));
           },
           [](Peer& importer, const Bytes& bytes, bool has_imported) {
             if (bytes.empty()) return;
             if (has_imported) {
               importer.send("record_notify", "n", "s");  // to nobody
               importer.send("synchronize_stream", "s");
               EXPECT_PEER_OK(importer.send("synchronize_stream", "s"));
               EXPECT_PEER_OK(importer.send("destroy_notify", "n"));
             }
             ReadyPeer next;
             EXPECT_ANSWER(kRefused, next.send("import_notify", "n", bytes, 0));
           }});
}

// ---- in the middle of a call ----

// The victim is killed while it is in a call; where exactly, chance decides.
TEST_F(KilledProcesses, InsideACall) {
  const PrivateFolders folders;
  DeviceBuffer device(kGranule);
  device.write(pattern(kCount, 1));
  const Bytes key = export_key(device.get(), kGranule);
  const Offered offered;
  const Bytes handle = export_v2(offered.handle());
  const size_t before = free_bytes();
  for (int round = 0; round < 8 * rounds(); ++round) {
    Peer peer(folders.environment());
    EXPECT_PEER_OK(peer.send("set_device", 0));
    const pid_t pid = peer.pid();
    if (round % 2 == 0) {
      peer.post("import_key", "a", key, 1);
    } else {
      peer.post("import_v2", "h", handle, kFabricType);
    }
    if (round % 4 < 2) peer.has_answered();
    peer.kill();
    EXPECT_TRUE(left_nothing({pid}));
  }
  ReadyPeer next;
  EXPECT_PEER_OK(next.send("import_key", "a", key, 1));
  EXPECT_PEER_HOLDS(next.send("holds", "a", 0, kCount, 1));
  EXPECT_PEER_OK(next.send("import_v2", "h", handle, kFabricType));
  EXPECT_EQ(before, free_bytes());
}

// Bytes are moving in and out of the shared memory when the exporter is killed.
TEST_F(KilledProcesses, DuringCopies) {
  const PrivateFolders folders;
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  for (int round = 0; round < 2 * rounds(); ++round) {
    Peer exporter(folders.environment());
    EXPECT_PEER_OK(exporter.send("set_device", 0));
    EXPECT_PEER_OK(exporter.send("allocate", "a", 16 * kGranule));
    EXPECT_PEER_OK(exporter.send("write", "a", 0, 16 * kGranule, 1));
    const Bytes key = kept(exporter.send("export_key", "a", 0, 16 * kGranule, 1));
    void* address = nullptr;
    ASSERT_OK(aclrtIpcMemImportByKey(&address, text_of(key), 1));
    exporter.post("write", "a", 0, 16 * kGranule, 1);
    std::thread reader([&] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      EXPECT_TRUE(holds(address, 16 * kGranule, 1));
    });
    exporter.kill();
    reader.join();
    EXPECT_TRUE(holds(address, 16 * kGranule, 1));
    EXPECT_OK(aclrtIpcMemClose(text_of(key)));
  }
}

}  // namespace
}  // namespace conformance::virtual_memory::sharing::killed_processes_test
