// SPDX-License-Identifier: Apache-2.0
// Cuts what a call asks for into requests: neighbours are merged, small blocks are packed, large
// ones are cut.
#pragma once

#include "plugins/fabric/packing.h"
#include "plugins/fabric/peer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ferry::fabric {

// Bytes of a packed request: large enough to make its message cheap, small enough that packing,
// sending and scattering overlap.
constexpr uint64_t kPackedRequest = uint64_t{256} << 10;
static_assert(kPackedRequest <= kMostPackedBytes);
// The most bytes of one request; of one that is copied once more on this host.
constexpr uint64_t kMostChunk = uint64_t{16} << 20;
constexpr uint64_t kMostStaged = uint64_t{1} << 20;
// Requests of one peer in flight.
constexpr size_t kWindow = 8;

std::vector<std::unique_ptr<Chunk>> cut(ferryx_fabric_direction direction,
                                        const ferryx_fabric_piece* pieces, size_t count);

}  // namespace ferry::fabric
