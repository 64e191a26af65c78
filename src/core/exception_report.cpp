// SPDX-License-Identifier: Apache-2.0
// The current callback, and the report it is processing.
#include "core/exception_report.h"

#include "base/log.h"
#include "base/program_call.h"
#include "core/service_thread.h"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>

namespace ferry {
namespace {

std::atomic<aclrtExceptionInfoCallback> exception_callback{nullptr};

thread_local const rtExceptionInfo* info_in_callback = nullptr;

// Not the thread that ends work: a callback may run for ever.
ServiceThread& report_thread() {
  static auto* instance = new ServiceThread("ferry-report");
  return *instance;
}

void tell(rtExceptionInfo info) {
  // Loaded again: the callback may have been removed since the report was queued.
  const aclrtExceptionInfoCallback callback = exception_callback.load();
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
  const rtExceptionInfo info_to_tell = report.info;
  pool.give_back(report);  // first: the callback may not return
  tell(info_to_tell);
}

}  // namespace

Status set_exception_callback(aclrtExceptionInfoCallback callback) {
  if (callback != nullptr) {
    FERRY_RETURN_IF_ERROR(report_thread().start());
    pool.make_some();
  }
  exception_callback.store(callback);
  return {};
}

ReportNumber report_exception(const rtExceptionInfo& info) {
  if (exception_callback.load() == nullptr) return kNoReport;
  Report* report = pool.take();
  if (report == nullptr) {
    FERRY_LOG(kWarn, "the exception callback is not called: host memory is exhausted");
    return kNoReport;
  }
  report->info = info;
  return report_thread().run(*report);
}

bool wait_for_report(ReportNumber report, std::chrono::steady_clock::time_point deadline) {
  return report == kNoReport || report_thread().wait_for(report, deadline);
}

const rtExceptionInfo* find_exception_info(const rtExceptionInfo* info) {
  return info != nullptr && info == info_in_callback ? info : nullptr;
}

}  // namespace ferry
