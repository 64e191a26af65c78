// SPDX-License-Identifier: Apache-2.0
// Reports failed tasks to the program's exception callback (aclrtSetExceptionInfoCallback), on a
// thread of its own.
#pragma once

#include "base/status.h"

#include "acl/acl_rt.h"

#include <chrono>
#include <cstdint>

// The definition of the public header's opaque aclrtExceptionInfo.
struct rtExceptionInfo {
  uint32_t task_id = 0;
  uint32_t stream_id = 0;
  uint32_t thread_id = 0;
  uint32_t device_id = 0;
  uint32_t error_code = 0;
};

namespace ferry {

// nullptr ends the reports. 207005 when the thread for reports cannot be started.
Status set_exception_callback(aclrtExceptionInfoCallback callback);

// Numbers reports in the order in which they are made.
using ReportNumber = uint64_t;
constexpr ReportNumber kNoReport = 0;

// Makes the callback be called, if there is one. Returns kNoReport when nothing is left to wait
// for.
ReportNumber report_exception(const rtExceptionInfo& info);

// Waits until the callback has returned for this report and those before it. False when the
// deadline comes first. Inside a callback it is true at once.
bool wait_for_report(ReportNumber report, std::chrono::steady_clock::time_point deadline);

// `info` if the callback on this thread is processing it, otherwise nullptr.
const rtExceptionInfo* find_exception_info(const rtExceptionInfo* info);

}  // namespace ferry
