// SPDX-License-Identifier: Apache-2.0
// Telling the program's exception callback (aclrtSetExceptionInfoCallback) about failed tasks, on
// the service thread.
#pragma once

#include "acl/acl_rt.h"

#include <cstdint>

// What the opaque aclrtExceptionInfo of the public header is.
struct rtExceptionInfo {
  uint32_t task_id = 0;
  uint32_t stream_id = 0;
  uint32_t thread_id = 0;
  uint32_t device_id = 0;
  uint32_t error_code = 0;
};

namespace ferry {

// nullptr ends the reports.
void set_exception_callback(aclrtExceptionInfoCallback callback);

// Tells the callback, if there is one.
void report_exception(const rtExceptionInfo& info);

// `info` if it is the one the callback on this thread is looking at, else nullptr.
const rtExceptionInfo* find_exception_info(const rtExceptionInfo* info);

}  // namespace ferry
