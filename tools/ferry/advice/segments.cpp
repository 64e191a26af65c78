// SPDX-License-Identifier: Apache-2.0
// The search for runs of independent segments, one thread after the other.
#include "advice/segments.h"

#include "advice/ranges.h"

#include <optional>
#include <utility>

namespace ferry::tools::advice {
namespace {

// Behind a wait for D2H: the program probably used the result.
constexpr int64_t kPauseOfUse = 20'000;  // ns

class SegmentFinder {
 public:
  SegmentFinder(const Survey& survey, const std::function<void(const SegmentRun&)>& look)
      : survey_(survey), look_(look) {}

  void look_at(const std::vector<uint32_t>& calls) {
    for (const uint32_t call : calls) {
      if (survey_.role_of(call) == Role::kSynchronize) {
        take_wait(call);
        continue;
      }
      if (!survey_.works_of(call).empty()) end_run_after_use(call);
      for (const uint32_t work : survey_.works_of(call))
        take_work(work);
    }
    end_run();
  }

 private:
  void take_work(uint32_t index) {
    const trace::Work& work = survey_.trace().works[index];
    const bool is_begun = open_.stream >= 0;
    if (work.kind == trace::Kind::kRecord && is_begun && work.stream == open_.stream) return;
    std::optional<std::vector<Range>> ranges;
    const bool is_plain = !work.is_during_call() && work.model == trace::kNone && work.result == 0;
    if (is_plain) ranges = ranges_of(survey_.trace(), work);
    if (!ranges || (is_begun && work.stream != open_.stream)) {
      is_open_known_ = false;
      return;
    }
    open_.stream = work.stream;
    open_.works.push_back(index);
    ranges_.insert(ranges_.end(), ranges->begin(), ranges->end());
  }

  void take_wait(uint32_t call) {
    const trace::Call& wait = survey_.trace().calls[call];
    Segment segment = std::exchange(open_, Segment{});
    const std::vector<Range> ranges = std::exchange(ranges_, {});
    const bool is_known = std::exchange(is_open_known_, true);
    if (!is_known) {
      end_run();
      return;
    }
    if (segment.works.empty()) return;
    if (wait.result != 0 || (wait.stream >= 0 && wait.stream != segment.stream)) {
      end_run();
      return;
    }
    if (!touched_.add(ranges)) {
      end_run();
      touched_.add(ranges);
    }
    segment.wait = call;
    run_.push_back(std::move(segment));
  }

  void end_run_after_use(uint32_t call) {
    if (run_.empty() || !open_.works.empty()) return;
    const trace::Trace& trace = survey_.trace();
    const Segment& last = run_.back();
    const bool has_result =
        trace.works[last.works.back()].direction == trace::Direction::kDeviceToHost;
    if (has_result && trace.calls[call].begin - trace.calls[last.wait].end > kPauseOfUse) end_run();
  }

  void end_run() {
    if (run_.size() > 1) look_(run_);
    run_.clear();
    touched_.clear();
  }

  const Survey& survey_;
  const std::function<void(const SegmentRun&)>& look_;
  SegmentRun run_;
  TouchedRanges touched_;      // by the run
  Segment open_;               // not waited for yet
  std::vector<Range> ranges_;  // of it
  bool is_open_known_ = true;
};

}  // namespace

void for_each_segment_run(const Survey& survey,
                          const std::function<void(const SegmentRun&)>& look) {
  for (const auto& [thread, calls] : survey.threads())
    SegmentFinder(survey, look).look_at(calls);
}

}  // namespace ferry::tools::advice
