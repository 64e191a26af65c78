// SPDX-License-Identifier: Apache-2.0
// The current callback, and the report it is processing.
#include "core/exception_report.h"

#include "core/service_thread.h"

#include <atomic>

namespace ferry {
namespace {

std::atomic<aclrtExceptionInfoCallback> exception_callback{nullptr};

thread_local const rtExceptionInfo* info_in_callback = nullptr;

void tell(rtExceptionInfo info) {
  // Loaded again: the callback may have been removed since the report was queued.
  const aclrtExceptionInfoCallback callback = exception_callback.load();
  if (callback == nullptr) return;
  info_in_callback = &info;
  callback(&info);
  info_in_callback = nullptr;
}

}  // namespace

void set_exception_callback(aclrtExceptionInfoCallback callback) {
  exception_callback.store(callback);
}

void report_exception(const rtExceptionInfo& info) {
  if (exception_callback.load() == nullptr) return;
  run_on_service_thread([info] { tell(info); });
}

const rtExceptionInfo* find_exception_info(const rtExceptionInfo* info) {
  return info != nullptr && info == info_in_callback ? info : nullptr;
}

}  // namespace ferry
