// SPDX-License-Identifier: Apache-2.0
// Changing the count, and ending waits.
#include "core/counter.h"

#include "core/exception_report.h"
#include "core/stream.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace ferry {
namespace {

bool is_satisfied(const aclrtCntNotifyWaitInfo& info, uint32_t count) {
  switch (info.mode) {
    case ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE:
      return count < info.value;
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE:
      return count == info.value;
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE:
      return count > info.value;
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE:
      return count >= info.value;
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE:
      return (count & info.value) == info.value;
  }
  return false;
}

uint32_t changed(uint32_t count, const aclrtCntNotifyRecordInfo& info) {
  switch (info.mode) {
    case ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE:
      return info.value;
    case ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE:
      return count + info.value;
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE:
      return count | info.value;
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE:
      return count & info.value;
  }
  return count;
}

// The stream was aborted or destroyed: the wait must not consume the count any more.
bool is_ended(const CountWait& wait) {
  const Ref<Stream> stream = HandleTable<Stream>::instance().find(wait.stream);
  return !stream || stream->endings() != wait.endings;
}

void finish(const CountWaits& waits) {
  for (const CountWait& wait : waits)
    wait.callout->done(wait.callout);
}

void fail_wait(const CountWait& wait, aclError code, const FixedText& text) {
  const Ref<Stream> stream = HandleTable<Stream>::instance().find(wait.stream);
  if (!stream || stream->endings() != wait.endings) return;
  const ReportNumber report =
      report_exception({.task_id = wait.task,
                        .stream_id = static_cast<uint32_t>(stream->id()),
                        .thread_id = static_cast<uint32_t>(gettid()),
                        .device_id = static_cast<uint32_t>(stream->context().device().id()),
                        .error_code = static_cast<uint32_t>(code),
                        .kernel = {}});
  stream->fail_queued(code, text, report);
}

constexpr char kTask[] = "a task queued by aclrtCntNotifyWaitWithTimeout failed";

}  // namespace

// The notify is destroyed, and no task is queued that changes the count.
Counter::~Counter() {
  for (const CountWait& wait : waits_)
    fail_wait(wait, ACL_ERROR_RT_INTERNAL_ERROR, FixedText("%s: its notify was destroyed", kTask));
  finish(waits_);
}

CountWaits Counter::take_over_locked() {
  CountWaits over;
  for (auto wait = waits_.begin(); wait != waits_.end();) {
    const auto next = std::next(wait);
    const bool ends = is_ended(*wait);
    const bool comes = !ends && is_satisfied(wait->info, count_);
    if (comes && wait->info.isClear == 1) count_ = 0;
    if (ends || comes) over.splice(over.end(), waits_, wait);
    wait = next;
  }
  return over;
}

void Counter::change(const aclrtCntNotifyRecordInfo& info) {
  CountWaits over;
  {
    const std::lock_guard lock(mutex_);
    count_ = changed(count_, info);
    over = take_over_locked();
  }
  finish(over);
}

void Counter::wait(CountWaits& entry) {
  CountWaits over;
  {
    const std::lock_guard lock(mutex_);
    waits_.splice(waits_.end(), entry);
    over = take_over_locked();
  }
  finish(over);
}

Counter::Clock::time_point Counter::expire(Clock::time_point now) {
  CountWaits late;
  Clock::time_point next = Clock::time_point::max();
  {
    const std::lock_guard lock(mutex_);
    for (auto wait = waits_.begin(); wait != waits_.end();) {
      const auto following = std::next(wait);
      if (wait->deadline <= now) {
        late.splice(late.end(), waits_, wait);
      } else {
        next = std::min(next, wait->deadline);
      }
      wait = following;
    }
  }
  for (const CountWait& wait : late) {
    fail_wait(wait, ACL_ERROR_RT_TASK_TIMEOUT,
              FixedText("%s: the count did not come within %u s", kTask, wait.info.timeout));
  }
  finish(late);
  return next;
}

}  // namespace ferry
