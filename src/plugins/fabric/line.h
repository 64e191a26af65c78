// SPDX-License-Identifier: Apache-2.0
// One control connection: its socket, how far its handshake is, and frames on their way.
#pragma once

#include "plugins/fabric/peer.h"
#include "plugins/fabric/sockets.h"
#include "plugins/fabric/wire.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace ferry::fabric {

class Line {
 public:
  enum class Stage { kHello, kProof, kReady, kOpen };

  Line(Socket socket, const ferryx_fabric_place& place, Stage stage)
      : socket_(std::move(socket)), place_(place), name_(in_words(place)), stage_(stage) {}

  // ---- of the control thread, and of the visiting thread until the handshake is over ----

  const Socket& socket() const { return socket_; }
  const ferryx_fabric_place& place() const { return place_; }
  const std::string& name() const { return name_; }
  FrameReader& reader() { return reader_; }
  void set_stage(Stage stage) { stage_.store(stage, std::memory_order_release); }
  const std::shared_ptr<Peer>& peer() const { return peer_; }
  void set_peer(std::shared_ptr<Peer> peer) { peer_ = std::move(peer); }

  Nonce visitor_nonce{};
  Nonce owner_nonce{};
  int64_t deadline = 0;       // of the handshake
  int64_t pinged = 0;         // when the last ping was sent
  uint64_t last_segment = 0;  // of the thread for jobs

  // ---- any thread ----

  // The peer is set before the stage becomes kOpen, and never changes then.
  Stage stage() const { return stage_.load(std::memory_order_acquire); }
  bool is_open() const { return stage() == Stage::kOpen; }

  // Never waits. False when the connection is broken, or the peer takes nothing any more.
  bool send(Frame type, View payload);
  bool flush();
  bool has_unsent() const;
  // No frame is sent any more, and threads that wait for an answer are told why.
  void end(const std::string& why);
  bool has_ended() const;

  // An answer to kOpen. The number of the request, and waiting for it.
  uint64_t expect();
  // False: `why`.
  bool await(uint64_t request, int64_t deadline, OpenedFrame& opened, std::string& why);
  // False when nobody waits for it any more.
  bool answer(OpenedFrame opened);

 private:
  struct Expected {
    bool is_there = false;
    OpenedFrame opened;
  };
  bool flush_locked();

  const Socket socket_;
  const ferryx_fabric_place place_;
  const std::string name_;
  FrameReader reader_;
  std::atomic<Stage> stage_;
  std::shared_ptr<Peer> peer_;

  mutable std::mutex mutex_;  // guards what follows, and sending
  std::condition_variable answered_;
  Bytes unsent_;
  bool has_ended_ = false;
  std::string why_;
  uint64_t last_request_ = 0;
  std::map<uint64_t, Expected> expected_;
};

}  // namespace ferry::fabric
