// SPDX-License-Identifier: Apache-2.0
// What the tap and the writer thread both know of queues and markers.
#pragma once

#include "layers/trace/marker_numbers.h"
#include "layers/trace/records.h"

#include "ferry/backend.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ferry::layers::trace {

struct QueueLane {
  int32_t device = 0;
  int32_t stream = -1;
};

struct GoneQueue {
  const ferryx_queue* queue;
  int64_t end;
  QueueLane lane;
};

// The queues of the trace, by address and time: an address can be used again. An entry stays for a
// while after the end of its queue, because works and spans are read later than they are noted.
// May be shared between threads.
class KnownQueues {
 public:
  void clear();
  // Without memory the queue stays unknown, and its work is left out.
  void add(const ferryx_queue* queue, int32_t device, int32_t stream) noexcept;
  void end(const ferryx_queue* queue) noexcept;
  // The queue that had this address then.
  std::optional<QueueLane> find(const ferryx_queue* queue, int64_t time) const;
  // The device of the stream with this id, which is there or was a moment ago.
  std::optional<int32_t> device_of_stream(int32_t stream) const;
  // Forgets what has ended more than `kRoundsKept` calls ago; returns the queues that have now.
  std::vector<GoneQueue> next_round();

 private:
  // The end is seen in one round; spans that were noted before it are drained in that one or the
  // next, and joined in the round after.
  static constexpr uint32_t kRoundsKept = 4;
  struct Entry {
    int64_t begin = 0;
    int64_t end = INT64_MAX;
    QueueLane lane;
    uint32_t rounds_left = kRoundsKept;
  };

  mutable std::mutex mutex_;  // guards what follows; held for a look-up
  std::unordered_map<const ferryx_queue*, std::vector<Entry>> queues_;
  bool has_ended_ = false;  // some queue has, and is still there
};

MarkerNumbers& marker_numbers();
KnownQueues& known_queues();

}  // namespace ferry::layers::trace
