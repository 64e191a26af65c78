// SPDX-License-Identifier: Apache-2.0
// Reports failed tasks to the program's exception callbacks (aclrtSetExceptionInfoCallback,
// aclrtExceptionInfoCallbackRegister), on a thread of its own.
#pragma once

#include "base/status.h"

#include "acl/acl_rt.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace ferry {
class KernelLaunch;
}

// The definition of the public header's opaque aclrtExceptionInfo.
struct rtExceptionInfo {
  uint32_t task_id = 0;
  uint32_t stream_id = 0;
  uint32_t thread_id = 0;
  uint32_t device_id = 0;
  uint32_t error_code = 0;
  std::shared_ptr<const ferry::KernelLaunch> kernel{};  // empty when the task was no kernel
};

namespace ferry {

// nullptr ends the reports. 207005 when the thread for reports cannot be started.
Status set_exception_callback(aclrtExceptionInfoCallback callback);

// Makes sure that failures can be reported: for callbacks of binaries, which are set elsewhere.
// 207005 as above.
Status prepare_reports();
// Callbacks beside that one; each function counts once.
Status add_exception_callback(aclrtExceptionInfoCallback callback);
Status remove_exception_callback(aclrtExceptionInfoCallback callback);

// Numbers reports in the order in which they are made.
using ReportNumber = uint64_t;
constexpr ReportNumber kNoReport = 0;

// Makes the callbacks be called, if there are any. Returns kNoReport when nothing is left to wait
// for.
ReportNumber report_exception(const rtExceptionInfo& info);

// Waits until the callbacks have returned for this report and those before it. False when the
// deadline comes first. Inside a callback it is true at once.
bool wait_for_report(ReportNumber report, std::chrono::steady_clock::time_point deadline);

// `info` if the callback on this thread is processing it, otherwise nullptr.
const rtExceptionInfo* find_exception_info(const rtExceptionInfo* info);

}  // namespace ferry
