// SPDX-License-Identifier: Apache-2.0
// The runs of one model. A run is one callout in the stream that launches it; when the stream comes
// to it, the lanes are submitted to their own queues, and the callout is done when all are over.
// Runs of one model follow each other in the order of the calls, whatever their streams.
#pragma once

#include "base/status.h"
#include "core/event.h"
#include "core/model/lane_group.h"
#include "core/stream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry {

class Model;

// May be shared between threads. Must not be destroyed while it has runs.
class ModelRuns final : public RunOwner {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ModelRuns(uint32_t model_id) : model_id_(model_id) {}

  // All groups of the model, the model's own first. Call when they are built. Not while it runs.
  void set_groups(std::vector<LaneGroup*> groups);
  // Queues a run on the stream. 107017 when the model was closed meanwhile.
  Status launch(Stream& stream, const Ref<Model>& model);
  // Waits until no run is queued or under way; then no run can be launched any more. False when the
  // deadline comes first.
  bool close(Clock::time_point deadline);
  // Ends everything now: for the end of a context, whose streams are closed already.
  void close_now();
  bool is_idle();

  // Ends the run that this stream has launched, if there is one under way.
  void end_run_of(const void* stream, Emptying how);
  // Ends the run under way, which fails with this code. False when there is none.
  bool end_run(aclError code, const char* reason);
  // A function of this run has failed. Nothing happens when the run is over.
  void fail_run(uint64_t run, aclError code, const FixedText& text);
  // The number of the run under way; for tasks of that run.
  uint64_t current() const { return current_.load(std::memory_order_relaxed); }

  void fail_run(const ferryx_fault& fault, Lane& failed) override;
  void fail_start(aclError code) override;
  bool is_ending() const override { return is_ending_.load(std::memory_order_acquire); }
  WatchedRun watch_run() const override { return {model_id_, current()}; }
  // The run is over once its lanes are; not a failure.
  void end_early(const Lane& caller);

  // What a run does before its lanes start, on the thread that starts it.
  std::function<void()> prepare;

 private:
  struct Run {
    uint64_t number = 0;
    uint64_t announced = 0;             // its number in the process; 0: the backend does not know
    void* launcher = nullptr;           // handle of the stream
    ferryx_callout* callout = nullptr;  // set when the stream has come to the run
    bool is_dropped = false;            // its stream was aborted after it had come to the run
    std::vector<MarkerRef> markers;     // one per external_; empty: nothing to wait for
  };
  // The argument of the callout.
  struct Ticket {
    static void start(void* argument, ferryx_callout* callout);
    Ref<Model> model;  // keeps the runs alive; released by the stream, never by a lane
    ModelRuns& runs;
    uint64_t number;
  };
  struct External {
    LaneGroup* group;
    TaskPlace place;
  };

  Result<std::vector<MarkerRef>> make_markers(const Stream& stream);
  void add_external(LaneGroup& group, size_t lane);
  RecordedTask& task_of(const External& external) const;
  void reach(uint64_t number, ferryx_callout* callout);
  void forget(uint64_t number, ferryx_callout* callout);
  // Keeps the run under way from ending, and makes it end early: false when there is none. Undone
  // by release(). The launcher may be given: only its run counts.
  bool retain_to_end(const void* stream);
  void release() { groups_.front()->lane_is_over(); }
  // Starts the first run if its stream has come to it and none is under way.
  void start_next(std::unique_lock<std::mutex> lock);
  void patch(const Run& run);
  // Whether the lanes and the flags between them are all there is to a run: nothing that the host
  // does decides or waits for anything inside.
  bool has_only_lanes() const;
  std::vector<const ferryx_work*> works_of_lanes() const;
  static Status submit(Stream& stream, std::unique_ptr<Ticket> ticket, const ferryx_run& run);
  void end_first();
  static void run_is_over(void* runs);
  void finish_markers(const Run& run) const;
  Ref<Stream> launcher();
  void empty_all(Emptying how, const Lane* except);

  const uint32_t model_id_;
  std::vector<LaneGroup*> groups_;
  std::vector<External> external_;
  bool has_only_lanes_ = false;

  std::mutex mutex_;  // guards what follows, but not the atomics
  std::condition_variable idle_;
  std::list<Run> runs_;  // in the order of the calls; the first is the one under way, if any
  bool is_running_ = false;
  bool is_closed_ = false;
  uint64_t last_ = 0;
  std::atomic<uint64_t> current_{0};
  std::atomic<bool> is_ending_{false};
};

}  // namespace ferry
