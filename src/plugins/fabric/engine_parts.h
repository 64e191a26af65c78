// SPDX-License-Identifier: Apache-2.0
// What the messages of the engine are made of. Used under the lock of the engine.
#pragma once

#include "plugins/fabric/engine.h"

namespace ferry::fabric {

// A message that UCX is sending: its header and bytes must stay where they are until then.
struct Engine::Send {
  Engine& engine;
  std::shared_ptr<Peer> peer;
  HeaderBytes header{};
  Chunk* chunk = nullptr;        // of a request of this process
  std::shared_ptr<Lent> kept{};  // whose memory is sent
  Buffer buffer{};
};

// Bytes that UCX is receiving.
struct Engine::Receive {
  Engine& engine;
  std::shared_ptr<Peer> peer;
  MessageHeader header;
  Message message = Message::kPut;
  Chunk* chunk = nullptr;        // of a request of this process that is being answered
  std::shared_ptr<Lent> kept{};  // whose memory is written
  Buffer buffer{};               // of a packed message
};

// A message that has come.
struct Engine::Arrival {
  std::shared_ptr<Peer> peer;
  MessageHeader header;
  void* data = nullptr;  // a descriptor if it is a rendezvous
  size_t size = 0;
  bool is_rendezvous = false;

  View view() const { return {static_cast<const uint8_t*>(data), size}; }
};

}  // namespace ferry::fabric
