// SPDX-License-Identifier: Apache-2.0
// The two ways to move scattered pieces: a loop of single copies, and one batch.
#pragma once

#include "acl/acl.h"

#include <cstddef>
#include <vector>

namespace kv_offload {

// Piece i is at on_device[i] and on_host[i].
struct Pieces {
  std::vector<void*> on_device;
  std::vector<void*> on_host;
  std::vector<size_t> sizes;
};

enum class Direction { kOut, kBack };  // device to host, and back
enum class Way { kLoop, kBatch };

// Queues all pieces on a stream. Returns the code of the call that failed.
aclError queue_copies(Way way, Direction direction, Pieces& pieces, int device, aclrtStream stream);

}  // namespace kv_offload
