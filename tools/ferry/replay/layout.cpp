// SPDX-License-Identifier: Apache-2.0
// Merges recorded ranges and places them in regions.
#include "replay/layout.h"

#include <algorithm>
#include <utility>

namespace ferry::tools::replay {
namespace {

// Ranges that are closer than this keep their distance. Larger gaps are left out.
constexpr uint64_t kGapKept = 64 << 10;
// Between clusters, so that separate ranges do not become neighbours. Also, each address keeps its
// place in a page.
constexpr uint64_t kPage = 4096;
// More than an address space has.
constexpr uint64_t kMostRegionBytes = uint64_t{1} << 47;

}  // namespace

void Layout::add(const RecordedRange& range) {
  std::vector<Cluster>& clusters = homes_[{range.place, range.device}].clusters;
  clusters.push_back({range.begin, range.begin + range.size, 0});
  // A loop over the same buffers adds the same ranges again and again.
  constexpr size_t kUnmerged = size_t{1} << 20;
  if (clusters.size() % kUnmerged == 0) merge(clusters);
}

void Layout::merge(std::vector<Cluster>& clusters) {
  std::sort(clusters.begin(), clusters.end(),
            [](const Cluster& a, const Cluster& b) { return a.begin < b.begin; });
  size_t last = 0;
  for (size_t i = 1; i < clusters.size(); ++i) {
    if (clusters[i].begin <= clusters[last].end ||
        clusters[i].begin - clusters[last].end <= kGapKept) {
      clusters[last].end = std::max(clusters[last].end, clusters[i].end);
    } else {
      clusters[++last] = clusters[i];
    }
  }
  clusters.resize(std::min(clusters.size(), last + 1));
}

bool Layout::settle(std::vector<Region>& regions) {
  for (auto& [key, home] : homes_) {
    merge(home.clusters);
    uint64_t cursor = 0;
    for (Cluster& cluster : home.clusters) {
      cluster.offset = cursor + cluster.begin % kPage;
      const uint64_t end = cluster.offset + (cluster.end - cluster.begin);
      if (end > kMostRegionBytes) return false;
      cursor = (end + 2 * kPage - 1) / kPage * kPage;
    }
    home.region = static_cast<uint32_t>(regions.size());
    regions.push_back({key.first, std::max(key.second, 0), cursor});
  }
  return true;
}

Spot Layout::spot_of(const RecordedRange& range) const {
  const Home& home = homes_.at({range.place, range.device});
  const auto after = std::upper_bound(
      home.clusters.begin(), home.clusters.end(), range.begin,
      [](uint64_t begin, const Cluster& cluster) { return begin < cluster.begin; });
  const Cluster& cluster = *(after - 1);
  return {home.region, cluster.offset + (range.begin - cluster.begin)};
}

}  // namespace ferry::tools::replay
