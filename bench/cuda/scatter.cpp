// SPDX-License-Identifier: Apache-2.0
// Random places, the same in every run.
#include "bench/cuda/scatter.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>

namespace ferry::bench::cuda {
namespace {

std::vector<size_t> shuffled_places(size_t room, std::mt19937& random) {
  std::vector<size_t> places(room);
  std::iota(places.begin(), places.end(), size_t{0});
  std::shuffle(places.begin(), places.end(), random);
  return places;
}

}  // namespace

std::vector<Layout> scattered_sets(size_t sets, size_t count, size_t block_bytes,
                                   size_t pool_bytes) {
  std::mt19937 random(static_cast<uint32_t>(count + block_bytes));
  const std::vector<size_t> from = shuffled_places(pool_bytes / block_bytes, random);
  const std::vector<size_t> to = shuffled_places(pool_bytes / block_bytes, random);
  std::vector<Layout> layouts;
  for (size_t set = 0; set < sets; ++set) {
    Layout& layout = layouts.emplace_back(Layout{block_bytes, pool_bytes, {}, {}});
    for (size_t i = set * count; i < (set + 1) * count; ++i) {
      layout.from.push_back(from[i] * block_bytes);
      layout.to.push_back(to[i] * block_bytes);
    }
  }
  return layouts;
}

size_t pool_bytes_for(size_t moved_bytes, size_t cache_bytes, size_t most_bytes) {
  constexpr size_t kTimesCache = 5;
  constexpr size_t kMebi = size_t{1} << 20;  // a multiple of every block
  const size_t wanted = std::max(kTimesCache * cache_bytes, 2 * moved_bytes);
  return std::min((wanted + kMebi - 1) / kMebi * kMebi, most_bytes);
}

}  // namespace ferry::bench::cuda
