// SPDX-License-Identifier: Apache-2.0
// Up to which size blocks travel packed. A packed block is copied once more on each side; a block
// of its own costs a request. Both costs are measured, the request's for each peer.
#pragma once

#include "plugins/fabric/wire.h"

#include <algorithm>
#include <cstdint>

namespace ferry::fabric {

// Until a peer was measured.
constexpr uint64_t kUsualPackedBlock = uint64_t{16} << 10;
// A measurement on a busy machine may be far off: these bounds limit the harm.
constexpr uint64_t kLeastPackedBlock = uint64_t{2} << 10;
constexpr uint64_t kMostPackedBlock = uint64_t{64} << 10;

// Packing copies each byte twice: it is worth it while that takes less time than a request.
constexpr uint64_t packed_block_for(double request_nanoseconds, double nanoseconds_per_byte) {
  if (request_nanoseconds <= 0 || nanoseconds_per_byte <= 0) return kUsualPackedBlock;
  const double most = request_nanoseconds / (2 * nanoseconds_per_byte);
  if (most >= static_cast<double>(kMostPackedBlock)) return kMostPackedBlock;
  return std::max(static_cast<uint64_t>(most), kLeastPackedBlock);
}

// What copying a byte of a large buffer takes here, in nanoseconds.
double measure_copying();

}  // namespace ferry::fabric
