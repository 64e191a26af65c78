// SPDX-License-Identifier: Apache-2.0
// Makes events of what threads have noted: joins works with their spans and failures, records with
// the waits for them, ends of ranges with their begins. Used by the writer thread.
#pragma once

#include "layers/trace/buffer.h"
#include "layers/trace/counters.h"
#include "layers/trace/event_arrows.h"
#include "layers/trace/event_list.h"
#include "layers/trace/ranges.h"
#include "layers/trace/recorder.h"
#include "layers/trace/sink.h"
#include "layers/trace/stacks.h"
#include "layers/trace/tap_state.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ferry::layers::trace {

// Buffers are drained in rounds. Invariant: when a span or a failure is looked at, all that was
// noted before it is known, because it was drained in this round or an earlier one, and the span in
// the one before.
class Joiner {
 public:
  // `start`: what is older does not belong to the trace; times of events count from it.
  Joiner(EventList& events, const KnownQueues& queues, int64_t start);
  ~Joiner();

  // Before the buffers are drained: the calls that are in progress. Of these, those whose records
  // are not drained in this round are in progress after it.
  void begin_round(std::vector<ThreadsCall> open_calls);
  void take(const Buffer& buffer, const Record& record);
  // All buffers have been drained. `gone`: queues whose works will not end any more.
  void end_round(std::span<const GoneQueue> gone);
  // What has been in progress since before `since`, for a file that may end here. Until `now`.
  void write_unfinished(int64_t since, int64_t now, EventList& events);
  bool has_open_calls() const { return !open_calls_.empty(); }
  // The trace ends, after a last round.
  void finish(int64_t end);

  // Works and ranges that were too many at a time while their end was awaited.
  uint64_t dropped() const { return dropped_ + ranges_.dropped(); }

 private:
  struct Pending;
  struct Key {
    const ferryx_queue* queue;
    uint64_t correlation;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return (reinterpret_cast<uintptr_t>(key.queue) >> 6) ^ key.correlation * 0x9E3779B97F4A7C15u;
    }
  };
  struct DeletePending {
    void operator()(Pending* pending) const;
  };
  using PendingWork = std::unique_ptr<Pending, DeletePending>;
  // Works of one key in the order of submission, whatever the order of draining: runs of a model
  // submit the same again and again.
  using Chain = std::deque<PendingWork>;

  void take_call(const Buffer& buffer, const CallRecord& call);
  void take_work(const Buffer& buffer, const WorkRecord& work);
  void take_refused(const RefusedRecord& refused);
  void take_memory(const Buffer& buffer, const MemoryRecord& memory);
  void take_finding(const Buffer& buffer, const FindingRecord& finding);
  void write_open_call(const ThreadsCall& open, int64_t end, EventList& events) const;
  void put_runs_in_order();
  void join(const SpanRecord& span);
  PendingWork take_from(const SpanRecord& span);
  void end_work(const Pending& work, const QueueLane& lane, int64_t begin, int64_t end,
                bool is_unfinished);
  ferryx_trace_event& add_work(const Pending& work, const QueueLane& lane, EventList& events) const;
  void find_old_works(int64_t since, int64_t now);
  void end_works_of(std::span<const GoneQueue> gone);
  // Of the works for which it returns a lane.
  void end_pending(const std::function<std::optional<QueueLane>(const WorkRecord&)>& lane_of_ended);
  void name_thread(uint32_t thread, const char* name);
  void name_lane(const QueueLane& lane);
  int64_t since_start(int64_t time) const { return time - start_; }

  EventList& events_;
  const KnownQueues& queues_;
  const int64_t start_;
  Counters counters_;
  Ranges ranges_;
  EventArrows arrows_;

  std::vector<ThreadsCall> open_calls_;  // of this round
  Stacks stacks_;

  std::unordered_map<Key, Chain, KeyHash> pending_;
  std::vector<Key> old_works_;   // the first works of these have been pending for long
  int64_t old_works_found_ = 0;  // when
  size_t pending_bytes_ = 0;
  uint64_t dropped_ = 0;
  bool has_runs_ = false;                         // works of models' runs were taken
  std::vector<SpanRecord> spans_;                 // of this round
  std::vector<SpanRecord> last_spans_;            // of the one before
  std::unordered_map<uint64_t, int32_t> faults_;  // codes by correlation

  std::unordered_set<uint32_t> named_threads_;
  std::unordered_set<uint64_t> named_lanes_;
};

}  // namespace ferry::layers::trace
