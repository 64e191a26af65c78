// SPDX-License-Identifier: Apache-2.0
// The simulation. Threads submit steps and wait; streams execute in order; works of different
// streams that run at the same time share the device. Time advances from event to event.
#include "replay/predict.h"

#include "replay/costs.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace ferry::tools::replay {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Thread {
  std::vector<uint32_t> steps;
  size_t next = 0;
  double ready = 0;                // when it can make its next step; kNever while it waits
  double since = 0;                // when it began to wait
  double after_wait = 0;           // added when what it waits for has ended
  std::vector<uint32_t> awaited;   // steps that have not ended
  bool awaits_submission = false;  // of the steps named in after_record and after_stream
};

// The works of a stream, in order. Those executed by calls without stream have one per thread.
struct Stream {
  std::deque<uint32_t> queue;
  double free = 0;        // when the last work before the front ended
  double start = kNever;  // of the front
  bool runs = false;
  double left = 0;   // of the front, in ns alone on the device
  double saved = 0;  // of the front's time, because it found the stream idle
};

class Simulation {
 public:
  Simulation(const Plan& plan, const Profile& profile, bool keeps_pauses)
      : plan_(plan),
        profile_(profile),
        keeps_pauses_(keeps_pauses),
        threads_(plan.threads),
        streams_(plan.streams.size() + plan.threads),
        last_(streams_.size(), kNoIndex),
        arrival_(plan.steps.size(), kNever),
        latest_record_(plan.events, kNoIndex),
        waits_for_(plan.steps.size(), kNoIndex) {
    result_.begin.assign(plan.steps.size(), 0);
    result_.end.assign(plan.steps.size(), kNever);
    const Costs costs(plan, profile);
    for (uint32_t i = 0; i < plan.steps.size(); ++i) {
      threads_[plan.steps[i].thread].steps.push_back(i);
      costs_.push_back(costs.of(plan.steps[i]));
    }
    for (Thread& thread : threads_) {
      if (thread.steps.empty()) {
        thread.ready = kNever;
      } else if (keeps_pauses) {
        // Of a recorded plan it is 0; copies that became one submission bring theirs along.
        thread.ready = static_cast<double>(plan.steps[thread.steps.front()].pause);
      }
    }
    listed_.assign(streams_.size(), false);
  }

  Prediction run() {
    while (true) {
      const double next = next_event();
      if (next == kNever) break;
      advance_to(next);
      finish_works();
      start_works();
      for (uint32_t i = 0; i < threads_.size(); ++i) {
        if (threads_[i].ready <= now_) make_step(threads_[i]);
      }
    }
    result_.total = std::max(now_, end_of_threads_);
    return std::move(result_);
  }

 private:
  // ---- time ----

  double next_event() const {
    double next = kNever;
    for (const Thread& thread : threads_)
      next = std::min(next, thread.ready);
    for (const uint32_t index : busy_) {
      const Stream& stream = streams_[index];
      next = std::min(next, stream.runs ? now_ + stream.left / rate_ : stream.start);
    }
    return std::max(next, now_);
  }

  void advance_to(double time) {
    const double passed = time - now_;
    bool runs = false;
    for (const uint32_t index : busy_) {
      Stream& stream = streams_[index];
      if (!stream.runs) continue;
      runs = true;
      stream.left -= passed * rate_;
    }
    if (runs) result_.device_busy += passed;
    now_ = time;
  }

  // Speed of each running work, relative to one that runs alone.
  void update_rate() {
    size_t running = 0;
    bool is_same_way = true;
    double bytes = 0;
    trace::Direction direction = trace::Direction::kNone;
    for (const uint32_t index : busy_) {
      if (!streams_[index].runs) continue;
      const Step& step = plan_.steps[streams_[index].queue.front()];
      if (running > 0 && step.direction != direction) is_same_way = false;
      direction = step.direction;
      bytes += static_cast<double>(step.bytes) / std::max(1U, step.items);
      ++running;
    }
    rate_ = 1;
    if (running < 2) return;
    const auto mean = static_cast<uint64_t>(bytes / static_cast<double>(running));
    const Overlap overlap = profile_.overlap_at(std::max<uint64_t>(mean, 1));
    rate_ = (is_same_way ? overlap.same_way : overlap.both_ways) / static_cast<double>(running);
  }

  // ---- the device ----

