// SPDX-License-Identifier: Apache-2.0
// From recorded addresses to regions: which ranges a run needs, and where in its regions they are.
#pragma once

#include "replay/plan.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ferry::tools::replay {

/// A range of the trace. Addresses of different places are not compared: the same one can have been
/// pageable memory first and pinned memory later.
struct RecordedRange {
  Place place = Place::kPageable;
  int32_t device = -1;  // of kDevice
  uint64_t begin = 0;
  uint64_t size = 0;
};

/// First all ranges are added, then settle() places them, then spots are looked up.
class Layout {
 public:
  void add(const RecordedRange& range);
  /// False when the regions would be larger than any memory.
  bool settle(std::vector<Region>& regions);
  Spot spot_of(const RecordedRange& range) const;

 private:
  struct Cluster {  // ranges with small gaps between them
    uint64_t begin = 0;
    uint64_t end = 0;
    uint64_t offset = 0;  // of `begin`, in its region
  };
  struct Home {
    std::vector<Cluster> clusters;
    uint32_t region = 0;
  };
  static void merge(std::vector<Cluster>& clusters);

  std::map<std::pair<Place, int32_t>, Home> homes_;
};

}  // namespace ferry::tools::replay
