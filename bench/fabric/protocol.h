// SPDX-License-Identifier: Apache-2.0
// What the benchmark asks of its peer. Both sides are programs of the same version.
#pragma once

#include "bench/transfer.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ferry::bench::fabric {

/// Memory of each side that the other copies from and to.
constexpr size_t kPoolBytes = size_t{64} << 20;

/// Which pair of memories: of the raw loops, or what Ferry exports.
enum class Pool : uint32_t { kRaw, kFerry };

/// Blocks at random places, or one block at the start.
struct Shape {
  uint64_t count;
  uint64_t block_bytes;
};
Layout layout_of(const Shape& shape);

enum class Ask : uint32_t {
  kHello,           // answer: the version of the peer
  kOpenRaw,         // payload: our card; answer: the peer's
  kServeRaw,        // the peer answers raw operations from now on
  kRestRaw,         // and no more
  kOpenFerry,       // payload: our notify's key; answer: handle and key (FerryCard)
  kFill,            // the peer fills the source blocks of a copy to here
  kVerify,          // and checks the target blocks of a copy from here
  kAnswerNotifies,  // the peer waits for its notify and records ours, from now on
  kStopNotifies,    // answer: how often it will have done so (uint64_t)
  kEnd              // the benchmark is over
};

struct Request {
  Ask ask;
  Pool pool;
  Shape shape;
  uint64_t seed;
};

/// What the peer exports.
struct FerryCard {
  char handle[128];
  char notify_key[65];
};

/// An answer is a text that begins with kGood, or why the request failed.
constexpr char kGood = '+';
constexpr char kFailed = '-';

/// Fills the source blocks of `layout` with bytes that `seed` decides.
void fill_blocks(const Layout& layout, uint64_t seed, std::byte* memory);
/// Throws when a target block is not what fill_blocks() wrote to its source.
void verify_blocks(const Layout& layout, uint64_t seed, const std::byte* memory);

}  // namespace ferry::bench::fabric
