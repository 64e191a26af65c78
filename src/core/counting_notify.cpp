// SPDX-License-Identifier: Apache-2.0
// Records and waits are callouts: the host changes the count when a stream comes to them.
#include "core/counting_notify.h"

#include "core/callout.h"
#include "core/count_clock.h"
#include "core/counter.h"
#include "core/runtime.h"

#include <atomic>

namespace ferry {
namespace {

std::atomic<uint32_t> next_counting_notify_id{0};

struct CountChange {
  std::shared_ptr<Counter> counter;
  aclrtCntNotifyRecordInfo info{};

  static void start(void* argument, ferryx_callout* callout) {
    const std::unique_ptr<CountChange> own(static_cast<CountChange*>(argument));
    if (callout == nullptr) return;
    own->counter->change(own->info);
    callout->done(callout);
  }
};

struct QueuedCountWait {
  std::shared_ptr<Counter> counter;
  CountWaits entry;  // one

  static void start(void* argument, ferryx_callout* callout) {
    const std::unique_ptr<QueuedCountWait> own(static_cast<QueuedCountWait*>(argument));
    if (callout == nullptr) return;
    own->begin(callout);
  }

  void begin(ferryx_callout* callout) {
    CountWait& wait = entry.front();
    wait.callout = callout;
    if (const Ref<Stream> stream = HandleTable<Stream>::instance().find(wait.stream)) {
      wait.endings = stream->endings();
    }
    const bool is_limited = wait.info.timeout != 0;
    if (is_limited) wait.deadline = Counter::Clock::now() + std::chrono::seconds(wait.info.timeout);
    counter->wait(entry);
    if (is_limited) CountClock::instance().note_begin();
  }
};

}  // namespace

CountingNotify::CountingNotify(uint32_t id) : id_(id), counter_(std::make_shared<Counter>()) {}

Ref<CountingNotify> CountingNotify::create() {
  const uint32_t id = next_counting_notify_id.fetch_add(1, std::memory_order_relaxed);
  return HandleTable<CountingNotify>::instance().insert(
      std::unique_ptr<CountingNotify>(new CountingNotify(id)));
}

Status CountingNotify::record(Stream& stream, const aclrtCntNotifyRecordInfo& info) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  auto change = std::make_unique<CountChange>(CountChange{.counter = counter_, .info = info});
  return submit_callout(stream, CountChange::start, std::move(change));
}

Status CountingNotify::make_stream_wait(Stream& stream, const aclrtCntNotifyWaitInfo& info) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  if (info.timeout != 0) FERRY_RETURN_IF_ERROR(CountClock::instance().expect(counter_));
  auto wait = std::make_unique<QueuedCountWait>();
  wait->counter = counter_;
  wait->entry.push_back(
      {.info = info, .stream = stream.handle(), .endings = 0, .task = stream.next_task()});
  return submit_callout(stream, QueuedCountWait::start, std::move(wait));
}

Status CountingNotify::reset(Stream& stream) {
  return record(stream, {.mode = ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, .value = 0});
}

Result<Ref<CountingNotify>> find_counting_notify(aclrtCntNotify handle) {
  if (handle == nullptr) return fail_null("cntNotify", ACL_ERROR_RT_PARAM_INVALID, kEE1004);
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<CountingNotify> found = HandleTable<CountingNotify>::instance().find(handle);
  if (!found) {
    return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "cntNotify", handle, "counting notify");
  }
  return found;
}

}  // namespace ferry
