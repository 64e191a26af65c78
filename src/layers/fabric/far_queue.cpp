// SPDX-License-Identifier: Apache-2.0
// From work to jobs.
#include "layers/fabric/far_queue.h"

#include "base/helping.h"
#include "base/live_memory.h"
#include "base/work.h"
#include "layers/fabric/fabric.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry::layers::fabric {

std::atomic<const ferryx_runtime*> runtime_of_front{nullptr};

namespace {

// Work up to this size is sent by the submitting thread, if the queue is idle.
constexpr uint64_t kMostPrompt = uint64_t{64} << 10;
constexpr size_t kMostPromptItems = 16;
constexpr uint64_t kWait = 1'000'000'000;

const ferryx_runtime& runtime() {
  return *runtime_of_front.load();
}

// Remote memory has no storage.
bool is_far(const ferryx_copy& copy, RemoteLookup& lookup) {
  return (copy.dst_storage == nullptr && lookup.holds(copy.dst)) ||
         (copy.src_storage == nullptr && lookup.holds(copy.src));
}

bool is_far(const ferryx_copy& copy) {
  RemoteLookup lookup;
  return is_far(copy, lookup);
}

bool has_far_item(const ferryx_copies& copies) {
  if ((copies.flags & FERRYX_COPY_RESOLVED) != 0) return false;
  RemoteLookup lookup;
  return std::any_of(copies.items, copies.items + copies.count,
                     [&](const ferryx_copy& item) { return is_far(item, lookup); });
}

JobItem item_of(const ferryx_copy& copy) {
  return {.dst = copy.dst, .src = copy.src, .size = copy.size};
}

std::vector<JobItem> rows_of(const ferryx_rows& rows) {
  std::vector<JobItem> items;
  items.reserve(rows.height);
  for (uint64_t row = 0; row < rows.height; ++row) {
    items.push_back({.dst = static_cast<char*>(rows.corner.dst) + row * rows.dst_pitch,
                     .src = static_cast<const char*>(rows.corner.src) + row * rows.src_pitch,
                     .size = rows.corner.size});
  }
  return items;
}

// ---- work whose addresses lie in device memory ----

template <class T>
std::string read_device(const char* name, const void* address, T& value) {
  const void* const storage = live_storage(runtime(), address, sizeof value);
  if (storage == nullptr) return not_live(runtime(), name, address, sizeof value);
  std::memcpy(&value, storage, sizeof value);
  return {};
}

std::string read_addresses(const ferryx_work& work, JobItem& item) {
  if (work.kind == FERRYX_DESCRIBED) {
    ferryx_descriptor read{};
    std::string wrong = read_device("desc", work.as.described.descriptor, read);
    item = {.dst = reinterpret_cast<void*>(read.dst),
            .src = reinterpret_cast<const void*>(read.src),
            .size = read.size == 0 ? uint64_t{1} << 32 : read.size};
    return wrong;
  }
  const ferryx_indirect& indirect = work.as.indirect;
  uint64_t dst = 0;
  uint64_t src = 0;
  std::string wrong = read_device("dst", indirect.dst_pointer, dst);
  if (wrong.empty()) wrong = read_device("src", indirect.src_pointer, src);
  item = {.dst = reinterpret_cast<void*>(dst + indirect.dst_offset),
          .src = reinterpret_cast<const void*>(src + indirect.src_offset),
          .size = indirect.size};
  return wrong;
}

// "" or what is wrong with the addresses that it reads; then nothing was started.
std::string start_job(Job& job, const ferryx_work& work) {
  std::vector<JobItem> items;
  switch (work.kind) {
    case FERRYX_COPIES:
      for (size_t i = 0; i < work.as.copies.count; ++i)
        items.push_back(item_of(work.as.copies.items[i]));
      // The bytes were taken during the call, and lie in no live memory.
      if ((work.as.copies.flags & FERRYX_COPY_CAPTURE) != 0) {
        items[0].src = work.as.copies.items[0].src_storage;
      }
      break;
    case FERRYX_ROWS:
      items = rows_of(work.as.rows);
      break;
    case FERRYX_FILL:
      job.fill(work.as.fill);
      return {};
    case FERRYX_WRITE_VALUE:
      items.push_back({.dst = work.as.value.address, .src = &work.as.value.value, .size = 8});
      break;
    default: {
      JobItem item;
      if (std::string wrong = read_addresses(work, item); !wrong.empty()) return wrong;
      items.push_back(item);
    }
  }
  job.copy(std::move(items));
  return {};
}

// ---- a task ----

// Owned by its callout, then by its job.
class FarTask : public std::enable_shared_from_this<FarTask> {
 public:
  FarTask(FarQueue& queue, const ferryx_work& work) : queue_(queue), work_(work) {}

  static void start(void* argument, ferryx_callout* callout) {
    const std::unique_ptr<std::shared_ptr<FarTask>> own(
        static_cast<std::shared_ptr<FarTask>*>(argument));
    if (callout != nullptr) (*own)->run(callout);
  }

 private:
  void run(ferryx_callout* callout) {
    callout_ = callout;
    cuts_ = queue_.cuts();
    queue_.begin_task();
    const auto self = shared_from_this();
    const auto job = std::make_shared<Job>(runtime(), Job::When::kQueued,
                                           [self](const Job::End& end) { self->end(end); });
    // The clone has the captured bytes, where no live memory is.
    const std::string wrong = start_job(*job, *work_);
    if (!wrong.empty()) return end({ACL_ERROR_RT_TS_ERROR, wrong});
  }

