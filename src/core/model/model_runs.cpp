// SPDX-License-Identifier: Apache-2.0
// Launching, starting and ending runs. Invariant: the object lives while runs_ is not empty, so a
// thread that takes the last run out touches nothing of it afterwards. No lock is held while work
// is submitted, because a submission may execute work (schedule shuffle).
#include "core/model/model_runs.h"

#include "base/config.h"
#include "base/log.h"
#include "core/callout.h"
#include "core/exception_report.h"
#include "core/model/model.h"
#include "core/model/run_ref.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace ferry {
namespace {

uint64_t next_announced_run() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

void ModelRuns::set_groups(std::vector<LaneGroup*> groups) {
  groups_ = std::move(groups);
  external_.clear();
  has_only_lanes_ = has_only_lanes();
  for (LaneGroup* group : groups_) {
    for (size_t lane = 0; lane < group->lanes().size(); ++lane)
      add_external(*group, lane);
  }
}

void ModelRuns::add_external(LaneGroup& group, size_t lane) {
  const auto& tasks = group.lanes()[lane]->tasks;
  for (size_t task = 0; task < tasks.size(); ++task) {
    const auto form = tasks[task].form;
    if (form == RecordedTask::Form::kMark || form == RecordedTask::Form::kAwait) {
      external_.push_back({.group = &group, .place = {.lane = lane, .task = task}});
    }
  }
}

RecordedTask& ModelRuns::task_of(const External& external) const {
  return external.group->lanes()[external.place.lane]->tasks[external.place.task];
}

// ---- launching ----

Result<std::vector<MarkerRef>> ModelRuns::make_markers(const Stream& stream) {
  std::vector<MarkerRef> markers;
  markers.reserve(external_.size());
  for (const External& external : external_) {
    const RecordedTask& task = task_of(external);
    if (task.form == RecordedTask::Form::kAwait) {
      markers.push_back(task.event->latest());
      continue;
    }
    FERRY_TRY(MarkerRef, made, MarkerRef::create(stream.context().device()));
    markers.push_back(*made);
  }
  return markers;
}

bool ModelRuns::has_only_lanes() const {
  const auto is_plain = [](const RecordedTask& task) {
    using Form = RecordedTask::Form;
    if (task.form == Form::kFork || task.form == Form::kJoin) return true;
    return task.form == Form::kWork && task.work->kind != FERRYX_CALLOUT;
  };
  if (groups_.size() != 1) return false;
  return std::ranges::all_of(groups_.front()->lanes(), [&](const auto& lane) {
    return lane->starts_with_run && std::ranges::all_of(lane->tasks, is_plain);
  });
}

// If there is more than lanes: without what follows a callout, or waits for something.
std::vector<const ferryx_work*> ModelRuns::works_of_lanes() const {
  using Form = RecordedTask::Form;
  const auto is_stop = [](const RecordedTask& task) {
    return task.form == Form::kJoin || task.form == Form::kAwait ||
           (task.form == Form::kWork && task.work->kind == FERRYX_CALLOUT);
  };
  std::vector<const ferryx_work*> works;
  for (const auto& lane : groups_.front()->lanes()) {
    for (const RecordedTask& task : lane->tasks) {
      if (!has_only_lanes_ && is_stop(task)) break;
      if (task.form == Form::kWork) works.push_back(&*task.work);
    }
  }
  return works;
}

Status ModelRuns::submit(Stream& stream, std::unique_ptr<Ticket> ticket, const ferryx_run& run) {
  if (run.number == 0) return submit_callout(stream, Ticket::start, std::move(ticket));
  ferryx_work start = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                                {.start = Ticket::start, .argument = ticket.get()});
  const Status queued = stream.submit_run(start, run);
  if (queued.ok()) static_cast<void>(ticket.release());  // `start` owns it now
  return queued;
}

