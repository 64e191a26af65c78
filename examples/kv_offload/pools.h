// SPDX-License-Identifier: Apache-2.0
// The memory: a KV cache on the device, one tensor per layer, and a pool in pinned host memory.
// Both can be filled with known bytes and compared with them; nothing here is measured.
#pragma once

#include "transfer.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kv_offload {

struct Shape {
  size_t layers;
  size_t blocks;       // moved per round
  size_t block_bytes;  // of one layer
};

// Where the blocks of one round are. Block i is moved from device block `sources[i]` to host slot
// `slots[i]` and back to device block `targets[i]`.
struct Route {
  std::vector<size_t> sources;
  std::vector<size_t> slots;
  std::vector<size_t> targets;
};

// Not thread-safe. The device must be set for as long as the object lives.
class Pools {
 public:
  explicit Pools(const Shape& shape);
  ~Pools();
  Pools(const Pools&) = delete;
  Pools& operator=(const Pools&) = delete;

  // Blocks in each pool: more than are moved, so that a block in the wrong place is detected.
  size_t room() const { return room_; }

  // The pieces of a round: one per block and layer.
  Pieces pieces(const std::vector<size_t>& device_blocks, const std::vector<size_t>& slots) const;

  // Fills the device with bytes that differ for every layer, block and version; wipes the host.
  void prepare_out(uint64_t version);
  // Wipes the device, so that only copies can bring the bytes back.
  void prepare_back();

  // Compare a whole pool. Return "" or the first difference.
  std::string compare_host(uint64_t version, const Route& route) const;
  std::string compare_device(uint64_t version, const Route& route) const;

 private:
  char* device_address(size_t layer, size_t block) const;
  char* host_address(size_t layer, size_t slot) const;
  std::string compare(const char* bytes, uint64_t version, size_t layer, size_t block) const;

  Shape shape_;
  size_t room_;
  std::vector<char*> layers_;  // on the device
  char* host_ = nullptr;
  char* staging_ = nullptr;  // pinned: one layer
};

}  // namespace kv_offload
