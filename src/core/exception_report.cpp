// SPDX-License-Identifier: Apache-2.0
// The callbacks, and the report that one is processing.
#include "core/exception_report.h"

#include "base/log.h"
#include "base/never_destroyed.h"
#include "base/program_call.h"
#include "core/kernel/kernel_launch.h"
#include "core/service_thread.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace ferry {
namespace {

// The function of aclrtSetExceptionInfoCallback.
std::atomic<aclrtExceptionInfoCallback> exception_callback{nullptr};

// Those of aclrtExceptionInfoCallbackRegister. May be shared between threads.
class AddedCallbacks {
 public:
  void add(aclrtExceptionInfoCallback callback) {
    const std::lock_guard lock(mutex_);
    if (!has_locked(callback)) callbacks_.push_back(callback);
  }
  void remove(aclrtExceptionInfoCallback callback) {
    const std::lock_guard lock(mutex_);
    std::erase(callbacks_, callback);
  }
  bool has(aclrtExceptionInfoCallback callback) {
    const std::lock_guard lock(mutex_);
    return has_locked(callback);
  }
  // `use` must not call the program.
  template <class Use>
  void for_each(Use use) {
    const std::lock_guard lock(mutex_);
    std::for_each(callbacks_.begin(), callbacks_.end(), use);
  }

 private:
  bool has_locked(aclrtExceptionInfoCallback callback) const {
    return std::find(callbacks_.begin(), callbacks_.end(), callback) != callbacks_.end();
  }

  std::mutex mutex_;  // guards callbacks_
  std::vector<aclrtExceptionInfoCallback> callbacks_;
};

AddedCallbacks& added_callbacks() {
  static NeverDestroyed<AddedCallbacks> callbacks;
  return *callbacks;
}

thread_local const rtExceptionInfo* info_in_callback = nullptr;

// Not the thread that ends work: a callback may run for ever.
ServiceThread& report_thread() {
  static auto* instance = new ServiceThread("ferry-report");
  return *instance;
}

// The callback of the binary whose kernel has failed.
Binary::ExceptionCallback binary_callback(const rtExceptionInfo& info) {
  const Binary* const binary = info.kernel == nullptr ? nullptr : info.kernel->function().binary();
  return binary == nullptr ? Binary::ExceptionCallback() : binary->exception_callback();
}

// Before the callbacks for all failures.
void tell_binary(rtExceptionInfo& info) {
  const Binary::ExceptionCallback callback = binary_callback(info);
  if (callback.function == nullptr) return;
  info_in_callback = &info;
  call_program(
      Called::kOtherwise, Thrown::kEndsHere, [&] { callback.function(&info, callback.data); },
      [](const char* instead) {
        info_in_callback = nullptr;
        if (instead == nullptr) return;
        FERRY_LOG(kError, "the exception callback of a binary did not return: it %s", instead);
      });
}

// `added` is nullptr for the report to the callback that was set.
void tell(rtExceptionInfo info, aclrtExceptionInfoCallback added) {
  if (added == nullptr) tell_binary(info);
  // Asked again: the callback may have been removed since the report was queued.
  if (added != nullptr && !added_callbacks().has(added)) return;
  const aclrtExceptionInfoCallback callback = added != nullptr ? added : exception_callback.load();
  if (callback == nullptr) return;
  info_in_callback = &info;
  call_program(
      Called::kOtherwise, Thrown::kEndsHere, [&] { callback(&info); },
      [](const char* instead) {
        info_in_callback = nullptr;
        if (instead == nullptr) return;
        FERRY_LOG(kError, "the exception callback did not return: it %s", instead);
      });
}

struct Report : ServiceJob {
  Report() : ServiceJob(give_back_and_tell) {}
  static void give_back_and_tell(ServiceJob& job);

  rtExceptionInfo info{};
  aclrtExceptionInfoCallback added = nullptr;
  Report* next_free = nullptr;
};

// Reports for use. Setting a callback makes some; so a failure for lack of memory is reported too.
// May be shared between threads.
class ReportPool {
 public:
  void make_some() {
    constexpr size_t kKept = 16;
    while (count() < kKept)
      give_back(*new Report);
  }

  // nullptr when none is free and there is no memory for another.
  Report* take() {
    {
      const std::lock_guard lock(mutex_);
      if (first_ != nullptr) {
        --count_;
        return std::exchange(first_, first_->next_free);
      }
    }
    return new (std::nothrow) Report;
  }

  void give_back(Report& report) {
    const std::lock_guard lock(mutex_);
    report.next_free = std::exchange(first_, &report);
    ++count_;
  }

 private:
  size_t count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

  std::mutex mutex_;  // guards what follows
  Report* first_ = nullptr;
  size_t count_ = 0;
};

constinit ReportPool pool;

void Report::give_back_and_tell(ServiceJob& job) {
  auto& report = static_cast<Report&>(job);
  const rtExceptionInfo info_to_tell = std::exchange(report.info, {});
  const aclrtExceptionInfoCallback added = report.added;
  pool.give_back(report);  // first: the callback may not return
  tell(info_to_tell, added);
}

// One report per callback: each may end the thread it is called on.
ReportNumber report_to(aclrtExceptionInfoCallback added, const rtExceptionInfo& info) {
  Report* report = pool.take();
  if (report == nullptr) {
    FERRY_LOG(kWarn, "an exception callback is not called: host memory is exhausted");
    return kNoReport;
  }
  report->info = info;
  report->added = added;
  return report_thread().run(*report);
}

}  // namespace

Status prepare_reports() {
  FERRY_RETURN_IF_ERROR(report_thread().start());
  pool.make_some();
  return {};
}

Status set_exception_callback(aclrtExceptionInfoCallback callback) {
  if (callback != nullptr) FERRY_RETURN_IF_ERROR(prepare_reports());
  exception_callback.store(callback);
  return {};
}

Status add_exception_callback(aclrtExceptionInfoCallback callback) {
  FERRY_RETURN_IF_ERROR(prepare_reports());
  added_callbacks().add(callback);
  return {};
}

Status remove_exception_callback(aclrtExceptionInfoCallback callback) {
  added_callbacks().remove(callback);
  return {};
}

ReportNumber report_exception(const rtExceptionInfo& info) {
  ReportNumber latest = kNoReport;
  if (exception_callback.load() != nullptr || binary_callback(info).function != nullptr) {
    latest = report_to(nullptr, info);
  }
  added_callbacks().for_each(
      [&](aclrtExceptionInfoCallback added) { latest = std::max(latest, report_to(added, info)); });
  return latest;
}

bool wait_for_report(ReportNumber report, std::chrono::steady_clock::time_point deadline) {
  return report == kNoReport || report_thread().wait_for(report, deadline);
}

const rtExceptionInfo* find_exception_info(const rtExceptionInfo* info) {
  return info != nullptr && info == info_in_callback ? info : nullptr;
}

}  // namespace ferry
