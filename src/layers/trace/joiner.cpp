// SPDX-License-Identifier: Apache-2.0
// Events out of records. What is awaited, and what is remembered of the past, is bounded.
#include "layers/trace/joiner.h"

#include "layers/trace/work_event.h"
#include "layers/trace/work_note.h"

#include "acl/acl_base_rt.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

namespace ferry::layers::trace {
namespace {

constexpr size_t kMostPending = size_t{24} << 20;  // bytes
constexpr size_t kMostFaults = 4096;
constexpr size_t kMostOldWorks = 256;
constexpr int64_t kBetweenSearches = 100'000'000;  // nanoseconds

uint64_t run_of(const WorkRecord& work) {
  const RunPart* const part = WorkParts(work).run;
  return part == nullptr ? 0 : part->run;
}

}  // namespace

// A copy of a record; the record follows.
struct Joiner::Pending {
  uint64_t thread;

  const WorkRecord& record() const { return *reinterpret_cast<const WorkRecord*>(this + 1); }
  size_t size() const { return sizeof *this + record().size; }

  static Pending* make(uint64_t thread, const WorkRecord& record) {
    void* const room = ::operator new(sizeof(Pending) + record.size);
    auto* const made = new (room) Pending{thread};
    std::memcpy(made + 1, &record, record.size);
    return made;
  }
};

void Joiner::DeletePending::operator()(Pending* pending) const {
  release(pending->record());
  ::operator delete(pending);
}

Joiner::Joiner(EventList& events, const KnownQueues& queues, int64_t start)
    : events_(events), queues_(queues), start_(start), arrows_(events) {}

Joiner::~Joiner() = default;

// ---- taking records ----

void Joiner::take(const Buffer& buffer, const Record& record) {
  switch (record.type) {
    case RecordType::kCall:
      return take_call(buffer, static_cast<const CallRecord&>(record));
    case RecordType::kWork:
      return take_work(buffer, static_cast<const WorkRecord&>(record));
    case RecordType::kRefused:
      return take_refused(static_cast<const RefusedRecord&>(record));
    case RecordType::kSpan:
      return spans_.push_back(static_cast<const SpanRecord&>(record));
    case RecordType::kFault: {
      const auto& fault = static_cast<const FaultRecord&>(record);
      if (fault.time >= start_ && faults_.size() < kMostFaults) {
        faults_[fault.correlation] = fault.code;
      }
      return;
    }
    case RecordType::kMemory:
      return take_memory(buffer, static_cast<const MemoryRecord&>(record));
    case RecordType::kAnnotation: {
      const auto& annotation = static_cast<const AnnotationRecord&>(record);
      if (annotation.time < start_) return;
      const int32_t device =
          annotation.stream < 0 ? -1 : queues_.device_of_stream(annotation.stream).value_or(0);
      return ranges_.take(annotation, start_, device, events_);
    }
    case RecordType::kFinding:
      return take_finding(buffer, static_cast<const FindingRecord&>(record));
    default:
      return;
  }
}

void Joiner::name_thread(uint32_t thread, const char* name) {
  if (!named_threads_.insert(thread).second) return;
  ferryx_trace_event& event = events_.add(FERRYX_TRACE_THREAD);
  event.thread = thread;
  event.name = events_.keep(name);
}

void Joiner::begin_round(std::vector<ThreadsCall> open_calls) {
  open_calls_ = std::move(open_calls);
  std::erase_if(open_calls_, [&](const ThreadsCall& open) { return open.call.begin < start_; });
  for (const ThreadsCall& open : open_calls_)
    name_thread(open.thread, open.name);
}

void Joiner::take_call(const Buffer& buffer, const CallRecord& call) {
  if (call.begin < start_) return;
  std::erase_if(open_calls_, [&](const ThreadsCall& open) {
    return open.thread == buffer.thread && open.call.begin == call.begin;
  });
  const uint64_t stack = stacks_.number_of(call, events_);
  name_thread(buffer.thread, buffer.name);
  ferryx_trace_event& event = events_.add(FERRYX_TRACE_CALL);
  event.begin = since_start(call.begin);
  event.end = since_start(call.end);
  event.thread = buffer.thread;
  event.name = call.function;
  event.result = call.result;
  event.site = call.site;
  event.stream = call.stream;
  if (call.works != 0) {
    event.work = call.first_work;
    event.works = call.works;
  }
  event.script = call.script;
  event.stack = stack;
}

void Joiner::write_open_call(const ThreadsCall& open, int64_t end, EventList& events) const {
  ferryx_trace_event& event = events.add(FERRYX_TRACE_CALL);
  event.begin = since_start(open.call.begin);
  event.end = since_start(std::max(end, open.call.begin));
  event.thread = open.thread;
  event.name = open.call.function;
  event.site = open.call.site;
  event.script = open.call.script;
  event.stream = open.call.stream;
  event.work = open.call.first_work;
  event.works = open.call.works;
  event.unfinished = 1;
}

void Joiner::take_work(const Buffer& buffer, const WorkRecord& work) {
  if (work.submitted < start_) return release(work);
  name_thread(buffer.thread, buffer.name);
  if (work.queue == nullptr) {
    const ExecutedPart& executed = *WorkParts(work).executed;
    ferryx_trace_event& event = events_.add(FERRYX_TRACE_WORK);
    event.thread = buffer.thread;
    event.device = executed.device;
    event.begin = since_start(executed.begin);
    event.end = since_start(executed.end);
    event.result = executed.result;
    fill_event(event, work, start_, events_);
    const auto bytes = static_cast<int64_t>(work.bytes);
    counters_.change(Counters::What::kInFlight, executed.device, event.begin, bytes);
    counters_.change(Counters::What::kInFlight, executed.device, event.end, -bytes);
    return;
  }
  const size_t size = sizeof(Pending) + work.size;
  if (pending_bytes_ + size > kMostPending) {
    ++dropped_;
    return release(work);
  }
  has_runs_ |= (work.parts & kRunPart) != 0;
  // Another thread may have submitted an earlier run, whose buffer is drained later.
  Chain& chain = pending_[{work.queue, work.correlation}];
  auto place = chain.end();
  while (place != chain.begin() && work.submitted < (*std::prev(place))->record().submitted)
    --place;
  chain.emplace(place, Pending::make(buffer.thread, work));
  pending_bytes_ += size;
  const std::optional<QueueLane> lane = queues_.find(work.queue, work.submitted);
  if (!lane.has_value()) return;
  counters_.change(Counters::What::kInFlight, lane->device, since_start(work.submitted),
                   static_cast<int64_t>(work.bytes));
}

void Joiner::take_refused(const RefusedRecord& refused) {
  const auto found = pending_.find({refused.queue, refused.correlation});
  if (found == pending_.end()) return;
  Chain& chain = found->second;
  const auto work = std::ranges::find_if(
      chain, [&](const PendingWork& each) { return each->record().number == refused.number; });
  if (work == chain.end()) return;
  const WorkRecord& record = (*work)->record();
  if (const auto lane = queues_.find(record.queue, record.submitted)) {
    counters_.change(Counters::What::kInFlight, lane->device, since_start(record.submitted),
                     -static_cast<int64_t>(record.bytes));
  }
  pending_bytes_ -= (*work)->size();
  chain.erase(work);
  if (chain.empty()) pending_.erase(found);
}

void Joiner::take_memory(const Buffer& buffer, const MemoryRecord& memory) {
  if (memory.time < start_) return;
  name_thread(buffer.thread, buffer.name);
  ferryx_trace_event& event = events_.add(FERRYX_TRACE_MEMORY);
  event.begin = event.end = since_start(memory.time);
  event.thread = buffer.thread;
  event.name = memory.what;
  event.dst = memory.address;
  event.bytes = memory.size;
  event.device = memory.device;
  const auto size = static_cast<int64_t>(memory.size);
  const bool is_alloc = std::strcmp(memory.what, "alloc") == 0;
  if (!is_alloc && std::strcmp(memory.what, "free") != 0) return;
  counters_.change(Counters::What::kMemory, memory.device, event.begin, is_alloc ? size : -size);
}

void Joiner::take_finding(const Buffer& buffer, const FindingRecord& finding) {
  if (finding.time < start_) return;
  name_thread(buffer.thread, buffer.name);
  ferryx_trace_event& event = events_.add(FERRYX_TRACE_FINDING);
  event.begin = event.end = since_start(finding.time);
  event.thread = buffer.thread;
  event.name = finding.rule;
  event.severity = finding.severity;
  event.text = events_.keep({reinterpret_cast<const char*>(&finding + 1), finding.text});
}

// ---- joining ----

// A span is of the first work of its key that was not dropped. A run of a model submits each work
// again before any of that run begins, and after the run before has ended: an earlier run whose
// work has no span was dropped.
Joiner::PendingWork Joiner::take_from(const SpanRecord& span) {
  const auto found = pending_.find({span.queue, span.correlation});
  if (found == pending_.end()) return nullptr;  // it was submitted before the trace
  Chain& chain = found->second;
  while (chain.size() > 1) {
    const WorkRecord& next = chain[1]->record();
    const bool is_of_later_run = run_of(next) != run_of(chain[0]->record());
    if (!is_of_later_run || next.submitted > span.begin) break;
    const PendingWork dropped = std::move(chain.front());
    chain.pop_front();
    pending_bytes_ -= dropped->size();
    const int64_t submitted = dropped->record().submitted;
    const std::optional<QueueLane> lane = queues_.find(span.queue, submitted);
    if (lane.has_value()) end_work(*dropped, *lane, submitted, submitted, true);
  }
  PendingWork work = std::move(chain.front());
  chain.pop_front();
  pending_bytes_ -= work->size();
  if (chain.empty()) pending_.erase(found);
  return work;
}

void Joiner::join(const SpanRecord& span) {
  const PendingWork work = take_from(span);
  if (work == nullptr) return;
  // Clocks of devices are aligned with the host's only so well.
  const int64_t begin = std::max(span.begin, work->record().submitted);
  const std::optional<QueueLane> lane = queues_.find(span.queue, work->record().submitted);
  if (lane.has_value()) end_work(*work, *lane, begin, std::max(span.end, begin), false);
}

void Joiner::end_work(const Pending& work, const QueueLane& lane, int64_t begin, int64_t end,
                      bool is_unfinished) {
  const WorkRecord& record = work.record();
  name_lane(lane);
  ferryx_trace_event& event = add_work(work, lane, events_);
  event.begin = since_start(begin);
  event.end = since_start(end);
  event.unfinished = is_unfinished ? 1 : 0;
  if (const auto fault = faults_.find(record.correlation); fault != faults_.end()) {
    event.result = fault->second;
    faults_.erase(fault);
  }
  fill_event(event, record, start_, events_);
  counters_.change(Counters::What::kInFlight, lane.device, since_start(end),
                   -static_cast<int64_t>(record.bytes));
  const MarkerPart* const marker = WorkParts(record).marker;
  if (marker == nullptr || is_unfinished) return;
  const EventArrows::End place{.time = since_start(end), .lane = lane};
  if (record.kind == FERRYX_AWAIT) {
    arrows_.wait_ended(marker->marker, record.number, place);
  } else {
    arrows_.record_was_reached(marker->marker, place);
  }
}

ferryx_trace_event& Joiner::add_work(const Pending& work, const QueueLane& lane,
                                     EventList& events) const {
  ferryx_trace_event& event = events.add(FERRYX_TRACE_WORK);
  event.device = lane.device;
  event.stream = lane.stream;
  // An arrow begins in a call. Later runs of a model are submitted by threads of the library.
  if ((work.record().parts & kInCall) != 0) event.submitter = work.thread;
  return event;
}

void Joiner::name_lane(const QueueLane& lane) {
  const uint64_t key = static_cast<uint64_t>(static_cast<uint32_t>(lane.device)) << 32 |
                       static_cast<uint32_t>(lane.stream);
  if (!named_lanes_.insert(key).second) return;
  ferryx_trace_event& event = events_.add(FERRYX_TRACE_STREAM);
  event.device = lane.device;
  event.stream = lane.stream;
}

// ---- rounds ----

// Spans of several runs of one work may come from several threads, whose buffers are drained one
// after the other: that of a later run can be there first, even a round earlier. It then waits for
// another round. An earlier run's span was noted before the later run began, so it is in this round
// at the latest.
void Joiner::put_runs_in_order() {
  std::unordered_map<Key, int64_t, KeyHash> first;  // of this round
  for (const SpanRecord& span : spans_) {
    const auto [at, is_new] = first.try_emplace({span.queue, span.correlation}, span.begin);
    if (!is_new) at->second = std::min(at->second, span.begin);
  }
  const auto is_early = [&](const SpanRecord& span) {
    const auto found = first.find({span.queue, span.correlation});
    return found != first.end() && found->second < span.begin;
  };
  std::ranges::copy_if(last_spans_, std::back_inserter(spans_), is_early);
  std::erase_if(last_spans_, is_early);
  std::ranges::stable_sort(last_spans_, {}, &SpanRecord::begin);
}

void Joiner::end_round(std::span<const GoneQueue> gone) {
  if (has_runs_) put_runs_in_order();
  for (const SpanRecord& span : last_spans_)
    join(span);
  last_spans_.clear();
  last_spans_.swap(spans_);
  if (!gone.empty()) end_works_of(gone);
  counters_.end_round(events_);
}

void Joiner::end_works_of(std::span<const GoneQueue> gone) {
  end_pending([&](const WorkRecord& work) -> std::optional<QueueLane> {
    const auto queue = std::ranges::find_if(gone, [&](const GoneQueue& each) {
      return each.queue == work.queue && work.submitted <= each.end;
    });
    if (queue == gone.end()) return {};
    return queue->lane;
  });
}

// Works that will not end: they were dropped, or the trace ends before.
void Joiner::end_pending(
    const std::function<std::optional<QueueLane>(const WorkRecord&)>& lane_of_ended) {
  for (auto at = pending_.begin(); at != pending_.end();) {
    Chain& chain = at->second;
    std::erase_if(chain, [&](const PendingWork& work) {
      const std::optional<QueueLane> lane = lane_of_ended(work->record());
      if (!lane.has_value()) return false;
      pending_bytes_ -= work->size();
      const int64_t submitted = work->record().submitted;
      end_work(*work, *lane, submitted, submitted, true);
      return true;
    });
    at = chain.empty() ? pending_.erase(at) : std::next(at);
  }
}

// Those that were submitted before `since`, the oldest if they are many. As there may be many more
// that were not, they are looked for every 100 ms at most, unless all are wanted.
void Joiner::find_old_works(int64_t since, int64_t now) {
  if (since < now && now - old_works_found_ < kBetweenSearches) return;
  old_works_found_ = now;
  std::vector<std::pair<int64_t, Key>> found;
  for (const auto& [key, chain] : pending_) {
    const int64_t submitted = chain.front()->record().submitted;
    if (submitted < since) found.emplace_back(submitted, key);
  }
  if (found.size() > kMostOldWorks) {
    std::ranges::nth_element(found, found.begin() + kMostOldWorks, {},
                             &std::pair<int64_t, Key>::first);
    found.resize(kMostOldWorks);
  }
  old_works_.clear();
  for (const auto& [submitted, key] : found)
    old_works_.push_back(key);
}

void Joiner::write_unfinished(int64_t since, int64_t now, EventList& events) {
  for (const ThreadsCall& open : open_calls_) {
    if (open.call.begin < since) write_open_call(open, now, events);
  }
  find_old_works(since, now);
  for (const Key& key : old_works_) {
    const auto found = pending_.find(key);
    if (found == pending_.end()) continue;
    const Pending& work = *found->second.front();
    const int64_t submitted = work.record().submitted;
    const std::optional<QueueLane> lane = queues_.find(key.queue, submitted);
    if (!lane.has_value() || submitted >= since) continue;
    ferryx_trace_event& event = add_work(work, *lane, events);
    event.begin = event.end = since_start(submitted);
    event.unfinished = 1;
    fill_event(event, work.record(), start_, events);
  }
  ranges_.write_open(start_, now, events);
  events.write();
}

void Joiner::finish(int64_t end) {
  end_round({});
  for (const ThreadsCall& open : open_calls_)
    write_open_call(open, end, events_);
  end_pending([&](const WorkRecord& work) { return queues_.find(work.queue, work.submitted); });
  ranges_.finish(start_, end, events_);
  counters_.end_round(events_);
  events_.write();
}

}  // namespace ferry::layers::trace