  void end(const Job::End& end) {
    if (end.code != 0 && cuts_ == queue_.cuts()) {
      const ferryx_fault fault{.work = &*work_, .code = end.code, .text = end.text.c_str()};
      // If the stream stops on failures, the runtime drops what is queued.
      static_cast<void>(runtime().work_failed(queue_.cookie, &fault));
    }
    callout_->done(callout_);
    queue_.end_task();
  }

  FarQueue& queue_;
  const WorkClone work_;
  ferryx_callout* callout_ = nullptr;
  uint64_t cuts_ = 0;
};

bool is_brief(const ferryx_work& work) {
  const bool is_short = work.kind != FERRYX_ROWS || work.as.rows.height <= kMostPromptItems;
  if (work.kind == FERRYX_COPIES && work.as.copies.count > kMostPromptItems) return false;
  const uint64_t bytes = bytes_of(work);  // 0: it is known when the work executes
  return is_short && bytes > 0 && bytes <= kMostPrompt;
}

int submit_task(FarQueue& queue, const ferryx_work& work) {
  auto task = std::make_unique<std::shared_ptr<FarTask>>(std::make_shared<FarTask>(queue, work));
  ferryx_work callout = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                                  {.start = FarTask::start, .argument = task.get()},
                                  is_brief(work) ? kPromptCallout : 0);
  callout.origin = work.origin;
  const int submitted = queue.inner->queue_submit(queue.handle, &callout);
  if (submitted == ACL_RT_SUCCESS) static_cast<void>(task.release());  // `start` owns it now
  return submitted;
}

// Items between local memory stay with the backend, in a task of their own before the others.
int submit_copies(FarQueue& queue, const ferryx_work& work) {
  const ferryx_copies& copies = work.as.copies;
  RemoteLookup lookup;
  const auto is_far_item = [&](const ferryx_copy& item) { return is_far(item, lookup); };
  std::vector<ferryx_copy> far(copies.items, copies.items + copies.count);
  const auto behind = std::stable_partition(far.begin(), far.end(), is_far_item);
  const std::vector<ferryx_copy> near(behind, far.end());
  far.erase(behind, far.end());
  ferryx_work part = work;
  if (!near.empty()) {
    part.origin.correlation = 0;  // it is reported once
    part.as.copies.items = near.data();
    part.as.copies.count = near.size();
    if (const int code = queue.inner->queue_submit(queue.handle, &part); code != ACL_RT_SUCCESS) {
      return code;
    }
  }
  part.origin = work.origin;
  part.as.copies.items = far.data();
  part.as.copies.count = far.size();
  return submit_task(queue, part);
}

int refuse(const char* what) {
  return runtime().fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                        (std::string(what) + " memory of another host is not supported").c_str());
}

}  // namespace

// ---- queues ----

void FarQueue::begin_task() {
  const std::lock_guard lock(mutex_);
  ++running_;
}

// Notifies under the lock: the queue may be destroyed right after.
void FarQueue::end_task() {
  const std::lock_guard lock(mutex_);
  if (--running_ == 0) is_idle_.notify_all();
}

void FarQueue::cut_and_wait() {
  std::unique_lock lock(mutex_);
  ++cuts_;
  is_idle_.wait(lock, [this] { return running_ == 0; });
}

uint64_t FarQueue::cuts() {
  const std::lock_guard lock(mutex_);
  return cuts_;
}

// ---- work ----

bool may_be_far(const ferryx_work& work, const ferryx_backend& backend) {
  const RemoteMemory& remote = RemoteMemory::instance();
  switch (work.kind) {
    case FERRYX_COPIES:
      return has_far_item(work.as.copies);
    case FERRYX_ROWS:
      return is_far(work.as.rows.corner);
    case FERRYX_FILL:
      return work.as.fill.dst_storage == nullptr && remote.holds(work.as.fill.dst);
    case FERRYX_REDUCE:
      return is_far(work.as.reduce.operands);
    case FERRYX_WRITE_VALUE:
    case FERRYX_AWAIT_VALUE:
      return remote.holds(work.as.value.address);
    case FERRYX_DESCRIBED:
    case FERRYX_INDIRECT:
      return (backend.capabilities & FERRYX_STORAGE_IS_HOST_MEMORY) != 0;
    default:
      return false;
  }
}

int submit_far(FarQueue& queue, const ferryx_work& work) {
  if (work.kind == FERRYX_REDUCE) return refuse("a reduction with");
  if (work.kind == FERRYX_AWAIT_VALUE) return refuse("waiting for a value in");
  return work.kind == FERRYX_COPIES ? submit_copies(queue, work) : submit_task(queue, work);
}

int execute_far(const ferryx_work& work) {
  Job::End ended;
  const auto job = std::make_shared<Job>(runtime(), Job::When::kNow,
                                         [&ended](const Job::End& end) { ended = end; });
  const std::string wrong = start_job(*job, work);
  if (!wrong.empty()) return runtime().fail(ACL_ERROR_RT_PARAM_INVALID, wrong.c_str());
  while (!job->is_over())
    job->wait(kWait);
  return ended.code == 0 ? ACL_RT_SUCCESS : runtime().fail(ended.code, ended.text.c_str());
}

}  // namespace ferry::layers::fabric
