// SPDX-License-Identifier: Apache-2.0
// Tasks that fail: the runtime learns of it, and may ask to drop the rest.
#include "backends/cpu/copy.h"
#include "backends/cpu/queue.h"
#include "backends/cpu/services.h"
#include "base/fault_trap.h"
#include "base/pause.h"

#include "acl/error_codes/rt_error_codes.h"

namespace ferry::cpu {

void Queue::finish_failed(Task& task, const void* fault) {
  if (cookie_ != nullptr) {
    report(task, ACL_ERROR_RT_TS_ERROR, not_accessible(fault).c_str());
  } else {
    const Lock lock = lock_soon(mutex_);
    fault_ = fault;
  }
  finish_front();
}

void Queue::report(Task& task, int code, const char* text) {
  const ferryx_work work = task.work();
  const ferryx_fault fault{.work = &work, .code = code, .text = text};
  if (services->work_failed(cookie_, &fault) == FERRYX_STOP) drop_tasks(Waiters::kUntold);
}

}  // namespace ferry::cpu