Status ModelRuns::launch(Stream& stream, const Ref<Model>& model) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  FERRY_RETURN_IF_ERROR(model->refresh());
  FERRY_TRY(std::vector<MarkerRef>, markers, make_markers(stream));
  const std::vector<MarkerRef> made = *markers;
  std::list<Run> entry;
  const bool is_announced = model->kind() == Model::Kind::kCaptured &&
                            stream.recorder() == nullptr &&
                            stream.tapped().queue_submit_run != nullptr;
  const auto works = is_announced ? works_of_lanes() : std::vector<const ferryx_work*>();
  const ferryx_run announced{.struct_size = sizeof announced,
                             .model = model_id_,
                             .number = is_announced ? next_announced_run() : 0,
                             .works = works.data(),
                             .work_count = works.size(),
                             .flags = has_only_lanes_ ? 0 : FERRYX_RUN_HAS_MORE};
  entry.push_back({.number = 0,
                   .announced = announced.number,
                   .launcher = stream.handle(),
                   .callout = nullptr,
                   .is_dropped = false,
                   .markers = std::move(*markers)});
  uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) {
      return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "modelRI", model->handle(), "model");
    }
    number = entry.front().number = ++last_;
    runs_.splice(runs_.end(), entry);
  }
  const WatchedRun watched(model_id_, number);
  const Status queued =
      submit(stream, std::unique_ptr<Ticket>(new Ticket{model, *this, number}), announced);
  if (!queued.ok()) {
    forget(number, nullptr);
    return queued;
  }
  for (size_t i = 0; i < made.size(); ++i) {
    const RecordedTask& task = task_of(external_[i]);
    if (task.form == RecordedTask::Form::kMark) task.event->set_latest(made[i]);
  }
  return {};
}

void ModelRuns::Ticket::start(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<Ticket> ticket(static_cast<Ticket*>(argument));
  if (callout != nullptr) {
    ticket->runs.reach(ticket->number, callout);
  } else {
    ticket->runs.forget(ticket->number, nullptr);
  }
}

void ModelRuns::reach(uint64_t number, ferryx_callout* callout) {
  std::unique_lock lock(mutex_);
  const auto run = std::find_if(runs_.begin(), runs_.end(),
                                [&](const Run& each) { return each.number == number; });
  if (is_closed_) {
    lock.unlock();
    return forget(number, callout);
  }
  run->callout = callout;
  start_next(std::move(lock));
}

// The run will not start: it was dropped before its stream came to it, or the model is closed.
void ModelRuns::forget(uint64_t number, ferryx_callout* callout) {
  std::unique_lock lock(mutex_);
  const auto run = std::find_if(runs_.begin(), runs_.end(),
                                [&](const Run& each) { return each.number == number; });
  // Markers first: once the list is empty, the object may be gone.
  const std::vector<MarkerRef> markers = std::move(run->markers);
  const Run ended{.number = number,
                  .announced = 0,
                  .launcher = nullptr,
                  .callout = nullptr,
                  .is_dropped = true,
                  .markers = markers};
  lock.unlock();
  finish_markers(ended);
  lock.lock();
  runs_.erase(run);
  if (runs_.empty()) {
    idle_.notify_all();
    lock.unlock();
  } else {
    start_next(std::move(lock));
  }
  if (callout != nullptr) callout->done(callout);
}

// ---- running ----

void ModelRuns::start_next(std::unique_lock<std::mutex> lock) {
  if (is_running_ || is_closed_ || runs_.front().callout == nullptr) return;
  is_running_ = true;
  const Run& run = runs_.front();  // stays: only end_first() removes it
  current_.store(run.number, std::memory_order_relaxed);
  is_ending_.store(run.is_dropped, std::memory_order_release);
  lock.unlock();
  patch(run);
  if (prepare) prepare();
  groups_.front()->start(run_is_over, this, has_only_lanes_ ? run.announced : 0);
}

void ModelRuns::patch(const Run& run) {
  for (size_t i = 0; i < external_.size(); ++i) {
    const RecordedTask& task = task_of(external_[i]);
    ferryx_work& work =
        external_[i].group->lanes()[external_[i].place.lane]->works()[task.first_work];
    if (run.markers[i]) {
      const auto kind = task.form == RecordedTask::Form::kMark ? FERRYX_MARK : FERRYX_AWAIT;
      work = make_work(kind, &ferryx_payload::marker,
                       {.marker = run.markers[i].get(), .timeout = FERRYX_FOREVER});
    } else {
      work = make_no_work();
    }
    work.origin = task.work->origin;
  }
}

void ModelRuns::run_is_over(void* runs) {
  static_cast<ModelRuns*>(runs)->end_first();
}

void ModelRuns::end_first() {
  std::list<Run> ended;
  finish_markers(runs_.front());  // the first one changes nowhere else while it is under way
  std::unique_lock lock(mutex_);
  ended.splice(ended.end(), runs_, runs_.begin());
  is_running_ = false;
  idle_.notify_all();
  current_.store(0, std::memory_order_relaxed);
  ferryx_callout* const callout = ended.front().callout;
  if (runs_.empty()) {
    lock.unlock();
  } else {
    start_next(std::move(lock));
  }
  callout->done(callout);
}

// Records that no queue will reach any more: what waits for them goes on.
void ModelRuns::finish_markers(const Run& run) const {
  for (size_t i = 0; i < run.markers.size(); ++i) {
    const RecordedTask& task = task_of(external_[i]);
    if (task.form != RecordedTask::Form::kMark || run.markers[i].is_reached()) continue;
    // Any queue of the device will do.
    groups_.front()->lanes().front()->mark(run.markers[i].get(), task.work->origin);
  }
}