  void finish_works() {
    // Rounding leaves a little.
    constexpr double kNothing = 1e-6;
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (size_t i = 0; i < busy_.size(); ++i) {
        Stream& stream = streams_[busy_[i]];
        if (!stream.runs || stream.left > kNothing) continue;
        finish_front(stream);
        has_changed = true;
      }
      if (has_changed) update_rate();
    }
    busy_.erase(std::remove_if(busy_.begin(), busy_.end(),
                               [this](uint32_t index) {
                                 const bool is_idle = streams_[index].queue.empty();
                                 if (is_idle) listed_[index] = false;
                                 return is_idle;
                               }),
                busy_.end());
  }

  void finish_front(Stream& stream) {
    const uint32_t step = stream.queue.front();
    stream.queue.pop_front();
    stream.free = now_;
    stream.runs = false;
    result_.end[step] = now_;
    schedule_front(stream);
    if (plan_.steps[step].action == Action::kRecord) {
      for (const uint32_t index : busy_)
        schedule_front(streams_[index]);
    }
    for (Thread& thread : threads_)
      stop_waiting_for(thread, step);
  }

  // Decides when the front starts, if that is known already.
  void schedule_front(Stream& stream) {
    if (stream.runs || stream.queue.empty()) return;
    const uint32_t index = stream.queue.front();
    const Step& step = plan_.steps[index];
    const double arrival = arrival_[index];
    stream.start = std::max(arrival, stream.free);
    stream.saved = 0;
    if (step.action == Action::kWait) {
      const uint32_t record = waits_for_[index];
      if (record == kNoIndex) return;
      // What waits takes a while to go on, unless the record was over long before.
      const bool waits = result_.end[record] + profile_.cross_ns > arrival &&
                         plan_.steps[record].stream != step.stream;
      stream.start = std::max(stream.start, result_.end[record]) + (waits ? profile_.cross_ns : 0);
      return;
    }
    if (arrival <= stream.free && stream.free != 0) return;
    stream.start += std::max(0.0, costs_[index].latency);
    stream.saved = std::max(0.0, -costs_[index].latency);
  }

  void start_works() {
    bool has_changed = false;
    for (const uint32_t index : busy_) {
      Stream& stream = streams_[index];
      if (stream.runs || stream.start > now_) continue;
      const uint32_t step = stream.queue.front();
      result_.begin[step] = now_;
      stream.left = std::max(0.0, costs_[step].device - stream.saved);
      stream.runs = true;
      has_changed = true;
    }
    if (has_changed) update_rate();
  }

  // ---- the host ----

  void make_step(Thread& thread) {
    const uint32_t index = thread.steps[thread.next];
    const Step& step = plan_.steps[index];
    const double submitted = std::max(arrival_of(step.after_record), arrival_of(step.after_stream));
    if (submitted > now_) {
      thread.awaits_submission = submitted == kNever;
      thread.ready = submitted;
      return;
    }
    const StepCost& cost = costs_[index];
    thread.after_wait = 0;
    if (step.items == 0 && step.action != Action::kRecord && step.action != Action::kWait) {
      synchronize(thread, step, cost);
      result_.begin[index] = result_.end[index] = now_;
    } else {
      submit(thread, index, cost);
    }
    ++thread.next;
    if (thread.awaited.empty()) become_ready(thread, thread.ready);
  }

  double arrival_of(uint32_t step) const { return step == kNoIndex ? 0 : arrival_[step]; }

  void submit(Thread& thread, uint32_t index, const StepCost& cost) {
    const Step& step = plan_.steps[index];
    const uint32_t stream_index = step.stream != kNoIndex
                                      ? step.stream
                                      : static_cast<uint32_t>(plan_.streams.size()) + step.thread;
    Stream& stream = streams_[stream_index];
    thread.ready = now_ + cost.host;
    arrival_[index] = thread.ready;
    if (step.action == Action::kRecord) latest_record_[step.event] = index;
    if (step.action == Action::kWait) waits_for_[index] = latest_record_[step.event];
    stream.queue.push_back(index);
    last_[stream_index] = index;
    if (!listed_[stream_index]) {
      listed_[stream_index] = true;
      busy_.push_back(stream_index);
    }
    if (stream.queue.size() == 1) schedule_front(stream);
    if (cost.blocks) wait_for(thread, {index});
    wake_waiting_for_submission(arrival_[index]);
  }

  void synchronize(Thread& thread, const Step& step, const StepCost& cost) {
    std::vector<uint32_t> awaited;
    if (step.action == Action::kSynchronizeEvent) {
      awaited.push_back(latest_record_[step.event]);
    } else if (step.action == Action::kSynchronizeStream) {
      awaited.push_back(last_[step.stream]);
    } else {
      for (size_t i = 0; i < plan_.streams.size(); ++i) {
        if (plan_.streams[i].device == step.device) awaited.push_back(last_[i]);
      }
    }
    thread.after_wait = cost.host;
    thread.ready = now_ + cost.host;
    wait_for(thread, awaited);
  }

  void wait_for(Thread& thread, const std::vector<uint32_t>& steps) {
    for (const uint32_t step : steps) {
      if (step != kNoIndex && result_.end[step] == kNever) thread.awaited.push_back(step);
    }
    if (thread.awaited.empty()) return;
    thread.since = now_;
    thread.ready = kNever;
  }

  void stop_waiting_for(Thread& thread, uint32_t step) {
    const auto found = std::find(thread.awaited.begin(), thread.awaited.end(), step);
    if (found == thread.awaited.end()) return;
    thread.awaited.erase(found);
    if (!thread.awaited.empty()) return;
    result_.host_blocked += now_ - thread.since;
    become_ready(thread, now_ + thread.after_wait);
  }

  void wake_waiting_for_submission(double time) {
    for (Thread& thread : threads_) {
      if (!thread.awaits_submission) continue;
      thread.awaits_submission = false;
      thread.ready = time;
    }
  }

  void become_ready(Thread& thread, double time) {
    end_of_threads_ = std::max(end_of_threads_, time);
    if (thread.next == thread.steps.size()) {
      thread.ready = kNever;
      return;
    }
    const Step& step = plan_.steps[thread.steps[thread.next]];
    thread.ready = time + (keeps_pauses_ ? static_cast<double>(step.pause) : 0);
  }

  const Plan& plan_;
  const Profile& profile_;
  std::vector<StepCost> costs_;
  const bool keeps_pauses_;
  std::vector<Thread> threads_;
  std::vector<Stream> streams_;
  std::vector<uint32_t> last_;           // step submitted to each stream
  std::vector<double> arrival_;          // of each step at its stream
  std::vector<uint32_t> latest_record_;  // of each event: the step
  std::vector<uint32_t> waits_for_;      // of waits: the step that recorded
  std::vector<uint32_t> busy_;           // streams that have works
  std::vector<bool> listed_;             // whether a stream is in busy_
  double rate_ = 1;
  double now_ = 0;
  double end_of_threads_ = 0;
  Prediction result_;
};

}  // namespace

Prediction predict(const Plan& plan, const Profile& profile, bool keeps_pauses) {
  return Simulation(plan, profile, keeps_pauses).run();
}

}  // namespace ferry::tools::replay
