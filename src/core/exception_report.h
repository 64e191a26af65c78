// SPDX-License-Identifier: Apache-2.0
// Reports failed tasks to the program's exception callback (aclrtSetExceptionInfoCallback), on the
// service thread.
#pragma once

#include "acl/acl_rt.h"

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

// nullptr ends the reports.
void set_exception_callback(aclrtExceptionInfoCallback callback);

// Calls the callback, if there is one.
void report_exception(const rtExceptionInfo& info);

// `info` if the callback on this thread is processing it, otherwise nullptr.
const rtExceptionInfo* find_exception_info(const rtExceptionInfo* info);

}  // namespace ferry
