// SPDX-License-Identifier: Apache-2.0
// The list of processes, and counting those that hold the object.
#include "core/shared_object.h"

#include "core/runtime.h"

#include <string>

namespace ferry {

Status SharedObject::allow(const int32_t* pids, size_t count, size_t most) {
  if (terms_.access == ShareAccess::kEverybody) {
    return fail(ACL_ERROR_RT_NO_PERMISSION, kEE1017,
                "it was exported for every process: there is no list of processes");
  }
  const std::lock_guard lock(mutex_);
  std::set<int32_t> all = allowed_;
  all.insert(pids, pids + count);
  all.erase(0);
  if (all.empty()) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "pid", pids[0])
        .because(" and all others are 0: at least one must be a process");
  }
  if (all.size() > most) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "pid", pids[0])
        .because(" and others make the list longer than %zu processes", most);
  }
  allowed_ = std::move(all);
  return {};
}

bool SharedObject::retire() {
  const std::lock_guard lock(mutex_);
  is_retired_ = true;
  return holders_ == 0;
}

sharing::Answer SharedObject::open(const sharing::Visitor& visitor) {
  const std::lock_guard lock(mutex_);
  if (is_retired_) {
    return {.code = terms_.code_when_gone, .text = "its owner has freed or closed it"};
  }
  if (terms_.access == ShareAccess::kListed && !allowed_.contains(visitor.process)) {
    return {.code = ACL_ERROR_RT_DRV_INTERNAL_ERROR,
            .text = "process " + std::to_string(visitor.process) +
                    " may not open it: its owner names the processes that may with " +
                    terms_.function_to_list};
  }
  sharing::Answer answer = show(visitor);
  if (answer.code == ACL_SUCCESS) ++holders_;
  return answer;
}

void SharedObject::closed() {
  {
    const std::lock_guard lock(mutex_);
    if (--holders_ > 0 || !is_retired_) return;
  }
  unused();
}

Status fail_visit(const char* argument, const sharing::Visit& visit, aclError unknown) {
  switch (visit.outcome) {
    case sharing::Visit::Outcome::kRefused:
      return reject(visit.code, kEE1017, argument)
          .because(" cannot be opened: %s", visit.text.c_str());
    case sharing::Visit::Outcome::kForeign:
      return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006, argument)
          .because(
              " was exported on another server: both processes need FERRY_FABRIC to share "
              "between servers");
    case sharing::Visit::Outcome::kUnreachable:
      return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, argument)
          .because(" cannot be opened: %s", visit.text.c_str());
    default:
      return reject(unknown, kEE1017, argument)
          .because(
              " is unknown: no process of this user offers it; the exporter has ended, has freed "
              "or closed it, or the bytes were changed on their way%s%s",
              visit.text.empty() ? "" : "; ", visit.text.c_str());
  }
}

Status enable_peer_of(Device& device, int32_t logical_id) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  Device* const peer = (*runtime)->device_with_logical_id(logical_id);
  if (peer == nullptr || peer == &device || &peer->backend() != &device.backend()) return {};
  return device.enable_peer(*peer);
}

}  // namespace ferry
