// SPDX-License-Identifier: Apache-2.0
// A process of another host that has proven the secret, and what travels between it and this one.
#pragma once

#include "layers/fabric/fabric_plugin.h"
#include "plugins/fabric/buffers.h"
#include "plugins/fabric/packing.h"
#include "plugins/fabric/wire.h"

#include <ucp/api/ucp.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ferry::fabric {

class Engine;
struct Peer;

// An object of this process that a peer has open. Its memory, if it is memory, stays mapped as long
// as a message uses it. Released by the thread that may call the library, never under a lock.
struct Lent {
  explicit Lent(const ferryx_fabric_services& with) : services(with) {}
  ~Lent();
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  // False, with a reason in errno, when the system refuses.
  bool map(int file, uint64_t offset, uint64_t length);
  bool holds(uint64_t offset, uint64_t length) const { return is_inside(size, offset, length); }

  const ferryx_fabric_services& services;
  void* object = nullptr;
  uint8_t* memory = nullptr;  // nullptr: it is a notify
  uint64_t size = 0;
  bool is_open =
      false;  // its peer has it open, so it has a reference; guarded by the engine's lock
};

// What a call of the library has asked for. It is done when all its chunks are over.
struct Transfer {
  ferryx_fabric_done done = nullptr;
  void* argument = nullptr;
  size_t chunks_left = 0;
  int code = 0;
  std::string text;
};

struct LocalPart {
  uint8_t* local = nullptr;
  uint64_t size = 0;
  bool is_unsure = false;
};

// One request to a peer.
struct Chunk {
  Transfer* transfer = nullptr;
  std::shared_ptr<Peer> peer;
  Message message{};
  uint64_t request = 0;
  uint64_t segment = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
  uint32_t value = 0;
  uint32_t width = 0;
  LocalPart local;                // of one block
  std::vector<Part> parts;        // of a packed request
  std::vector<LocalPart> locals;  // of its parts
  Buffer staged;                  // bytes on their way, if they are not sent from where they are
  // Invariant: a chunk is over when it was answered, or has failed, and UCX uses nothing of it.
  bool is_answered = false;
  uint32_t in_ucx = 0;
};

// A question to an object of a peer that was not answered yet.
struct PendingCall {
  ferryx_fabric_answered answered = nullptr;
  void* argument = nullptr;
};

// Guarded by the lock of the engine, unless it says otherwise.
struct Peer {
  Peer(Engine& of, std::string place, const Token& its_token)
      : engine(of), name(std::move(place)), token(its_token) {}

  Engine& engine;
  const std::string name;  // address and port
  const Token token;
  std::atomic<uint64_t> packed_block{kUsualPackedBlock};  // the largest that travels packed
  std::atomic<int64_t> heard{0};  // when anything came, in nanoseconds of the steady clock
  ucp_ep_h endpoint = nullptr;
  bool is_lost = false;
  std::string loss;  // why
  std::map<uint64_t, std::shared_ptr<Lent>> lent;
  uint64_t openings = 0;  // of this process
  uint64_t last_request = 0;
  std::unordered_map<uint64_t, Chunk*> sent;        // by request
  std::deque<Chunk*> waiting;                       // for room in the window
  std::unordered_map<uint64_t, PendingCall> calls;  // by request
  uint64_t questions = 0;                           // of the peer that were not answered yet
  uint64_t bytes_put = 0;
  uint64_t bytes_got = 0;
};

}  // namespace ferry::fabric

// A question of a peer, until it is answered.
struct ferryx_fabric_call {
  std::weak_ptr<ferry::fabric::Peer> peer;
  uint64_t request = 0;
};

// An object of a peer that this process has open.
struct ferryx_fabric_opening {
  std::shared_ptr<ferry::fabric::Peer> peer;
  uint64_t segment = 0;
  uint64_t size = 0;
  ferryx_fabric* fabric = nullptr;
};