// ---- ending ----

Ref<Stream> ModelRuns::launcher() {
  void* handle = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!runs_.empty()) handle = runs_.front().launcher;
  }
  return HandleTable<Stream>::instance().find(handle);
}

void ModelRuns::empty_all(Emptying how, const Lane* except) {
  is_ending_.store(true, std::memory_order_release);
  for (LaneGroup* group : groups_)
    group->empty(how, except);
}

void ModelRuns::fail_run(const ferryx_fault& fault, Lane& failed) {
  // Of tasks that fail at the same time, the first decides.
  if (is_ending_.exchange(true)) return;
  if (const Ref<Stream> stream = launcher()) {
    stream->keep_fault(fault, FixedText("in a run of model %u, ", model_id_).c_str());
  }
  empty_all(Emptying::kDrop, &failed);
}

void ModelRuns::fail_start(aclError code) {
  if (is_ending_.exchange(true)) return;
  if (const Ref<Stream> stream = launcher()) {
    stream->fail_queued(code, FixedText("a run of model %u could not be queued", model_id_));
  }
}

void ModelRuns::fail_run(uint64_t run, aclError code, const FixedText& text) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_running_ || runs_.front().number != run) return;
    if (!groups_.front()->retain_if_running()) return;
  }
  if (!is_ending_.exchange(true)) {
    if (const Ref<Stream> stream = launcher()) stream->fail_queued(code, text);
    empty_all(Emptying::kDrop, nullptr);
  }
  groups_.front()->lane_is_over();
}

bool ModelRuns::retain_to_end(const void* stream) {
  const std::lock_guard lock(mutex_);
  // Runs that wait for their turn will end as soon as they begin.
  for (Run& run : runs_)
    if (run.launcher == stream && run.callout != nullptr) run.is_dropped = true;
  if (!is_running_ || (stream != nullptr && runs_.front().launcher != stream)) return false;
  // Also for a run whose lanes are about to start: it looks before it submits them.
  is_ending_.store(true, std::memory_order_release);
  return groups_.front()->retain_if_running();
}

bool ModelRuns::end_run(aclError code, const char* reason) {
  if (!retain_to_end(nullptr)) return false;
  if (const Ref<Stream> stream = launcher()) {
    stream->fail_queued(code, FixedText("a run of model %u %s", model_id_, reason));
  }
  empty_all(Emptying::kAbort, nullptr);
  release();
  return true;
}

void ModelRuns::end_early(const Lane& caller) {
  empty_all(Emptying::kDrop, &caller);
}

void ModelRuns::end_run_of(const void* stream, Emptying how) {
  if (!retain_to_end(stream)) return;
  empty_all(how, nullptr);
  release();
}

bool ModelRuns::is_idle() {
  const std::lock_guard lock(mutex_);
  return runs_.empty();
}

bool ModelRuns::close(Clock::time_point deadline) {
  // Schedules that delay work run it when a stream is synchronised: the host waits in short slices.
  constexpr std::chrono::milliseconds kSlice{1};
  const bool is_delayed = config().schedule.kind != Schedule::Kind::kEager;
  std::unique_lock lock(mutex_);
  while (!runs_.empty()) {
    if (Clock::now() >= deadline) return false;
    if (!is_delayed) {
      idle_.wait_until(lock, deadline);
      continue;
    }
    lock.unlock();
    if (const Ref<Stream> stream = launcher()) stream->help(kSlice);
    lock.lock();
    idle_.wait_for(lock, kSlice, [&] { return runs_.empty(); });
  }
  is_closed_ = true;
  return true;
}

void ModelRuns::close_now() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  if (retain_to_end(nullptr)) {
    empty_all(Emptying::kAbort, nullptr);
    release();
  }
  // Runs whose streams have not come to them keep the model alive until they are dropped.
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return !is_running_; });
}

void RunRef::fail(aclError code, const FixedText& text) const {
  const Ref<Model> found = HandleTable<Model>::instance().find(model);
  if (found) found->root().runs().fail_run(number, code, text);
}

RunRef RunRef::current(void* model) {
  const Ref<Model> found = HandleTable<Model>::instance().find(model);
  return {.model = model, .number = found ? found->root().runs().current() : 0};
}

void* RunRef::model_of(const Stream& stream) {
  const std::lock_guard lock(recordings_mutex());
  const Recorder* const recorder = stream.recorder();
  return recorder != nullptr ? recorder->model.handle() : nullptr;
}

}  // namespace ferry
